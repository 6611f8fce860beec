"""Pages for access: login, invitations, links, devices, tokens, webhooks, preferences."""
