// An open page of an ended session or a revoked link says so. Hidden pages keep no connection, nor those that
// somebody only passes: what was just sent was sent to somebody who may see it.
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
