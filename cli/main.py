"""The command `setveil`: its commands, and the exit code of whatever comes of them."""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated

import typer

