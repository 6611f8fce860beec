// A visible page leaves when its session ends or its link is revoked. It connects after a delay, so that pages
// that are only passed through open no stream.
import { follow } from './follow.js';

const PASSED_MS = 500;
const game = document.documentElement.dataset.game;

setTimeout(() => follow(`/api/signed-in${game ? `?game=${game}` : ''}`), PASSED_MS);
