"""The commands of `carnet`, one module each: `run` takes what was typed, returns the exit status.

`service.cli` reads the command line and imports only the command that was asked for, so that
`carnet check` starts without the server's libraries. What several commands use is in `support`.
"""
