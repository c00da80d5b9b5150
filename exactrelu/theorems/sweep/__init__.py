"""Sweeps: a statement on every member of a family, on all cores or a cluster, into a file that survives.

:mod:`.specification` what a sweep is about, :mod:`.batches` the work, :mod:`.backends`
where it is done, :mod:`.database` the file, :mod:`.running` the process in charge,
:mod:`.progress` and :mod:`.reports` what it says.
"""

from .backends import WorkersLost
from .progress import Progress
from .reports import SweepReport, sweep_report
from .running import sweep

__all__ = ["Progress", "SweepReport", "WorkersLost", "sweep", "sweep_report"]
