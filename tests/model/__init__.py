"""Append, sequencer and takeover as a state machine, explored whole."""
