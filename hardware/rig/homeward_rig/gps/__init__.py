"""What a GPS receiver is made of: somebody who walks, an imprecise sight of the sky, two languages."""
