"""A real Spark cluster on loopback: one master and some workers, each a process of its own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

# For small data: compiling takes Spark far longer than the work itself.
_SMALL = """\
spark.sql.codegen.wholeStage false
spark.driver.extraJavaOptions -XX:TieredStopAtLevel=1
spark.executor.extraJavaOptions -XX:TieredStopAtLevel=1
"""


def small_data_settings(folder: Path) -> None:
    """Spark reads its own configuration; this makes one, for this process and those that it starts."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "spark-defaults.conf").write_text(_SMALL, "utf-8")
    os.environ["SPARK_CONF_DIR"] = str(folder)


@dataclass
class Cluster:
    """`address` is what `--engine` takes."""

    address: str
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def kill_worker(self) -> None:
        """End one worker and everything that it started, without warning."""
        os.killpg(self.workers.pop().pid, signal.SIGKILL)


@contextmanager
def cluster(folder: Path, workers: int = 2, memory: str = "1500M") -> Iterator[Cluster]:
    """Started for the block; logs go to the folder."""
    import pyspark

    folder.mkdir(parents=True, exist_ok=True)
    home = Path(pyspark.__file__).parent
    program = str(home / "bin" / "spark-class")
    environment = {
        **os.environ,
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_WORKER_DIR": str(folder / "work"),
        "SPARK_DAEMON_MEMORY": "512m",
        "SPARK_DAEMON_JAVA_OPTS": "-XX:TieredStopAtLevel=1",
    }
    port, page = _free_port(), _free_port()
    started: list[subprocess.Popen[bytes]] = []

    def start(name: str, *arguments: str) -> subprocess.Popen[bytes]:
        with (folder / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(
                [program, *arguments], env=environment, stdout=log, stderr=log, start_new_session=True
            )
        started.append(process)
        return process

    try:
        start(
            "master",
            "org.apache.spark.deploy.master.Master",
            "--host",
            "127.0.0.1",
            "--port",
            str(port),
            "--webui-port",
            str(page),
        )
        _wait_for(port)
        made = Cluster(f"spark://127.0.0.1:{port}")
        for number in range(workers):
            worker = start(
                f"worker{number}",
                "org.apache.spark.deploy.worker.Worker",
                "--cores",
                "1",
                "--memory",
                memory,
                "--host",
                "127.0.0.1",
                "--webui-port",
                str(_free_port()),
                made.address,
            )
            made.workers.append(worker)
        _wait_for_workers(folder / "master.log", workers)
        yield made
    finally:
        for process in started:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _wait_for(port: int, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with socket.socket() as attempt:
            if attempt.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.5)
    raise TimeoutError(f"nothing listens on port {port}")


def _wait_for_workers(log: Path, workers: int, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if log.read_text("utf-8", "replace").count("Registering worker") >= workers:
            return
        time.sleep(0.5)
    raise TimeoutError(f"{log}: {workers} workers did not come")
