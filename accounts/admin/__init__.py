"""The admin's view of people, teams, money and audit."""
