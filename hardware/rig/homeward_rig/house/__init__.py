"""The hub of a story on this computer: the daemon with its plugins, gpsd, broker and modem, and a clock that leaps."""
