// The table from above: seats are moved clockwise by dragging, buttons or arrow keys.

const MOVED_PX = 8;
/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** @typedef {{ name: string, team: string }} Seated a player, by seat */

/**
 * @typedef {object} Table
 * @property {(seats: Seated[]) => void} draw
 */

/**
 * Make the table interactive.
 * @param {HTMLElement} circle
 * @param {HTMLInputElement} dealer the field of the first dealer's seat, from 1
 * @param {(from: number, to: number) => void} move
 * @returns {Table}
 */
export function tableOf(circle, dealer, move) {
  const ring = /** @type {HTMLElement} */ (circle.querySelector('ol'));
  const tools = /** @type {HTMLElement} */ (circle.querySelector('[data-moves]'));
  const badge = circle.dataset.dealer ?? '';
  /** @type {Seated[]} */
  let shown = [];
  let chosen = -1;

  const places = () => /** @type {HTMLElement[]} */ ([...ring.children]);

  /** @param {number} at @param {number} to */
  function go(at, to) {
    const seats = shown.length;
    const there = (to + seats) % seats;
    if (dealer.value) {
      const order = shown.map((_, seat) => seat);
      order.splice(there, 0, ...order.splice(at, 1));
      dealer.value = String(order.indexOf(Number(dealer.value) - 1) + 1);
    }
    chosen = there;
    move(at, there);
    /** @type {HTMLElement | null} */ (places()[there]?.querySelector('button'))?.focus();
  }

  /** Render a player on a chair. @param {Seated} one @param {number} seat */
  function chair(one, seat) {
    const item = document.createElement('li');
    const angle = Math.PI * (0.5 + (2 * seat) / shown.length);
    item.style.left = `${50 + 36 * Math.cos(angle)}%`;
    item.style.top = `${50 + 40 * Math.sin(angle)}%`;
    const button = document.createElement('button');
    button.type = 'button';
    button.setAttribute('aria-pressed', String(seat === chosen));
    const number = document.createElement('b');
    number.className = 'place';
    number.textContent = String(seat + 1);
    const name = document.createElement('span');
    name.textContent = one.name;
    const deals = Number(dealer.value) === seat + 1 ? badge : '';
    const marks = document.createElement('small');
    marks.textContent = [one.team, deals].filter(Boolean).join(' · ');
    button.append(number, name, marks);
    item.append(button);
    return item;
  }

  /** @param {Seated[]} seats */
  function draw(seats) {
    shown = seats;
    if (Number(dealer.value) > seats.length) dealer.value = '';
    if (chosen >= seats.length) chosen = -1;
    circle.hidden = seats.length < 2;
    tools.hidden = chosen < 0;
    ring.replaceChildren(...seats.map(chair));
  }

  /** @type {{ seat: number, x: number, y: number, far: boolean } | undefined} */
  let held;
  const seatOf = (/** @type {EventTarget | null} */ target) =>
    places().findIndex((item) => target instanceof Node && item.contains(target));
  ring.addEventListener('pointerdown', (event) => {
    const seat = seatOf(event.target);
    if (seat < 0) return;
    held = { seat, x: event.clientX, y: event.clientY, far: false };
    ring.setPointerCapture(event.pointerId);
  });
  ring.addEventListener('pointermove', (event) => {
    if (!held) return;
    const [x, y] = [event.clientX - held.x, event.clientY - held.y];
    held.far ||= Math.hypot(x, y) > MOVED_PX;
    if (held.far) places()[held.seat].style.translate = `calc(-50% + ${x}px) calc(-50% + ${y}px)`;
  });
  ring.addEventListener('pointerup', (event) => {
    if (!held) return;
    const { seat, far } = held;
    held = undefined;
    if (!far) {
      chosen = chosen === seat ? -1 : seat;
      draw(shown);
      return /** @type {HTMLElement | null} */ (places()[seat].querySelector('button'))?.focus();
    }
    const distances = places().map((item, at) => {
      const box = item.getBoundingClientRect();
      const own = at === seat ? item.style.translate : '';
      item.style.translate = '';
      const place = own ? item.getBoundingClientRect() : box;
      return Math.hypot(place.x + place.width / 2 - event.clientX, place.y + place.height / 2 - event.clientY);
    });
    go(seat, distances.indexOf(Math.min(...distances)));
  });
  ring.addEventListener('pointercancel', () => {
    held = undefined;
    draw(shown);
  });
  ring.addEventListener('click', (event) => {
    // Pointer events have handled touches; keyboards and screen readers only click.
    if (event.detail) return;
    const seat = seatOf(event.target);
    chosen = chosen === seat ? -1 : seat;
    draw(shown);
    /** @type {HTMLElement | null} */ (places()[seat]?.querySelector('button'))?.focus();
  });
  ring.addEventListener('keydown', (event) => {
    const seat = seatOf(event.target);
    if (!STEPS[event.key] || seat < 0) return;
    event.preventDefault();
    go(seat, seat + STEPS[event.key]);
  });
  tools.addEventListener('click', (event) => {
    const button = /** @type {HTMLElement} */ (event.target).closest('button');
    if (!button || chosen < 0) return;
    if (button.dataset.step) return go(chosen, chosen + Number(button.dataset.step));
    dealer.value = dealer.value === String(chosen + 1) ? '' : String(chosen + 1);
    draw(shown);
  });
  return { draw };
}
