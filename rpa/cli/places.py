"""Places where a file lock does not mean what we need it to mean."""

from __future__ import annotations

import re
from pathlib import Path, PurePath
from typing import Final

__all__ = ["network_share", "read_mounts", "synced_by"]

_SYNCED: Final = {
    "dropbox": "Dropbox",
    "onedrive": "OneDrive",
    "icloud": "iCloud",
    "mobile documents": "iCloud",
    "com~apple~clouddocs": "iCloud",
    "google drive": "Google Drive",
    "googledrive": "Google Drive",
    "nutstore": "坚果云 Nutstore",
    "坚果云": "坚果云 Nutstore",
    "我的坚果云": "坚果云 Nutstore",
    "baidusyncdisk": "百度网盘",
    "百度网盘": "百度网盘",
}
_NETWORK: Final = re.compile(r"nfs|cifs|smb|9p|sshfs|afs|vboxsf|glusterfs|ceph|lustre")
_OCTAL: Final = re.compile(r"\\([0-7]{3})")


def synced_by(path: PurePath) -> str | None:
    """Name the service whose folder a path lies in, by the names of its parts."""
    for part in path.parts:
        for mark, service in _SYNCED.items():
            if part.lower().startswith(mark):
                return service
    return None


def network_share(path: PurePath, mounts: str) -> str | None:
    """Say on which network share a path lies, if it is one.

    Args:
        path: An absolute path.
        mounts: Text of ``/proc/mounts``; empty where there is none.
    """
    if path.drive.startswith("\\\\"):
        return f"{path.drive} (Windows share)"
    found: tuple[int, str, str] = (0, "", "")
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        place = PurePath(_OCTAL.sub(lambda match: chr(int(match[1], 8)), fields[1]))
        if path.is_relative_to(place) and len(place.parts) >= found[0]:
            found = (len(place.parts), str(place), fields[2])
    _, place_name, kind = found
    return f"{place_name} ({kind})" if _NETWORK.search(kind) else None


def read_mounts() -> str:
    """What is mounted where, as Linux says; empty elsewhere."""
    try:
        return Path("/proc/mounts").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
