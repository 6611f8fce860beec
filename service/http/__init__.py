"""The API: routes by resource, and one map from refusals and errors to RFC 9457.

routes         all of them, under one router
inputs         bodies, parameters and headers, read strictly
problem        what went wrong, as problem+json in the reader's language
games, club, feed, access   the routes
documentation  OpenAPI 3.1 at /schema
monitoring     health, one line and one measurement a request, traces
middleware     what is common to all requests and answers
"""
