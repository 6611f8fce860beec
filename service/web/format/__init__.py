"""Page rendering: templates, translations, numbers and charts."""
