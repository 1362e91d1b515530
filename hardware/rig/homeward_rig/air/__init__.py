"""A simulated piece of air: the hub's Bluetooth adapter, tags and glucose meters in it, each heard as strongly as told."""
