"""WikiPathways: GPML drawings, gene sets (GMT), and the tables kept beside a drawing."""
