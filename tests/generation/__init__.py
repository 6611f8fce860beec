"""True games generated from the rule texts: `domain` must accept them, and refuse mistakes."""
