// Times as this phone's clock tells them. The server learns the zone from a cookie; until it has, or
// where it does not know the zone, the times of the page are told here.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const { lang, dataset } = document.documentElement;
const locale = navigator.languages.find((one) => one.startsWith(lang)) ?? lang;

/** @type {Record<string, Intl.DateTimeFormatOptions>} */
const WAYS = {
  when: { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
  briefly: { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: '2-digit' },
};

if (zone && dataset.zone !== zone) {
  document.cookie = `carnet-zone=${zone};path=/;max-age=31536000;samesite=lax`;
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll('time[data-told]'))) {
    const way = WAYS[time.dataset.told ?? ''];
    time.textContent = new Intl.DateTimeFormat(locale, way).format(new Date(time.dateTime));
  }
}
