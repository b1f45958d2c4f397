"""What every app may use and no app is known to."""
