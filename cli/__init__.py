"""The command line of setveil: parse, call one public function, print."""

if __name__ != "setveil.cli":
    raise ImportError(f"this folder is the package 'setveil.cli', not {__name__!r}")
