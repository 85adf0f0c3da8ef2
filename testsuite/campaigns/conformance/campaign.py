# SPDX-License-Identifier: GPL-2.0-or-later
"""SystemTap's example scripts through our passes.

The scripts are those of Debian's package systemtap-doc, which is downloaded
where it is not installed; none is kept here. Each has beside it a .meta file with the command that tests
it: its options and arguments are taken from there. A script must pass pass 1;
how far the others go is counted, and why the rest stops there. Those that
SystemTap refuses too are in the file "known", with the reason, and may stop
where it stops.
"""
import collections
import concurrent.futures
import os
import re
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = "systemtap-doc"
LIMIT = 600             # seconds for one script and pass
SKIP = 77

# For those whose .meta file is missing, or looks into the running kernel.
ARGUMENTS = {
    "tutorial/inode-watch.stp": "0x08 0x01 100",
    "profiling/graphcall.stp": "/bin/ls main",
    "general/pyexample.stp": "python3",
    "memory/hw_watch_addr.stp": "0xffffffff81000000",
    "tutorial/tapset-time-user.stp": "-I tapset",
}


def known():
    """{script: (pass, reason)} of those that SystemTap stops at too."""
    entries = {}
    with open(os.path.join(HERE, "known"), encoding="utf-8") as f:
        for line in f:
            if line.strip() and not line.startswith("#"):
                name, number, why = line.split(None, 2)
                entries[name] = int(number), why.strip()
    return entries


def installed():
    """The package's scripts, by path; none when it is not installed."""
    listing = subprocess.run(["dpkg", "-L", PACKAGE], stdout=subprocess.PIPE, text=True,
                             stderr=subprocess.DEVNULL, check=False)
    return sorted(path for path in listing.stdout.split("\n")
                  if path.endswith(".stp") and "/examples/" in path and os.path.exists(path))


def fetched(build):
    """The same of a copy below the build directory, made when it isn't there; needs no root."""
    folder = os.path.join(build, "testsuite", PACKAGE)
    if not os.path.exists(folder):
        with tempfile.TemporaryDirectory(dir=os.path.dirname(folder)) as tmp:
            subprocess.run(["sh", "-c", f"apt-get -q download {PACKAGE} && dpkg-deb -x *.deb root"],
                           cwd=tmp, check=False)
            if os.path.exists(tmp + "/root"):
                os.rename(tmp + "/root", folder)
    return sorted(os.path.join(top, name) for top, _, names in os.walk(folder) for name in names
                  if name.endswith(".stp") and "/examples/" in os.path.join(top, name))


def name_of(path):
    return path.split("/examples/", 1)[1]


def arguments(path):
    """The options and arguments to compile a script with, as a shell takes them."""
    try:
        with open(path[:-len(".stp")] + ".meta", encoding="utf-8") as f:
            found = re.search(r"^test_check: *stap +(.*)$", f.read(), re.M)
    except FileNotFoundError:
        found = None
    script = os.path.basename(path)
    if name_of(path) in ARGUMENTS:
        return f"-g {script} " + ARGUMENTS[name_of(path)]
    if not found or not re.search(rf"(^| ){re.escape(script)}( |$)", found.group(1)):
        return f"-g {script}"
    # The pass is ours to say, be it "-p4" or within "-gp4".
    return re.sub(r"(^| )-([a-z]*)p\d(?= |$)",
                  lambda m: m.group(1) + ("-" + m.group(2) if m.group(2) else ""), found.group(1))


def reason(text):
    """The first error, without places and numbers."""
    for line in text.split("\n"):
        if re.match(r"(parse|semantic) error: |ERROR: ", line):
            line = re.sub(r" at \S+:\d+:\d+.*| near pc .*| \(alternatives: .*| \(/usr/.*", "", line)
            return re.sub(r"\d+", "N", line)[:100]
    return (text.strip().split("\n") or [""])[-1][:90]


class Conformance:
    def __init__(self, place, last):
        self.stap = [place.program("stap"), "-r", place.release]
        self.last = last
        # Some name `which stap` among their options.
        self.env = dict(place.environment(), PATH=place.build + ":" + os.environ["PATH"])

    def one(self, path):
        """(passes it got through, what stopped it)"""
        for number in (1, 2, 4):
            if number > self.last:
                break
            line = " ".join(f"'{word}'" for word in self.stap) + f" -p{number} {arguments(path)}"
            try:
                p = subprocess.run(["sh", "-c", line], cwd=os.path.dirname(path), env=self.env,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, timeout=LIMIT, check=False)
            except subprocess.TimeoutExpired:
                return number, "it does not end"
            if p.returncode:
                return number, p.stderr.decode(errors="replace")
        return self.last + 1, ""


def table(results, last, refused):
    passed = {n: sum(stopped > n for stopped, _ in results.values()) for n in (1, 2, 4)}
    print(f"\n{len(results)} scripts")
    for number in (1, 2, 4):
        if number <= last:
            print(f"{passed[number]:5} pass -p{number}")
    for number in (1, 2, 4):
        count = sum(results[name][0] == number for name in refused)
        if count:
            print(f"{count:5} stop at -p{number}, as in SystemTap")
    reasons = collections.Counter((stopped, reason(why)) for name, (stopped, why) in results.items()
                                  if stopped <= last and name not in refused)
    for (number, why), count in sorted(reasons.items(), key=lambda r: (r[0][0], -r[1], r[0][1])):
        print(f"{count:5} stop at -p{number}: {why}")
    return passed


def options(parser):
    parser.add_argument("--pass", type=int, default=4, choices=(1, 2, 4), dest="last")
    parser.add_argument("patterns", nargs="*", metavar="PATTERN")


def run(place, opts):
    paths = installed() or fetched(place.build)
    if not paths:
        print(f"{PACKAGE} is not installed, and apt-get can't download it")
        return SKIP
    paths = [p for p in paths if not opts.patterns or any(w in p for w in opts.patterns)]
    examples = Conformance(place, opts.last)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = dict(zip(map(name_of, paths), pool.map(examples.one, paths)))
    entries = known()
    refused = {name for name, (stopped, _) in results.items()
               if stopped <= opts.last and entries.get(name, (0,))[0] == stopped}
    failed = 0
    for name, (stopped, why) in sorted(results.items()):
        if name in refused:
            print(f"as SystemTap at -p{stopped}: {name}: {entries[name][1]}")
        elif stopped == 1 or stopped == 4:
            failed += 1
            print(f"FAIL {name}\n    " + why.strip().replace("\n", "\n    "))
        elif stopped <= opts.last:
            print(f"stop {name} at -p{stopped}: {reason(why)}")
        else:
            print(f"ok   {name}" + (" (though SystemTap stops)" if name in entries else ""))
    passed = table(results, opts.last, refused)
    through = passed[opts.last]
    print(f"{through} passed, {failed} failed, {len(results) - through - failed} skipped")
    return 1 if failed else 0

