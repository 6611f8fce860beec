// Euchre needs nothing of its own but lots for the first dealer.
import './picker_loader.js';
