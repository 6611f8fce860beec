"""Everything that was recorded, in one order: read, signed, sent on."""
