"""How pages are made: templates, words, numbers, charts."""
