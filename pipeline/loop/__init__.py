"""The bounded loop: retrieve, generate, critique, at most four times, and a stop reason for every end."""

from pipeline.loop.bounded import LoopOutcome, run_loop, walk_loop
from pipeline.loop.ports import ActionRequest, ActionResult, LoopPorts, ModelUse

__all__ = ["ActionRequest", "ActionResult", "LoopOutcome", "LoopPorts", "ModelUse", "run_loop", "walk_loop"]
