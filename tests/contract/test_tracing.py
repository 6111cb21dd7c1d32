"""What is read from strace's output; the lines are as strace 6.1 writes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tracing import Call, Trace, read_calls


def traced(*lines: str) -> Trace:
    return Trace(tuple(read_calls(lines)), Path("/home/ann/work"))


def test_a_call_has_a_name_arguments_and_a_result():
    line = '17 openat(AT_FDCWD</home/ann/work>, "a.txt", O_RDONLY|O_CLOEXEC) = 3</home/ann/work/a.txt>\n'
    (call,) = read_calls([line])
    assert call == Call("openat", 'AT_FDCWD</home/ann/work>, "a.txt", O_RDONLY|O_CLOEXEC', "3</home/ann/work/a.txt>")
    assert list(call.paths) == ["/home/ann/work/a.txt"]


def test_a_call_in_two_parts_is_joined_with_its_own_process():
    found = traced(
        '17 unlinkat(AT_FDCWD</home/ann/work>, "a", 0 <unfinished ...>',
        '18  mkdirat(AT_FDCWD</home/ann/work>, "b", 0777 <unfinished ...>',
        "17 <... unlinkat resumed>)           = 0",
        "18 <... mkdirat resumed>)            = -1 EACCES (Permission denied)",
    )
    assert [(call.name, call.result) for call in found.calls] == [
        ("unlinkat", "0"),
        ("mkdirat", "-1 EACCES (Permission denied)"),
    ]
    assert found.changed() == {"/home/ann/work/a", "/home/ann/work/b"}


def test_a_call_that_never_came_back_counts():
    found = traced("17 connect(7, {sa_family=AF_INET, sin_port=htons(443)}, 16 <unfinished ...>", "17 +++ killed +++")
    assert [call.name for call in found.calls] == ["connect"]
    assert len(found.conversations()) == 1


def test_lines_that_are_no_calls_are_passed_over():
    assert traced("17 +++ exited with 0 +++", "17 --- SIGCHLD {si_signo=SIGCHLD} ---").calls == ()


def test_a_file_that_is_no_trace_is_refused():
    with pytest.raises(AssertionError, match="not a line of strace"):
        traced("Traceback (most recent call last):")


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ('openat(AT_FDCWD</home/ann/work>, "/etc/hosts", O_RDONLY) = 3', set()),
        ('openat(AT_FDCWD</home/ann/work>, "O_RDWR.txt", O_RDONLY) = 3', set()),
        ('openat(AT_FDCWD</home/ann/work>, "../x", O_WRONLY|O_CREAT, 0666) = 3', {"/home/ann/x"}),
        ('openat(6</home/ann/.cache/id>, "tmp", O_WRONLY|O_CREAT|O_EXCL, 0600) = 7', {"/home/ann/.cache/id/tmp"}),
        ('open("/tmp/a b", O_RDWR) = 3', {"/tmp/a b"}),
        ('creat("new", 0644) = 3', {"/home/ann/work/new"}),
        ('mkdir("folder", 0777) = 0', {"/home/ann/work/folder"}),
        ('mkdir("folder", 0777) = -1 EEXIST (File exists)', set()),
        ('linkat(6</a>, "b", 6</a>, "c", 0) = 0', {"/a/b", "/a/c"}),
        ('rename("/a", "/b") = 0', {"/a", "/b"}),
        (r'unlink("/tmp/\303\244 \"q\"") = 0', {'/tmp/ä "q"'}),
        ('newfstatat(AT_FDCWD</home/ann/work>, "a", {st_mode=S_IFREG|0644, ...}, 0) = 0', set()),
    ],
)
def test_what_changes_a_file(line, changed):
    assert traced(f"17 {line}").changed() == changed


@pytest.mark.parametrize(
    ("line", "talks"),
    [
        ("socket(AF_INET6, SOCK_DGRAM, IPPROTO_IP) = 7", True),
        ("socket(AF_NETLINK, SOCK_RAW|SOCK_CLOEXEC, NETLINK_ROUTE) = 7", True),
        ("socket(AF_UNIX, SOCK_STREAM|SOCK_CLOEXEC, 0) = 7", False),
        ("socketpair(AF_UNIX, SOCK_STREAM, 0, [3<socket:[1]>, 4<socket:[2]>]) = 0", False),
        ('connect(7, {sa_family=AF_UNIX, sun_path="/var/run/nscd/socket"}, 110) = -1 ENOENT (No such file)', True),
        ('connect(7, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("10.0.0.1")}, 16) = 0', True),
        ('openat(AT_FDCWD</home/ann/work>, "/etc/resolv.conf", O_RDONLY|O_CLOEXEC) = 7', True),
        ('openat(AT_FDCWD</home/ann/work>, "/etc/passwd", O_RDONLY|O_CLOEXEC) = 7', False),
        ("io_uring_setup(8, {flags=0}) = 5", True),
    ],
)
def test_what_reaches_for_somebody(line, talks):
    assert bool(traced(f"17 {line}").conversations()) is talks


def test_only_whole_names_of_folders_allow_a_path():
    found = traced('17 rename("/out/a", "/outside/a") = 0', '17 unlink("/out") = 0')
    assert found.changed_outside("/out/") == ["/outside/a"]
