"""What commands have in common: clubs and processes they run over, what they print."""
