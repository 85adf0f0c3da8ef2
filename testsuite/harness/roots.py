# SPDX-License-Identifier: GPL-2.0-or-later
"""Other systems to test with: releases of Debian in directories.

A root is made by debootstrap on first use, with a kernel and what stap is built
with, and kept: $STAP_TEST_ROOTS/SUITE, by default below ~/.cache/stap-roots.
Remove the directory, and the next use makes it anew, with what is current then.

Work in a root goes on in a mount namespace of its own, in which this tree and
the build directory are mounted there under the names they have here: a path
means the same inside and outside, in a guest that boots from the root too, and
nothing stays mounted however we end.
"""
import fcntl
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ENTERED = "STAP_TEST_ROOT_ENTERED"      # in the environment: we have a namespace of our own
MIRROR = "http://deb.debian.org/debian"    # where apt here has no Debian mirror
DEBIAN = {"stable", "testing", "unstable", "sid", "bookworm", "trixie", "forky"}

# Beyond what quickstart installs: what tests need, and the compilers of the programs they probe.
# A root has no guests of its own: they boot from it; and no kernel is built there.
MORE = {"": ["procps", "iproute2", "g++", "golang-go", "rustc", "e2fsprogs", "dmsetup", "openssl",
             "nfs-kernel-server"],
        "forky": ["systemtap", "bpftrace", "linux-perf"]}
LESS = re.compile(r"qemu-.*|linux-source")

# A release that lacks a library of stap's gives its kernel, with the compiler that the headers name, to a later one.
KERNEL_ONLY = {"bullseye": "bookworm"}      # it has no libzydis
KERNEL = "linux-image-* linux-headers-*"

# What a machine has that stap's packages are installed on: a kernel, its headers, an init.
MACHINE = ["linux-image-cloud-amd64", "linux-headers-RELEASE", "systemd-sysv", "kmod"]


class RootError(Exception):
    pass


class Root:
    """A system: this machine's own, or the one below a directory."""

    def __init__(self, path=""):
        self.path = path

    def argv(self, argv, cwd):
        """What to run here to run a command there."""
        return ["chroot", self.path, "env", "-C", cwd] + argv if self.path else argv

    def has(self, program):
        found = ["sh", "-c", 'command -v "$1"', "sh", program]
        return not subprocess.run(self.argv(found, "/"), stdout=subprocess.DEVNULL,
                                  check=False).returncode

    def vm_options(self):
        return ["--root", self.path] if self.path else []

    def vm_command(self, vm, workdir):
        """The stap-vm for commands that run there. A root has no emulator: its stap-vm is this
        machine's, which is reached through this process's own root, as it has the same mounts."""
        if not self.path:
            return vm
        command = os.path.join(workdir, "stap-vm")
        words = ["chroot", f"/proc/{os.getpid()}/root", "env", "-C"]
        with open(command, "w", encoding="utf-8") as f:
            f.write(f"#!/bin/sh\nexec {shlex.join(words)} \"$PWD\" "
                    f"{shlex.join([vm] + self.vm_options())} \"$@\"\n")
        os.chmod(command, 0o755)
        return command

    def default_release(self):
        """The newest with an image and headers; if there is one, with debug information, and
        not PREEMPT_RT's, which is asked for by name."""
        def key(release):
            debug = os.path.exists(f"{self.path}/usr/lib/debug/boot/vmlinux-{release}")
            return debug, "-rt-" not in release, [
                (0, int(p)) if p.isdigit() else (1, p) for p in re.findall(r"\d+|\D+", release)]
        found = [r for r in os.listdir(self.path + "/lib/modules")
                 if os.path.lexists(f"{self.path}/lib/modules/{r}/build") and
                 os.path.exists(f"{self.path}/boot/vmlinuz-{r}")]
        return max(found, key=key, default="")


def directory(suite):
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(os.environ.get("STAP_TEST_ROOTS") or os.path.join(cache, "stap-roots"),
                        suite)


def run(*argv, **how):
    if subprocess.run(argv, stdin=subprocess.DEVNULL, check=False, **how).returncode:
        raise RootError(" ".join(argv) + " failed")


def packages(suite):
    with open(os.path.join(SOURCE, "quickstart"), encoding="utf-8") as f:
        listed = " ".join(re.findall(r'^(?:packages|of_kernel)="([^"]*)"', f.read(), re.M)).split()
    return [p for p in listed if not LESS.fullmatch(p)] + MORE[""] + MORE.get(suite, [])


def of_kernel(path, wanted):
    """The packages, those of RELEASE by the release of the kernel that is installed."""
    done = subprocess.run(["chroot", path, "dpkg-query", "-W", "-f", "${Depends}",
                           "linux-image-cloud-amd64"], stdout=subprocess.PIPE, check=False)
    image = re.search(r"\blinux-image-(\S+)", done.stdout.decode())   # Debian 14's also depends on linux-base-…
    if not image:
        raise RootError(f"there is no linux-image-cloud-amd64 in {path}")
    return [p.replace("RELEASE", image.group(1)) for p in wanted]


def take_kernel(path, suite):
    """Has apt in the root take the kernel from that suite, and what only this suite has."""
    with open(f"{path}/etc/apt/sources.list.d/kernel.list", "w", encoding="utf-8") as f:
        f.write(f"deb {mirror()} {suite} main\n")
    with open(f"{path}/etc/apt/preferences.d/kernel", "w", encoding="utf-8") as f:
        for which, priority in (("*", 100), (KERNEL, 990)):
            f.write(f"Package: {which}\nPin: release n={suite}\nPin-Priority: {priority}\n\n")


def mount_system(path):
    for d in ("proc", "dev", "sys"):
        run("mount", "--rbind", "/" + d, f"{path}/{d}")


def start_no_servers(root):
    """invoke-rc.d asks this file; processes of the root would be this machine's."""
    path = root + "/usr/sbin/policy-rc.d"
    with open(path, "w", encoding="utf-8") as f:
        f.write("#!/bin/sh\nexit 101\n")
    os.chmod(path, 0o755)


def install(root, wanted):
    """A mirror may be behind; the packages' signatures are checked all the same."""
    start_no_servers(root)
    env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8",
           "DEBIAN_FRONTEND": "noninteractive"}
    run("chroot", root, "apt-get", "-q", "-o", "Acquire::Check-Valid-Until=false", "update",
        env=env, stdout=subprocess.DEVNULL)
    run("chroot", root, "apt-get", "-q", "install", "-y", "--no-install-recommends",
        *wanted, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    run("chroot", root, "apt-get", "clean", env=env)


def missing(path, wanted):
    """The packages that came to be wanted after the root was made."""
    def there(package):
        listed = f"{path}/var/lib/dpkg/info/{package}"
        return os.path.exists(listed + ".list") or glob.glob(listed + ":*.list")
    return [p for p in wanted if not there(p)]


def need(tool, package):
    if not shutil.which(tool):
        raise RootError(f"{tool} is not installed; try: apt-get install {package}")


def apt_sources(path):
    """The (URI, suite) pairs of binary packages in a file of apt's: a line each in NAME.list,
    paragraphs of fields in NAME.sources."""
    with open(path, encoding="utf-8") as f:
        text = re.sub(r"^\s*#.*\n?", "", f.read(), flags=re.M)
    if path.endswith(".list"):
        return re.findall(r"^\s*deb\s+(?:\[[^]]*\]\s*)?(\S+)\s+(\S+)", text, re.M)
    found = []
    for paragraph in re.split(r"\n\s*\n", re.sub(r"\n[ \t]+(?=\S)", " ", text)):
        fields = {key.lower(): value.split() for key, value in
                  re.findall(r"^([\w-]+):(.*)$", paragraph, re.M)}
        if "deb" in fields.get("types", []) and fields.get("enabled") not in (["no"], ["false"]):
            found += [(uri, suite) for uri in fields.get("uris", [])
                      for suite in fields.get("suites", [])]
    return found


def own_suite(etc="/etc"):
    """This machine's release of Debian, or None."""
    with open(etc + "/os-release", encoding="utf-8") as f:
        release = f.read()
    own = re.search(r"^VERSION_CODENAME=(\S+)", release, re.M)
    return own.group(1) if own and re.search("^ID=debian$", release, re.M) else None


def mirror(etc="/etc"):
    """The mirror that this machine's packages come from: its other releases are there too."""
    own = own_suite(etc)
    suites = DEBIAN | ({own} if own else set())
    lists = glob.glob(etc + "/apt/sources.list") + sorted(
        glob.glob(etc + "/apt/sources.list.d/*.list") +
        glob.glob(etc + "/apt/sources.list.d/*.sources"))
    return next((uri for path in lists for uri, suite in apt_sources(path)
                 if suite in suites and re.match("https?:", uri)), MIRROR)


def make(suite, path, wanted):
    """Aside, so that what is there under its name is complete."""
    need("debootstrap", "debootstrap")
    new = path + ".new"
    shutil.rmtree(new, ignore_errors=True)
    os.makedirs(new)
    base = KERNEL_ONLY.get(suite, suite)
    script = "/usr/share/debootstrap/scripts/" + base
    print(f"making {path}: some minutes, some gigabytes", flush=True)
    run("debootstrap", "--variant=minbase", base, new, mirror(),
        *([] if os.path.exists(script) else ["sid"]), stdout=subprocess.DEVNULL)
    if base != suite:
        take_kernel(new, suite)
    mount_system(new)
    install(new, [p for p in wanted if "RELEASE" not in p])
    for d in ("proc", "dev", "sys"):
        run("umount", "-l", f"{new}/{d}")
    os.rename(new, path)


def own_namespace():
    """Start over in a mount namespace that ends with us."""
    if os.environ.get(ENTERED):
        return
    if os.geteuid() != 0:
        raise RootError("making a root and working in it needs root")
    need("unshare", "util-linux")
    sys.stdout.flush()
    os.execvpe("unshare", ["unshare", "--mount", "--propagation", "private", sys.executable] +
               sys.argv, dict(os.environ, **{ENTERED: "1"}))


def share(root, path):
    inside = root.path + path
    os.makedirs(inside, exist_ok=True)
    run("mount", "--bind", path, inside)


def build_inside(root, build):
    """stap and its tests, with that system's compiler and libraries."""
    os.makedirs(build, exist_ok=True)
    share(root, SOURCE)
    share(root, build)
    log = os.path.join(build, "make.log")
    commands = (f"[ -f Makefile ] || '{SOURCE}/configure' --enable-werror && "
                f"make -j{os.cpu_count()} && make -j{os.cpu_count()} unit-tests")
    with open(log, "w", encoding="utf-8") as f:
        try:
            run(*root.argv(["sh", "-c", commands], build), stdout=f, stderr=f)
        except RootError:
            raise RootError(f"stap does not build in {root.path}; see {log}") from None


def prepare(suite, name=None, wanted=None):
    """The root of a suite, made if need be, in a namespace of our own: the one that stap is built
    in, or the one of this name, which has these packages."""
    own_namespace()
    wanted = wanted or packages(suite)
    path = directory(name or suite)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.exists(path):
            make(suite, path, wanted)
        run("mount", "--bind", path, path)      # unshare(1) there wants a mount
        mount_system(path)
        new = missing(path, of_kernel(path, wanted))
        if new:
            install(path, new)
    return Root(path)


def enter(suite, build):
    """The root of a suite, with stap built for it in the build directory."""
    root = prepare(suite)
    build_inside(root, build)
    return root
