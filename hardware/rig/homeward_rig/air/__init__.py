"""A simulated piece of air: the hub's Bluetooth adapter, tags and glucose meters, each heard as strongly as told."""
