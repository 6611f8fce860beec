// Times as this phone's clock tells them. The server learns the zone from a cookie; until it has, or
// where it does not know the zone, they are told here. Intl takes 20 ms to begin, Temporal none.
const zone = globalThis.Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
const { lang, dataset } = document.documentElement;
const locale = navigator.languages.find((one) => one.startsWith(lang)) ?? lang;

if (zone && dataset.zone !== zone) {
  document.cookie = `carnet-zone=${zone};path=/;max-age=31536000;samesite=lax`;
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll('time[data-told]'))) {
    /** @param {Intl.DateTimeFormatOptions} parts */
    const told = (parts) => new Intl.DateTimeFormat(locale, parts).format(new Date(time.dateTime));
    const month = time.dataset.told === 'when' ? 'short' : 'numeric';
    // As the server says it.
    time.textContent = `${told({ year: 'numeric', month, day: 'numeric' })}, ${told({ timeStyle: 'short' })}`;
  }
}
