"""The bench: scenarios on real hardware, as far as a file says that it is there.

Whatever the tester's computer drives (a relay, a line of its GPIO header, a command) is at rest in daily life: the
button is not pressed, cables are plugged in, the hub has power. A test drives it, and when the test or the computer
ends, all is as before.
"""
