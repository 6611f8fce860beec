// A finger that bounced is no second tap: the same key, or another seat's key that came under it meanwhile.

const TWICE_MS = 300;
const UNDER_FINGER_MS = 150;
const NEAR_PX = 24;

let finger = { x: 0, y: 0 };
let last = { key: '', seat: /** @type {unknown} */ (0), at: -TWICE_MS, ...finger };
addEventListener(
  'pointerdown',
  (event) => {
    finger = { x: event.clientX, y: event.clientY };
  },
  true,
);

/** Whether a tap only repeats the one before. @param {Record<string, any>[]} entries of the button */
export function bounced(entries) {
  const key = JSON.stringify(entries.map(({ seat, ...same }) => same));
  const seat = entries[0]?.seat;
  const now = performance.now();
  const near = Math.hypot(finger.x - last.x, finger.y - last.y) < NEAR_PX;
  const within = seat === last.seat ? TWICE_MS : near ? UNDER_FINGER_MS : 0;
  if (key === last.key && now - last.at < within) return true;
  last = { key, seat, at: now, ...finger };
  return false;
}
