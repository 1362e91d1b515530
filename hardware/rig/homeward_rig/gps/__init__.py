"""What a GPS receiver is made of: somebody who walks, an imprecise sight of the sky, and two languages to tell it in."""
