"""The pages that only read: history, score sheet, replay, rules."""
