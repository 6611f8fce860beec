"""The documents of the API for programs: OpenAPI and the schemas of entries."""
