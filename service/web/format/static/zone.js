// Show times in this phone's time zone. The server reads the zone from a cookie; without it, or if the
// server does not know the zone, times are reformatted here. A public page (data-shared) sets no cookie,
// so parts that it loads later are reformatted, too. Loading Intl takes 20 ms, Temporal none.
const zone = globalThis.Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
const { lang, dataset } = document.documentElement;
const locale = navigator.languages.find((one) => one.startsWith(lang)) ?? lang;

function showTimes() {
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll('time[data-style]'))) {
    /** @param {Intl.DateTimeFormatOptions} parts */
    const written = (parts) => new Intl.DateTimeFormat(locale, parts).format(new Date(time.dateTime));
    const { style } = time.dataset;
    const month = style === 'when' || style === 'day' ? 'short' : 'numeric';
    const weekday = style === 'day' ? 'short' : undefined;
    // Only once per element: the observer below sees this change, too.
    delete time.dataset.style;
    // Same form as on the server.
    const day = style === 'time' ? [] : [written({ year: 'numeric', month, day: 'numeric', weekday })];
    time.textContent = [...day, ...(style === 'day' ? [] : [written({ timeStyle: 'short' })])].join(', ');
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
