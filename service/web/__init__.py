"""The pages: what a person at the table sees and taps.

Everything works by forms; the script only makes it instant.
"""
