"""OpenAPI and the JSON Schemas of entries."""
