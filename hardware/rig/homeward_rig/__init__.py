"""The virtual rig: Homeward in a virtual machine, and scripted peers in place of its devices."""
