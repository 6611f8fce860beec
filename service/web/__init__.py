"""The pages of the service. Everything works with plain forms; scripts only avoid reloads."""
