// Euchre needs nothing of its own but lots for the first dealer.
import './seat_draw.js';
import './picker_loader.js';
