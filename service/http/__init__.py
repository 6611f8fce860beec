"""The API: routes by resource; errors and refusals become RFC 9457 problems.

routes         all routes, under one router
inputs         strict parsing of bodies, parameters and headers
problem        errors as problem+json in the reader's language
games, club, feed, access   the routes
documentation  OpenAPI 3.1 at /schema
monitoring     health, access log, metrics, traces
middleware     for all requests and responses
"""
