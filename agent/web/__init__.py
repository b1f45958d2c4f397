"""Ask and answer pages."""
