"""Homeward's translations as they are installed, for the tests of plugins in Python, and the texts of such a plugin."""

import ast
import pathlib
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]


class Installed:
    """A folder as `.ci/install` makes it: the compiled catalogue below `share/locale`, and plugins put beside it."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="homeward-installed-")
        self.locale = pathlib.Path(self.folder.name) / "share" / "locale"
        self.catalogue = self.locale / "zh_CN" / "LC_MESSAGES" / "homeward.mo"
        self.catalogue.parent.mkdir(parents=True)
        source = ROOT / "Sources" / "Base" / "Texts" / "Catalogues" / "zh_CN.po"
        subprocess.run(["msgfmt", "--check", "-o", self.catalogue, source], check=True)

    def plugin(self, program):
        """The program of a copy of its plugin."""
        name = program.parent.name
        target = pathlib.Path(self.folder.name) / "lib" / "homeward" / "plugins" / name
        shutil.copytree(program.parent, target, ignore=shutil.ignore_patterns("Tests", "__pycache__"))
        return str(target / program.name)

    def chinese(self):
        """The environment in which a plugin of the checkout speaks Chinese."""
        return {"HOMEWARD_LANGUAGE": "zh", "TEXTDOMAINDIR": str(self.locale)}


def texts(folder):
    """The texts that a plugin looks up, as they stand in its programs."""
    for path in sorted(folder.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and "gettext" in (getattr(node.func, name, "") for name in ("id", "attr")):
                yield node.args[0].value


def kit_copies():
    """Files of plugins that bear the name of one of the kit's and are no link to it: there must be none."""
    kit = ROOT / "Sources" / "Kits" / "PluginKitPython"
    for file in kit.glob("*.py"):
        for path in (ROOT / "plugins").glob(f"*/{file.name}"):
            if not path.is_symlink() or path.resolve() != file:
                yield path
