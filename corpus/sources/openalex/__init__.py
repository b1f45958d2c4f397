"""OpenAlex: works of all fields, as JSON."""
