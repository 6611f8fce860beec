"""The commands of `carnet`, one module each: `run(arguments)` returns the exit status.

`service.cli` parses the command line and imports only the module of the given command, so that
`carnet check` starts without the server's libraries. Shared parts are in `support`.
"""
