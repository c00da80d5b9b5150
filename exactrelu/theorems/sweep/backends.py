"""Where batches are worked on: in this process, on the cores of this machine, or on a Dask cluster.

All backends take a task and a batch and give a future of its rows. Workers only
compute; the process that started them writes. They die with it.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import threading
import time
from collections.abc import Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from importlib import import_module
from typing import Any, Final, Protocol

from ...errors import ExactReluError, InvalidInput, check_integer
from .batches import Batch, Row, Task

NAMES: Final = ("joblib", "dask")
CONNECTION_SECONDS: Final = 20
WATCH_SECONDS: Final = 0.5
PASS_SECONDS: Final = 2
LOOK_SECONDS: Final = 10

Result = tuple[list[Row], float]
"""The rows of a batch, and the seconds that they took."""


class WorkersLost(ExactReluError):
    """A worker died, or the connection to the workers broke."""


class Backend(Protocol):
    """A place for work: how many batches to keep there, and how to hand them over."""

    workers: int

    def submit(self, task: Task, batch: Batch) -> Any:
        """Hand over a batch; the result is a future."""

    def finished(self, futures: Collection[Any]) -> Collection[Any]:
        """Those futures that are done; waits for the first one."""


class Serial:
    """The process itself."""

    workers = 1

    def submit(self, task: Task, batch: Batch) -> Future[Result]:
        """Work on a batch at once."""
        future: Future[Result] = Future()
        future.set_result(task.rows(batch))
        return future

    def finished(self, futures: Collection[Future[Result]]) -> Collection[Future[Result]]:
        """All of them."""
        return futures


class Cores:
    """Worker processes on this machine, from joblib's executor."""

    def __init__(self, executor: Any, workers: int) -> None:
        self.executor = executor
        self.workers = workers
        self._handed: list[Future[Result]] = []

    def submit(self, task: Task, batch: Batch) -> Future[Result]:
        """Hand over a batch to the next free worker."""
        future: Future[Result] = self.executor.submit(work, task, batch)
        self._handed = [*filter(_waits, self._handed), future]
        return future

    def close(self) -> None:
        """Drop all work, and the workers with it."""
        # Dropped between executor and workers, a batch would be missed by the executor's thread, with a traceback.
        latest = time.monotonic() + PASS_SECONDS
        try:
            while any(map(_waits, self._handed)) and time.monotonic() < latest:
                time.sleep(0.001)
        finally:
            self.executor.shutdown(wait=True, kill_workers=True)

    def finished(self, futures: Collection[Future[Result]]) -> Collection[Future[Result]]:
        """Those that are done."""
        return wait(futures, return_when=FIRST_COMPLETED).done


def _waits(future: Future[Result]) -> bool:
    """Whether the work has not been passed on to the workers."""
    return not (future.running() or future.done())


class Cluster:
    """The workers of a Dask cluster."""

    def __init__(self, dask: Any, client: Any, workers: int | None) -> None:
        self.dask, self.client = dask, client
        self.workers = workers or max(1, sum(client.nthreads().values()))

    def submit(self, task: Task, batch: Batch) -> Any:
        """Hand over a batch to the scheduler."""
        return self.client.submit(work, task, batch, pure=False)

    def finished(self, futures: Collection[Any]) -> Collection[Any]:
        """Those that are done."""
        with self.client.as_current():
            while True:
                try:
                    found = self.dask.wait(list(futures), timeout=LOOK_SECONDS, return_when="FIRST_COMPLETED")
                    done: Collection[Any] = found.done
                    return done
                except TimeoutError:  # Dask itself would wait for new workers for ever
                    if not self.client.nthreads():
                        raise WorkersLost("scheduler: must have workers until the work is done; got none") from None


@contextlib.contextmanager
def opened(name: str, workers: int | None, scheduler: str | None) -> Iterator[Backend]:
    """A backend by its name, for as long as it is needed; whatever is still being worked on then is dropped.

    Raises :class:`~exactrelu.errors.InvalidInput` for an unknown name and a
    scheduler that does not answer, and :class:`WorkersLost`.
    """
    if name not in NAMES:
        raise InvalidInput("backend", f"must be one of {', '.join(NAMES)}", name)
    if workers is not None:
        check_integer("workers", workers, 1)
    if (scheduler is None) == (name == "dask"):
        need, excess = "must be an address such as tcp://127.0.0.1:8786", "goes with the backend dask"
        raise InvalidInput("scheduler", need if name == "dask" else excess, scheduler)
    if scheduler is not None:
        dask = _distributed()
        with _quiet(), _cluster(dask, scheduler, workers) as cluster:
            yield cluster
    elif (count := workers or _cores()) == 1:
        yield Serial()
    else:
        with _processes(count) as cores:
            yield cores


@contextlib.contextmanager
def _processes(workers: int) -> Iterator[Cores]:
    from joblib.externals.loky import ProcessPoolExecutor
    from joblib.externals.loky.process_executor import BrokenProcessPool

    cores = Cores(ProcessPoolExecutor(workers, initializer=prepare_worker, initargs=(os.getpid(),)), workers)
    try:
        yield cores
    except BrokenProcessPool as error:
        cause = " ".join(str(error).split())
        raise WorkersLost(f"workers: must live until their work is done, but one has died: {cause}") from None
    finally:
        cores.close()


@contextlib.contextmanager
def _cluster(dask: Any, scheduler: str, workers: int | None) -> Iterator[Cluster]:
    try:
        client = dask.Client(scheduler, timeout=CONNECTION_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise InvalidInput("scheduler", f"must answer, but it does not: {type(error).__name__}", scheduler) from None
    try:
        try:
            client.wait_for_workers(1, timeout=CONNECTION_SECONDS)
        except TimeoutError:
            raise InvalidInput("scheduler", "must have workers, but it has none", scheduler) from None
        yield Cluster(dask, client, workers)
    except dask.scheduler.KilledWorker as error:
        raise WorkersLost(f"workers: must live until their work is done, but one has died: {error}") from None
    except (CancelledError, dask.comm.core.CommClosedError):
        raise WorkersLost("scheduler: must answer until the work is done, but the connection broke") from None
    finally:
        client.close()


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Without the pages that Dask writes to standard error where one sentence will do."""
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client", "distributed.comm", "asyncio")]
    levels = [logger.level for logger in loggers]
    try:
        for logger in loggers:
            logger.setLevel(logging.CRITICAL + 1)
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _distributed() -> Any:
    """Dask, which ships no types."""
    try:
        return import_module("distributed")
    except ImportError:
        raise InvalidInput("backend", 'dask needs an extra: pip install "exactrelu[distributed]"') from None


def _cores() -> int:
    from joblib import cpu_count

    return int(cpu_count())


def work(task: Task, batch: Batch) -> Result:
    """The rows of a batch and the seconds that they took, in a worker."""
    return task.rows(batch)


def prepare_worker(parent: int) -> None:
    """Make a worker end with the process that started it, and leave interrupts to that process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(WATCH_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
