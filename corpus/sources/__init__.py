"""One folder a source: client (network), parser (bytes to records), normalizer (records to
documents).
"""
