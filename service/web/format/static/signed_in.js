// An open page of an ended session or a revoked link says so. Hidden pages keep no connection.
import { stays } from './access_stream.js';

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
listen();
