"""Places where a file lock protects nothing are known by their names and mounts."""

from __future__ import annotations

from pathlib import PurePosixPath, PureWindowsPath

import pytest

from rpa.cli.places import network_share, synced_by

MOUNTS = "\n".join(
    (
        "/dev/sda1 / ext4 rw 0 0",
        "nas:/vol /mnt/店铺 nfs4 rw 0 0",
        "//nas/shops /mnt/my\\040shops cifs rw 0 0",
        "/dev/sdb1 /mnt/店铺/local xfs rw 0 0",
        "broken",
    )
)


@pytest.mark.parametrize(
    ("path", "service"),
    [
        (PurePosixPath("/home/li/Dropbox/shops"), "Dropbox"),
        (PureWindowsPath(r"C:\Users\李\OneDrive - 公司\shops"), "OneDrive"),
        (PurePosixPath("/Users/li/Library/Mobile Documents/shops"), "iCloud"),
        (PureWindowsPath(r"D:\我的坚果云\店铺"), "坚果云 Nutstore"),
        (PureWindowsPath(r"D:\Nutstore Files\shops"), "坚果云 Nutstore"),
        (PurePosixPath("/home/li/boxes/shops"), None),
    ],
)
def test_synced_folders(path: PurePosixPath | PureWindowsPath, service: str | None) -> None:
    assert synced_by(path) == service


@pytest.mark.parametrize(
    ("path", "share"),
    [
        (PurePosixPath("/mnt/店铺/项目"), "/mnt/店铺 (nfs4)"),
        (PurePosixPath("/mnt/my shops/项目"), "/mnt/my shops (cifs)"),
        (PurePosixPath("/mnt/店铺/local/项目"), None),
        (PurePosixPath("/home/li"), None),
        (PureWindowsPath(r"\\nas\shops\项目"), "\\\\nas\\shops (Windows share)"),
        (PureWindowsPath(r"C:\shops"), None),
    ],
)
def test_network_shares(path: PurePosixPath | PureWindowsPath, share: str | None) -> None:
    assert network_share(path, MOUNTS) == share


def test_without_mounts_nothing_is_claimed() -> None:
    assert network_share(PurePosixPath("/mnt/店铺"), "") is None
