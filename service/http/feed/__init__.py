"""All entries of a club in one order: paged, streamed, signed, sent to webhooks."""
