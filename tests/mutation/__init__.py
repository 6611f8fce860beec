"""Small faults put into the rules on purpose: a test must fail for each."""
