// Before a game is ended: a round that was entered in part is only a draft on this phone (`turns.js`).
const place = /** @type {HTMLElement} */ (document.querySelector('[data-half]'));
const { rounds = {} } = JSON.parse(localStorage.getItem(`turns ${place.dataset.half}`) ?? '{}');
const read = Object.values(rounds).map((draft) => draft.read);
place.textContent = (place.textContent ?? '').replace('%s', read.join(', '));
place.hidden = !read.length;
