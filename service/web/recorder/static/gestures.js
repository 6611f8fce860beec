// Fingers and keys on the keypad: hold a dimmed card, walk with the arrows; what is under a finger stays there; one
// that bounced is no second tap.

const HOLD_MS = 500;
const CLICK_MS = 100;
const PRESS_MS_MAX = 2000;
const TWICE_MS = 300;
const UNDER_FINGER_MS = 150;
const NEAR_PX = 24;

/**
 * Say when no finger is down: a key that is replaced before the finger lifts is not tapped, and another may be.
 * @param {HTMLElement} holder
 * @returns {() => Promise<unknown>} what to wait for before the keys change
 */
export function watchFingers(holder) {
  /** @type {Promise<unknown>} */
  let lifted = Promise.resolve();
  let lift = () => {};
  holder.addEventListener('pointerdown', () => {
    lifted = new Promise((resolve) => {
      lift = () => resolve(undefined);
      setTimeout(resolve, PRESS_MS_MAX);
    });
  });
  // The click comes after the finger has left, if it comes.
  for (const kind of ['pointerup', 'pointercancel']) addEventListener(kind, () => setTimeout(lift, CLICK_MS));
  holder.addEventListener('click', () => setTimeout(lift));
  return () => lifted;
}

/**
 * A card that breaks a rule is recorded all the same when it is held.
 * @param {HTMLElement} holder
 * @param {(button: HTMLButtonElement) => void} held
 */
export function enableHold(holder, held) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let swallow = false;
  const stop = () => clearTimeout(timer);
  holder.addEventListener('pointerdown', (event) => {
    swallow = false;
    const button = /** @type {HTMLElement} */ (event.target).closest('button.dim');
    if (!(button instanceof HTMLButtonElement)) return;
    timer = setTimeout(() => {
      swallow = true;
      held(button);
    }, HOLD_MS);
  });
  for (const kind of ['pointerup', 'pointercancel', 'pointerleave', 'scroll']) holder.addEventListener(kind, stop);
  // The finger that held lets go: that is no tap.
  holder.addEventListener(
    'click',
    (event) => {
      if (swallow) event.preventDefault();
      swallow = false;
    },
    true,
  );
  holder.addEventListener('contextmenu', (event) => {
    if (/** @type {HTMLElement} */ (event.target).closest('.key')) event.preventDefault();
  });
}

/** Walk the keypad with the arrow keys, over gaps. @param {HTMLElement} holder */
export function enableArrows(holder) {
  holder.addEventListener('keydown', (event) => {
    const key = /** @type {HTMLElement} */ (event.target).closest('.keys > .key');
    if (!key) return;
    const keys = /** @type {HTMLElement} */ (key.parentElement);
    const columns = getComputedStyle(keys).gridTemplateColumns.split(' ').length;
    /** @type {Record<string, number>} */
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns };
    const step = steps[event.key];
    if (!step) return;
    const cells = [...keys.children];
    for (let place = cells.indexOf(key) + step; cells[place]; place += step) {
      if (cells[place].matches('.key:not(.tapped)')) {
        event.preventDefault();
        return /** @type {HTMLElement} */ (cells[place].querySelector('summary') ?? cells[place]).focus();
      }
    }
  });
}

let finger = { clientX: 0, clientY: 0 };
let last = { key: '', seat: /** @type {unknown} */ (0), at: -TWICE_MS, finger };
addEventListener(
  'pointerdown',
  (event) => {
    finger = event;
  },
  true,
);

/**
 * Tell whether a tap only repeats the one before: the same key, or another seat's that came under the finger meanwhile.
 * @param {Record<string, any>[]} entries of the button
 */
export function bounced(entries) {
  const key = JSON.stringify(entries.map(({ seat, ...same }) => same));
  const seat = entries[0]?.seat;
  const now = performance.now();
  const near = Math.hypot(finger.clientX - last.finger.clientX, finger.clientY - last.finger.clientY) < NEAR_PX;
  const within = seat === last.seat ? TWICE_MS : near ? UNDER_FINGER_MS : 0;
  if (key === last.key && now - last.at < within) return true;
  last = { key, seat, at: now, finger };
  return false;
}
