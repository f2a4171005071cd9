"""The file system as the journal uses it: one place that writes, syncs and replaces.

Every call that can fail on a full or dying disk goes through `Files`, so that a test can make the
n-th one fail (`rpa.journal.testing.FaultyFiles`) without touching the journal's own code.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from pathlib import Path
from typing import Final

__all__ = ["Files"]

_SCANNER_ERRORS: Final = frozenset({5, 32, 33})  # access denied, sharing violation, lock violation
_REPLACE_PAUSES: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8)  # seconds; 1.6 s in all
_BINARY: Final = getattr(os, "O_BINARY", 0)  # Windows would translate line ends otherwise


class Files:
    """The real file system."""

    def open(self, path: Path, flags: int) -> int:
        """Open a file for bytes; not inherited by child processes."""
        return os.open(path, flags | _BINARY, 0o666)

    def write(self, fd: int, data: bytes) -> int:
        """Write once, and say how many bytes were taken."""
        return os.write(fd, data)

    def truncate(self, fd: int, size: int) -> None:
        """Cut a file to a size."""
        os.ftruncate(fd, size)

    def fsync(self, fd: int) -> None:
        """Return when the file's bytes would survive a power cut."""
        if sys.platform == "darwin":  # there, fsync leaves them in the drive's own cache
            import fcntl

            fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
        else:
            os.fsync(fd)

    def fsync_dir(self, directory: Path) -> None:
        """Return when names made in a directory would survive; Windows does that by itself."""
        if sys.platform == "win32":
            return
        fd = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)

    def rename(self, source: Path, target: Path) -> None:
        """Put a file in another's place, in one step."""
        os.replace(source, target)

    def replace(self, source: Path, target: Path) -> None:
        """Put a file in another's place, and wait a little for a scanner that holds it (Windows).

        Raises:
            OSError: It could not be done, or not within two seconds.
        """
        for pause in _REPLACE_PAUSES:
            try:
                return self.rename(source, target)
            except OSError as error:
                if getattr(error, "winerror", None) not in _SCANNER_ERRORS:
                    raise
                time.sleep(pause)
        return self.rename(source, target)

    def link(self, source: Path, target: Path) -> None:
        """Give a file a second name."""
        os.link(source, target)

    def keep(self, source: Path, target: Path) -> None:
        """Give a file a second name, or a second copy where the file system knows no links.

        Raises:
            OSError: There is neither; `target` is not there then, or is an older one.
        """
        target.unlink(missing_ok=True)
        try:
            self.link(source, target)
        except OSError:  # FAT, some network shares
            partial = target.with_name(f"{target.name}.part")
            shutil.copyfile(source, partial)
            self._fsync_file(partial)
            self.replace(partial, target)

    def _fsync_file(self, path: Path) -> None:
        fd = self.open(path, os.O_RDWR)
        try:
            self.fsync(fd)
        finally:
            os.close(fd)

    def free(self, directory: Path) -> int:
        """Say how many bytes this user may still write there."""
        return shutil.disk_usage(directory).free

    def write_new(self, path: Path, data: bytes) -> None:
        """Write a whole small file and sync it; an older one of that name is lost.

        Raises:
            OSError: It is not on disk; a part of it may be.
        """
        fd = self.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        try:
            self.write_all(fd, data)
            self.fsync(fd)
        finally:
            os.close(fd)

    def write_all(self, fd: int, data: bytes) -> None:
        """Write bytes, and take a short write for the error it announces.

        Raises:
            OSError: Not all of it was written.
        """
        written = self.write(fd, data)
        if written != len(data):
            raise OSError(f"only {written} of {len(data)} bytes were written; is the disk full?")
