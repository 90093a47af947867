"""Copy one commit of a Hugging Face repository below a prefix of S3: file by file, resumably, with checksums.

A file that S3 holds already, with the checksum the repository states, is skipped, so a Job that was stopped goes on
where it was. A download that broke off is continued by the client. Nothing but the files in flight is on disk.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import os
import subprocess
import sys
import threading
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

GIB = 2**30
CHECKSUM = "source-checksum"
"""Metadata key under which an object tells what it was copied from."""


def parse(arguments: list[str]) -> argparse.Namespace:
    """Options of one run."""
    parser = argparse.ArgumentParser(description="Copy weights from Hugging Face to S3.")
    parser.add_argument("--repository", required=True)
    parser.add_argument("--commit", required=True)
    parser.add_argument("--bucket", required=True)
    parser.add_argument("--prefix", required=True)
    parser.add_argument("--include", action="append", required=True)
    parser.add_argument("--disk", type=Path, default=Path("/disk"))
    parser.add_argument("--disk-gib", type=int, required=True)
    parser.add_argument("--parallel", type=int, default=4)
    parser.add_argument("--package", action="append", default=[], help="installed where the image lacks it")
    return parser.parse_args(arguments)


def provide(packages: list[str], folder: Path) -> None:
    """Makes the pinned libraries importable; an image that brings them needs no network for it."""
    missing = [each for each in packages if importlib.util.find_spec(each.partition("==")[0]) is None]
    if not missing:
        return
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-cache-dir", "--target", str(folder)]
    subprocess.run([*command, *missing], check=True)
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()


class Staging:
    """One repository at one commit on its way to one prefix."""

    def __init__(self, options: argparse.Namespace, *, hub: Any, s3: Any) -> None:
        self.options, self.hub, self.s3 = options, hub, s3
        self.lock = threading.Lock()

    def files(self) -> list[Any]:
        """Files of the commit that match, largest first. Raises SystemExit when there is none, or one is too large."""
        options = self.options
        info = self.hub.HfApi().model_info(options.repository, revision=options.commit, files_metadata=True)
        if info.sha != options.commit:
            sys.exit(
                f"{options.repository} answers with commit {info.sha}, and {options.commit} was asked for"
            )
        found = [f for f in info.siblings if any(fnmatch(f.rfilename, p) for p in options.include)]
        if not found:
            sys.exit(f"{options.repository} has no file that matches {', '.join(options.include)}")
        found.sort(key=lambda file: (-file.size, file.rfilename))
        if found[0].size > options.disk_gib * GIB:
            need = -(-found[0].size // GIB)
            sys.exit(
                f"{found[0].rfilename} needs {need} GiB of disk; raise staging.disk_gib ({options.disk_gib})"
            )
        return found

    def run(self) -> int:
        """Copies what is missing; the number of files copied."""
        files = self.files()
        missing = [file for file in files if not self.is_there(file)]
        total = sum(file.size for file in missing)
        self.say(f"{len(files)} files, {len(missing)} to copy, {total / GIB:.1f} GiB")
        room = self.options.disk_gib * GIB
        active: dict[Future[None], int] = {}
        with ThreadPoolExecutor(self.options.parallel) as pool:
            for file in missing:
                while active and (file.size > room or len(active) >= self.options.parallel):
                    done, _ = wait(active, return_when=FIRST_COMPLETED)
                    for each in done:
                        room += active.pop(each)
                        each.result()
                room -= file.size
                active[pool.submit(self.copy, file)] = file.size
            for each in active:
                each.result()
        return len(missing)

    def is_there(self, file: Any) -> bool:
        """Whether S3 holds the file, of this size and copied from this content."""
        from botocore.exceptions import ClientError

        try:
            head = self.s3.head_object(Bucket=self.options.bucket, Key=self.key(file))
        except ClientError as error:
            if error.response["Error"]["Code"] in {"404", "NoSuchKey", "NotFound"}:
                return False
            raise
        return bool(head["ContentLength"] == file.size and head["Metadata"].get(CHECKSUM) == expected(file))

    def copy(self, file: Any) -> None:
        """Downloads, verifies, uploads with a checksum that S3 verifies in turn, and frees the disk."""
        options = self.options
        folder = options.disk / "files"
        path = Path(
            self.hub.hf_hub_download(
                options.repository, file.rfilename, revision=options.commit, local_dir=folder
            )
        )
        found = content_checksum(path, like=expected(file))
        if found != expected(file):
            path.unlink()
            raise RuntimeError(
                f"{file.rfilename}: downloaded {found}, the repository states {expected(file)}"
            )
        self.s3.upload_file(
            str(path),
            options.bucket,
            self.key(file),
            ExtraArgs={"ChecksumAlgorithm": "SHA256", "Metadata": {CHECKSUM: found}},
        )
        path.unlink()
        self.say(f"copied {file.rfilename} ({file.size / GIB:.2f} GiB)")

    def key(self, file: Any) -> str:
        return f"{self.options.prefix.strip('/')}/{file.rfilename}"

    def say(self, line: str) -> None:
        with self.lock:
            print(line, flush=True)


def expected(file: Any) -> str:
    """What the repository states: SHA-256 of large files, git's blob id of small ones."""
    return f"sha256:{file.lfs.sha256}" if file.lfs else f"git:{file.blob_id}"


def content_checksum(path: Path, *, like: str) -> str:
    """Checksum of a file in the notation of ``like``."""
    kind = like.partition(":")[0]
    if kind == "git":
        digest = hashlib.sha1(f"blob {path.stat().st_size}\0".encode(), usedforsecurity=False)
    else:
        digest = hashlib.sha256()
    with path.open("rb") as content:
        while block := content.read(2**22):
            digest.update(block)
    return f"{kind}:{digest.hexdigest()}"


def main(arguments: list[str]) -> int:
    """Exit status 0 when every file is in place."""
    options = parse(arguments)
    options.disk.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("HF_HOME", str(options.disk / "hf"))
    provide(options.package, options.disk / "lib")
    import boto3
    import huggingface_hub

    staging = Staging(options, hub=huggingface_hub, s3=boto3.client("s3"))
    copied = staging.run()
    staging.say(f"in place: s3://{options.bucket}/{options.prefix} ({copied} files copied now)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
