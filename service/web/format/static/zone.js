// Shows times in the zone of this phone. The server learns the zone from a cookie; until then, or where
// the server does not know the zone, times are written anew here. A page that anybody may open
// (data-shared) keeps no cookie, so parts that it loads later are written anew, too.
// Intl takes 20 ms to begin, Temporal none.
const zone = globalThis.Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
const { lang, dataset } = document.documentElement;
const locale = navigator.languages.find((one) => one.startsWith(lang)) ?? lang;

function showTimes() {
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll('time[data-style]'))) {
    /** @param {Intl.DateTimeFormatOptions} parts */
    const written = (parts) => new Intl.DateTimeFormat(locale, parts).format(new Date(time.dateTime));
    const month = time.dataset.style === 'when' ? 'short' : 'numeric';
    // Each time once: the observer below sees this change, too.
    delete time.dataset.style;
    // As the server writes it.
    time.textContent = `${written({ year: 'numeric', month, day: 'numeric' })}, ${written({ timeStyle: 'short' })}`;
  }
}

if (zone && dataset.zone !== zone) {
  if (dataset.shared === undefined) {
    document.cookie = `carnet-zone=${zone};path=/;max-age=31536000;samesite=lax`;
  } else {
    new MutationObserver(showTimes).observe(document.body, { childList: true, subtree: true });
  }
  showTimes();
}
