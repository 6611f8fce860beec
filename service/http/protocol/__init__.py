"""HTTP itself: connections within limits, what is common to every answer."""
