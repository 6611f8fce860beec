// A visible page leaves when its session ends or its link is revoked. It connects after a delay, so that pages
// that are only passed through open no stream.
import { stays } from './access_stream.js';

const PASSED_MS = 500;
const game = document.documentElement.dataset.game;
/** @type {EventSource | undefined} */
let source;

function listen() {
  source?.close();
  source = undefined;
  if (document.visibilityState !== 'visible') return;
  const opened = new EventSource(`/api/signed-in${game ? `?game=${game}` : ''}`);
  stays(opened, () => source === opened && listen());
  source = opened;
}

document.addEventListener('visibilitychange', listen);
setTimeout(() => source ?? listen(), PASSED_MS);
