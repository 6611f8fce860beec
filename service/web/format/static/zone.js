// Times as this phone's clock tells them. The server learns the zone from a cookie; until it has, or
// where it does not know the zone, the times of the page are told here.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const { lang, dataset } = document.documentElement;
const locale = navigator.languages.find((one) => one.startsWith(lang)) ?? lang;

/** @type {Record<string, Intl.DateTimeFormatOptions>} */
const DAYS = {
  when: { year: 'numeric', month: 'short', day: 'numeric' },
  briefly: { year: 'numeric', month: 'numeric', day: 'numeric' },
};

if (zone && dataset.zone !== zone) {
  document.cookie = `carnet-zone=${zone};path=/;max-age=31536000;samesite=lax`;
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll('time[data-told]'))) {
    const at = new Date(time.dateTime);
    const day = new Intl.DateTimeFormat(locale, DAYS[time.dataset.told ?? '']).format(at);
    // As the server says it.
    time.textContent = `${day}, ${new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(at)}`;
  }
}
