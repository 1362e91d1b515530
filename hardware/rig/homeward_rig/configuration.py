"""Homeward's configuration: the file that every scenario begins with, and what a scenario adds to it.

In most scenarios the buttons, the lamp, the speaker, the modem and the camera are in the hands of the scenario's own
programs, to see what kernel and drivers make of them. In others they are Homeward's.
"""

from dataclasses import dataclass, field
from pathlib import Path

from . import paths

FILE = "/etc/homeward/homeward.yaml"
"""Where the hub has it."""

BUTTONS = """
buttons:
  - name: wired
    gpio: {chip: rig, line: SOS, activeLow: true, bias: pull-up}
  - name: big
    input: {device: /dev/input/by-id/usb-QEMU_QEMU_USB_Keyboard_BIG-BUTTON-event-kbd}
"""
LAMP = """
lamp:
  gpio: {chip: rig, line: LAMP}
"""
SILENCE = """
# The speaker is in the hands of the scenario's own programs, unless it says otherwise.
sound:
  enabled: false
"""
"""What the rig's own file says of the speaker; a section of a scenario takes its place."""
SOUND = """
sound:
  device: plughw:CARD=Audio
"""
SPEECH = """
    - name: speech
"""
MODEM = """
    - name: sms-modem
      grants: [observe:delivery, command:alarm.acknowledge]
      devicePaths: [/dev/homeward/modem]
      settings:
        port: /dev/homeward/modem
"""
PLACES = """
    - name: places
"""
CAMERA = """
    - name: camera
      devicePaths: [/dev/video0]
      settings:
        device: /dev/video0
"""
EMAIL = """
    - name: email
      grants: [network, observe:delivery]
      loopback: [{port}]
      settings: {{server: 127.0.0.1, port: {port}, security: none, from: hub@example.org}}
"""
PUSH = """
    - name: apprise
      grants: [network, observe:delivery]
      loopback: [{port}]
      settings:
        onlyTargets: true
        targets: [{{name: {name}, url: {{file: {file}}}}}]
"""
CONSOLE = """
    - name: console
      grants: [network, accounts, position.precise, content.personal, places, "read:*", "command:*", "service:*"]
      readPaths: [{folder}]
      settings:
        listen: "::"
        port: {port}
        names: [{name}]
        certificateFile: {folder}/certificate.pem
        keyFile: {folder}/key.pem
"""
BLUETOOTH = """
bluetooth:
  source: {source}
"""
"""What Homeward hears Bluetooth with: `bluez`, or `hci` past it. No room: the hub moves with the resident."""

_BROKER_GRANTS = "grants: [network, position.precise, content.personal"
_PLUGINS = "  enabled:\n"
"""The list of plugins in a file; "enabled" has a value where it switches something."""


def email(port: int) -> str:
    """The plugin for mails, with a mail server on this machine."""
    return EMAIL.format(port=port)


def pushes(name: str, file: Path, port: int) -> str:
    """The plugin for pushes, with a name for somebody, the file that the address of the service is in, and its port."""
    return PUSH.format(name=name, file=file, port=port)


def pages(name: str, port: int, folder: str) -> str:
    """The plugin with the pages, under a name, with the certificate and its key that are in a folder."""
    return CONSOLE.format(name=name, port=port, folder=folder)


def with_plugin(text: str, entry: str) -> str:
    """A file with one more entry in its list of plugins."""
    if text.count(_PLUGINS) != 1:
        raise ValueError("the configuration does not have one list of plugins")
    return text.replace(_PLUGINS, f"{_PLUGINS}{entry}\n")


@dataclass
class Configuration:
    """The rig's own file, guest/homeward.yaml, with more sections and more plugins."""

    sections: list[str] = field(default_factory=list)
    plugins: list[str] = field(default_factory=list)
    """Entries of the list of plugins."""
    bluetooth_buttons: dict[str, str] = field(default_factory=dict)
    """Buttons that speak Bluetooth: addresses by the names that Homeward has for them."""
    commands: dict[str, list[str]] = field(default_factory=dict)
    """What people may ask for through the broker: actions by person."""

    @property
    def is_changed(self) -> bool:
        """Whether anything was added."""
        return bool(self.sections or self.plugins or self.commands or self.bluetooth_buttons)

    @property
    def text(self) -> str:
        """The whole file."""
        # The list of plugins is the last thing in it.
        own = (paths.RIG / "guest" / "homeward.yaml").read_text().rstrip("\n")
        if any(section.lstrip().startswith("sound:") for section in self.sections):
            own = own.replace(SILENCE, "")
        if self.commands:
            own = self._with_commands(own)
        parts = [part.strip("\n") for part in (*self.plugins, *self.sections)]
        if self.bluetooth_buttons:
            parts = self._with_bluetooth_buttons(parts)
        return "\n".join([own, *parts, ""])

    def _with_bluetooth_buttons(self, parts: list[str]) -> list[str]:
        """The sections with these buttons, in the list of buttons that there is or in one of their own."""
        entries = [
            f'  - name: {name}\n    bluetooth: {{address: "{address}"}}'
            for name, address in self.bluetooth_buttons.items()
        ]
        own = [part for part in parts if part.startswith("buttons:")] or ["buttons:"]
        return [part for part in parts if part not in own] + ["\n".join([*own, *entries])]

    def _with_commands(self, own: str) -> str:
        """The plugin of the broker, the last thing in the file, with what people may ask for."""
        granted = sorted({action for actions in self.commands.values() for action in actions})
        grants = "".join(f', "command:{action}"' for action in granted)
        if own.count(_BROKER_GRANTS) != 1:
            raise ValueError("the rig's own file does not grant the broker what it is known to")
        lines = [own.replace(_BROKER_GRANTS, f"{_BROKER_GRANTS}{grants}"), "        commands:"]
        for person, actions in self.commands.items():
            lines += [f"          - principal: {person}", f"            actions: [{', '.join(actions)}]"]
        return "\n".join(lines)
