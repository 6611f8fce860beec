// Keeping the screen awake: by the browser where it trusts the connection, else by a silent video that plays on.

const [BACK_SECONDS, MP4] = [2, 'video/mp4; codecs="avc1.42E01E, mp4a.40.2"'];
let awake = false;

/** Keep the screen awake while the page is seen; by plain http from the next touch on. */
export async function stayAwake() {
  if (awake) return;
  awake = true;
  const keep = navigator.wakeLock ? ask : await silentVideo();
  const seen = () => document.visibilityState === 'visible' && keep();
  document.addEventListener('visibilitychange', seen);
  seen();
}

/** Offer it by a button. @param {HTMLButtonElement} button */
export function offer(button) {
  button.hidden = false;
  button.addEventListener('click', () => {
    button.setAttribute('aria-pressed', 'true');
    stayAwake();
  });
}

function ask() {
  navigator.wakeLock.request('screen').catch(() => undefined);
}

/** Make a video with a silent sound: a mute one, or one that a browser repeats, keeps no screen awake everywhere. */
async function silentVideo() {
  const video = document.createElement('video');
  const name = video.canPlayType(MP4) ? 'awake.mp4' : 'awake.webm';
  const answer = await fetch(new URL(name, import.meta.url)).catch(() => undefined);
  if (!answer?.ok) return () => undefined;
  video.src = URL.createObjectURL(await answer.blob());
  video.playsInline = true;
  video.setAttribute('aria-hidden', 'true');
  Object.assign(video.style, { position: 'fixed', bottom: 0, width: '1px', height: '1px', opacity: 0.01 });
  video.addEventListener('timeupdate', () => {
    if (video.currentTime > BACK_SECONDS) video.currentTime = 0;
  });
  document.body.append(video);
  const play = () => {
    if (video.paused) video.play().catch(() => undefined);
  };
  // Browsers let a page play once it was touched.
  for (const kind of ['pointerup', 'keyup']) addEventListener(kind, play);
  return play;
}
