"""The API (contract §3): routes by resource, and one map from refusals and errors to RFC 9457.

routes         all of them, under one router
inputs         bodies, parameters and headers, read strictly
problem        what went wrong, as problem+json in the reader's language
documentation  OpenAPI 3.1 at /schema
access_log     one line and one measurement a request
rulesets, players, games, entries, live, sheet, links, health
"""
