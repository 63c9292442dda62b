"""A run: read a source, keep a session, make a release, write it whole or not at all."""
