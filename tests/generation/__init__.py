"""True games, made from the rule texts alone: what `domain` must never refuse, and what it must."""
