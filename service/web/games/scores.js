// Rounds of any other game are typed on the keypad for numbers.
import './numbers.js';
