// Touch and keyboard on the keypad: long press on a dimmed card, arrow keys, no key changes under a finger, and a
// bounced tap counts once.

const HOLD_MS = 500;
const CLICK_MS = 100;
const PRESS_MS_MAX = 2000;
const TWICE_MS = 300;
const UNDER_FINGER_MS = 150;
const NEAR_PX = 24;

/**
 * Wait until no finger is down: replacing a key under a finger would lose the tap or hit another key.
 * @param {HTMLElement} holder
 * @returns {() => Promise<unknown>} a promise to await before changing keys
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
  // A click may follow after the finger is lifted.
  for (const kind of ['pointerup', 'pointercancel']) addEventListener(kind, () => setTimeout(lift, CLICK_MS));
  holder.addEventListener('click', () => setTimeout(lift));
  return () => lifted;
}

/**
 * A long press records a card although it breaks a rule.
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
  // Lifting the finger after a long press is no tap.
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
 * Return whether a tap is a bounce: the same key again, or another seat's key that appeared under the finger.
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
