"""Text recognition (OCR): engines behind one interface, and pages read by them."""
