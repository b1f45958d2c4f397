"""People, teams, tokens, money, audit."""
