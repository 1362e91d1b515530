"""A peer whose answers the test gives: for a far side that nobody would build."""

from types import SimpleNamespace
from typing import Any


class ScriptedPeer:
    """Answers each action with what `answers` holds for it; callables are called."""

    def __init__(self, answers: dict[str, Any]) -> None:
        self.answers = answers

    def do(self, action: str, timeout: float = 30, since: int = 0, **parameters: Any) -> Any:
        answer = self.answers.get(action)
        answer = answer() if callable(answer) else answer
        return answer[since:] if isinstance(answer, list) else answer


def with_peers(context: SimpleNamespace, **peers: dict[str, Any]) -> SimpleNamespace:
    """Adds peers to a step's context, by name with "_" for "-"."""
    scripted = {name.replace("_", "-"): ScriptedPeer(answers) for name, answers in peers.items()}
    context.stage.peer = lambda name, *arguments: scripted[name]
    context.stage.has_peer = lambda name: name in scripted
    context.stage.wait = lambda seconds: None
    return context
