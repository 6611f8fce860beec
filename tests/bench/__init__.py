"""What users feel, measured beside peers: `python3 deploy/dev.py bench`."""
