"""Programs without root's right to write everywhere, even if root runs the tests."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import Final

import pytest

EVERYWHERE: Final = "-dac_override,-dac_read_search,-fowner"
"""Capabilities (dropped) by which root ignores the permissions of files."""


def within_permissions() -> list[str]:
    """Prefix of a command that runs with only the rights that permissions give its user.

    Root stays root, and so still reads a clone and a Python in a home that nobody else may enter.
    Skips the test if root cannot give up its rights.
    """
    if os.geteuid() != 0:
        return []
    command = ["setpriv", f"--bounding-set={EVERYWHERE}", "--"]
    if shutil.which("setpriv") is None or subprocess.run([*command, "true"]).returncode:
        pytest.skip("root cannot give up its right to write everywhere here")
    return command
