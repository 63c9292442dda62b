"""Run HiGHS with the same result on every machine, until Ctrl-C.

One thread, a fixed seed and a limit on nodes give the same result everywhere. A limit on seconds,
which the caller can set, does not.
"""

from __future__ import annotations

import highspy

GRACE = 5.0  # seconds for the solver to stop after Ctrl-C


def new_solver(nodes: int, seconds: float | None = None, looks: int | None = None) -> highspy.Highs:
    """Make a solver without a model. It searches a proven optimum, as far as the limits allow.

    `looks` bounds the work within a node: the number of its calls of the interrupt callback.
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
    """Run the solver in its own thread, so that Ctrl-C can cancel it."""
    solver.HandleKeyboardInterrupt = True
    thread = solver.startSolve()
    try:
        while not solver.wait(0.1)[0]:
            pass
    except KeyboardInterrupt:
        solver.cancelSolve()  # type: ignore[no-untyped-call]
        thread.join(GRACE)
        raise
