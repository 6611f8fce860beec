// Keep the screen awake: by the Wake Lock API in secure contexts, else by a silent looping video.

const [BACK_SECONDS, MP4] = [2, 'video/mp4; codecs="avc1.42E01E, mp4a.40.2"'];
let awake = false;

/** Keep the screen awake while the page is visible; by plain http, from the next touch. */
export async function stayAwake() {
  if (awake) return;
  awake = true;
  const keep = navigator.wakeLock ? ask : await silentVideo();
  const seen = () => document.visibilityState === 'visible' && keep();
  document.addEventListener('visibilitychange', seen);
  seen();
}

/** Let a button do it. @param {HTMLButtonElement} button */
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

/** Create a video with a silent sound track: some browsers let the screen sleep during muted or looping videos. */
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
  // Browsers allow playback only after a touch.
  for (const kind of ['pointerup', 'keyup']) addEventListener(kind, play);
  return play;
}
