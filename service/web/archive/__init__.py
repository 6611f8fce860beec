"""Read-only pages: history, evenings, score sheet, replay, rules, exports."""
