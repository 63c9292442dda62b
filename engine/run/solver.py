"""HiGHS, the same on every machine, and such that Ctrl-C stops it.

One thread, a fixed seed, and a limit on nodes: the same answer everywhere. A limit on seconds is
there for those who ask for one.
"""

from __future__ import annotations

import highspy

GRACE = 5.0  # seconds for the solver to stop when it is asked to


def new_solver(nodes: int, seconds: float | None = None, looks: int | None = None) -> highspy.Highs:
    """A solver without a model. It goes on to the proven optimum, as far as the limits allow.

    `looks` bounds the work within a node: how often it asks whether it should go on.
    """
    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    options: dict[str, bool | int | float] = {
        "output_flag": False,
        "threads": 1,
        "random_seed": 0,
        "mip_max_nodes": nodes,
        "mip_rel_gap": 0.0,
        "mip_abs_gap": 0.0,
    }
    if seconds is not None:
        options["time_limit"] = float(seconds)
    for option, value in options.items():
        solver.setOptionValue(option, value)
    if looks is not None:
        left = iter(range(looks))

        def stop(event: highspy.HighsCallbackEvent) -> None:
            if next(left, None) is None:
                event.interrupt()

        solver.cbMipInterrupt += stop
    return solver


def run(solver: highspy.Highs) -> None:
    """Run the solver so that it can be interrupted: in its own thread, asked to stop."""
    solver.HandleKeyboardInterrupt = True
    thread = solver.startSolve()
    try:
        while not solver.wait(0.1)[0]:
            pass
    except KeyboardInterrupt:
        solver.cancelSolve()  # type: ignore[no-untyped-call]
        thread.join(GRACE)
        raise
