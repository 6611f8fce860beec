// Euchre needs nothing of its own but lots for the first dealer.
import './lots.js';
import './picks.js';
