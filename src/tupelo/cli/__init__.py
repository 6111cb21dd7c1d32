"""The command line: one module per command, imported only when the command is called."""

from __future__ import annotations

import io
import signal
import sys
from typing import Any

import click

from tupelo.cli.groups import GROUPS, LazyGroup, declared_group
from tupelo.core import TupeloError
from tupelo.core.version import __version__


class Commands(LazyGroup):
    """All commands."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """`help` is `--help`; `help COMMAND` is the help of a command."""
        return super().parse_args(ctx, [*args[1:], "--help"] if args[:1] == ["help"] else args)

    def invoke(self, ctx: click.Context) -> Any:
        from tupelo.api.files import drop_output

        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # The reader of our output has gone (`| head`); nothing is wrong, and nobody is left to tell.
            drop_output()
            return 0
        except click.NoSuchOption as error:
            known = GROUPS["synonyms"].get(error.option_name)
            options = error.ctx.command.params if error.ctx else []
            if any(known in option.opts for option in options):
                message = f"{error.message} Did you mean {known!r}?"
                raise click.NoSuchOption(error.option_name, message, ctx=error.ctx) from None
            raise


tupelo = declared_group("tupelo", Commands, context_settings={"help_option_names": ["-h", "--help"]})
click.version_option(__version__, prog_name="tupelo")(tupelo)


# Requests to end that have arrived: numbers of signals.
_requests: list[int] = []


def _end(number: int, _: object) -> None:
    """Unwind like an error: nothing unfinished stays behind, and other processes are ended."""
    _requests.append(number)
    ending = KeyboardInterrupt() if number == signal.SIGINT else SystemExit(128 + number)
    if hasattr(signal, "setitimer") and number != signal.SIGINT:
        # A request that arrives inside a callback, where exceptions are lost, is made again.
        signal.signal(signal.SIGALRM, lambda *_: sys.exit(128 + number))
        signal.setitimer(signal.ITIMER_REAL, 5, 5)
    raise ending


def main() -> None:
    """Run a command. Exit status: 0 done, 1 what was asked does not hold, 2 bad usage or input, 130 interrupted."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        # A signal that is ignored, as by `nohup`, stays ignored.
        if number is not None and signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _end)
    sys.exit(_run())


def _run() -> int:
    """Run a command and return its exit status; what went wrong is one line on standard error."""
    from tupelo.api.files import drop_output

    if sys.stdout is None or sys.stdin is None:
        return _fail("standard input or output is closed, expected both open; /dev/null will do")
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A character that the terminal's encoding lacks must not end a run.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        status = tupelo(prog_name="tupelo", standalone_mode=False)
        # Here, where a failure can be told, and not after the last line of the program.
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        drop_output()
        if _requests:
            return 128 + signal.SIGINT
        # Somebody answered no to a question, or nobody answered.
        click.echo("tupelo: not done", err=True)
        return 1
    except TupeloError as error:
        drop_output()
        return _fail(str(error))
    except OSError as error:
        # Files are named where they are opened and written; what is left is printing.
        drop_output()
        if isinstance(error, BrokenPipeError):
            return 0
        return _fail(f"{error.filename or 'standard output'}: {error.strerror or error}, expected room to write")
    except Exception:
        # DuckDB makes an error of its own of any exception that a signal raises.
        if not _requests:
            raise
        return 128 + _requests[0]
    return status if isinstance(status, int) else 0


def _fail(message: str) -> int:
    # One line, whatever the message holds: it may quote the input.
    click.echo(f"tupelo: {' '.join(message.split())}", err=True)
    return 2
