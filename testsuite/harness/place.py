# SPDX-License-Identifier: GPL-2.0-or-later
"""Where tests run: a build, on a system, with one of its kernels.

What testsuite/run and campaigns/run have in common. The options' defaults are those that the
suite gives its tests, so a test that runs a campaign repeats none.
"""
import hashlib
import os
import stat
import tempfile

import kernels
import roots

SOURCE = roots.SOURCE


def add_options(parser):
    parser.add_argument("--build", metavar="DIR",
                        default=os.environ.get("STAP_TEST_BUILD", os.path.join(SOURCE, "build")),
                        help="where stap was built (default: build/ of this tree)")
    parser.add_argument("-r", "--release", default=os.environ.get("STAP_TEST_RELEASE"),
                        help="kernel to test with (default: the newest with headers)")
    parser.add_argument("--kernel", choices=sorted(kernels.SLOWER),
                        help="test with a kernel that is built for it (debug, rt-debug), or "
                        "Debian's (rt)")


def is_ours(path):
    """May only we and root change what is at this path? stap uses no cache anywhere else."""
    path = os.path.realpath(path)
    st = os.stat(path)
    writable = st.st_mode & 0o022 and not st.st_mode & stat.S_ISVTX
    return st.st_uid in (0, os.geteuid()) and not writable and (
        path == "/" or is_ours(os.path.dirname(path)))


class Place:
    """The system, the build and the kernel that the options ask for, and a work directory that
    lasts as long as the place.

    vm is the stap-vm to boot guests with, which runs on this machine; home is $SYSTEMTAP_DIR;
    slower says how many times slower the kernel is, None for an ordinary one. With a suite, root
    is that Debian's system and build the one made in it: its programs run there through chroot,
    and guests boot from it. The tree and the build directory have the same paths inside as outside.
    """

    def __init__(self, opts):
        """Raises RootError when there is no such place."""
        self.build = os.path.abspath(opts.build)
        if not os.path.exists(os.path.join(self.build, "stap")):
            raise roots.RootError(f"{self.build} has no stap; build it first (make, or "
                                  "./quickstart build)")
        self.vm = os.environ.get("STAPVM") or os.path.join(self.build, "stap-vm")
        self.root = roots.Root()
        self.release = opts.release
        if opts.suite:
            self.build = os.path.join(self.build, opts.suite)
            self.root = roots.enter(opts.suite, self.build)
        if opts.kernel:
            self.release = kernels.enter(opts.kernel, self.root)
        self.release = self.release or self.root.default_release()
        if not self.release:
            raise roots.RootError("no kernel with image and headers is installed")
        self.slower = kernels.SLOWER.get(opts.kernel)
        os.umask(0o022)
        folder = self._own_folder()
        self.home = os.path.join(folder, "systemtap")
        self._work = tempfile.TemporaryDirectory(prefix="work.", dir=folder)
        self.work = self._work.name

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._work.cleanup()

    def _own_folder(self):
        """Where the tests' cache is and their work is done: in the build directory, unless the
        tree is somebody else's, as in a container."""
        folder = os.path.join(self.build, "testsuite")
        os.makedirs(folder, exist_ok=True)
        if self.root.path or is_ours(folder):
            return folder
        key = hashlib.sha256(self.build.encode()).hexdigest()[:8]
        folder = os.path.expanduser(f"~/.cache/stap-tests/{key}")
        os.makedirs(folder, exist_ok=True)
        return folder

    def program(self, name):
        return os.path.join(self.build, name)

    def environment(self):
        """What tests are told (testsuite/README.md)."""
        return dict(os.environ, SYSTEMTAP_DIR=self.home,
                    STAP_TEST_SOURCE=SOURCE, STAP_TEST_BUILD=self.build,
                    STAP_TEST_RELEASE=self.release,
                    STAP=self.program("stap"), STAPRUN=self.program("staprun"),
                    STAPVM=self.root.vm_command(self.vm, self.work), LC_ALL="C.UTF-8")
