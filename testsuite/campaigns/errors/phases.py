# SPDX-License-Identifier: GPL-2.0-or-later
"""When a handler can run: the phases of the campaign, and what code can stand around a fault.

In a phase's text BODY is where the fault's statements go, CALL() a function that has
them, and CONDITION the fault as an expression of globals.  What else is there to do for the
phase to occur is its workload, a shell command for the guest; it pauses $PAUSE seconds, so that
where everything is slow other workloads, and the script itself, get their time.
"""
# A shell that starts no programs: where everything is slow, that is slowest.
LOOP = "bash -c 'exec 9<> <(:); while :; do {}; read -t $PAUSE -u 9; done'"
READ = LOOP.format("for i in 1 2 3 4 5 6 7 8; do read x </proc/sys/kernel/ostype; done")
PACKETS = LOOP.format("echo packet >/dev/udp/127.0.0.1/9")
MODULES = "while :; do modprobe loop; sleep $PAUSE; rmmod loop; done"
FILES = LOOP.format("for f in /proc/systemtap/*/p*_x; do read x <$f; echo word >$f; done")
PANIC = LOOP.format("echo 0 >/proc/sys/kernel/panic")
FORKS = "while :; do (:); sleep $PAUSE; done"
# The processors must be busy: of one that idles no registers are shown.
BACKTRACES = ("while :; do :; done & while :; do :; done & "
              "while :; do echo l >/proc/sysrq-trigger; sleep 0.5; done")


# The program of phases in user space, @1 of their scripts; it runs by itself.
PROGRAM = "victim victim.c -g -O1 -pthread"
VICTIM = "timeout 100 {victim} $PAUSE"


class Phase:
    """kind: statements, a call or a condition is what the fault is there.

    error_ends: it needs that an error ends the session."""

    def __init__(self, name, text, workload=READ, before=(), after=(), error_ends=False,
                 program=None):
        self.name, self.text, self.workload, self.program = name, text, workload, program
        self.before, self.after, self.error_ends = before, after, error_ends
        self.kind = ("condition" if "CONDITION" in text else
                     "call" if "CALL()" in text else "statements")


def at(name, point, **more):
    return Phase(name, f"probe {point} {{ BODY }}\n", **more)


def user(name, point, **more):
    return at(f"user-{name}", f"process(@1).{point}", workload=VICTIM, program=PROGRAM, **more)


LONG_TEXT = "A literal longer than a string. " * 150
READ_LINE = 'kernel.statement("vfs_read@fs/read_write.c+12").nearest'

PHASES = [
    at("begin", "begin"),
    Phase("end", "probe end { BODY }\nprobe begin { exit() }\n"),
    Phase("error", 'probe error { BODY }\nprobe begin { error("to get there") }\n',
          error_ends=True),
    at("oneshot", "oneshot"),
    at("timer-ms", "timer.ms(7)"),
    at("timer-us", "timer.us(300)"),
    at("timer-jiffies", "timer.jiffies(1)"),
    at("timer-profile", "timer.profile"),
    at("timer-randomize", "timer.us(2000).randomize(1900)"),
    at("timer-hz", "timer.hz(100)"),
    at("function", 'kernel.function("vfs_read").call'),
    at("function-both", 'kernel.function("vfs_read").call, kernel.function("vfs_read").return'),
    at("return", 'kernel.function("vfs_read").return'),
    Phase("entry", 'probe kernel.function("vfs_read").return { f_seen = @entry(CALL()) '
          "println(f_seen) }\n"),
    Phase("entry-text", 'probe kernel.function("vfs_read").return { f_seen = @entry(CALL() ? '
          f'"{LONG_TEXT}" : execname()) println(f_seen) }}\n'),
    Phase("entry-effect", 'global p_a%[20], p_n\nprobe kernel.function("vfs_read").return, '
          'kernel.function("vfs_open").return { @entry(p_a[p_n++] = CALL()) println(pid()) }\n'
          "probe timer.ms(9) { foreach (p_k+ in p_a) f_seen += p_k }\n"),
    at("kprobe", 'kprobe.function("vfs_read")'),
    at("kretprobe", 'kprobe.function("vfs_read").return'),
    at("statement", READ_LINE),
    at("inline", 'kernel.function("__do_sys_read").inline'),
    at("callee", 'kernel.function("ksys_read").callee("vfs_read")'),
    at("alias", "syscall.read"),
    at("alias-return", "syscall.read.return"),
    at("tracepoint", 'kernel.trace("sys_enter")'),
    at("tracepoint-numbered", 'kernel.tracepoint("sys_exit")'),
    at("switch", 'kernel.trace("sched_switch")'),
    at("wakeup", 'kernel.function("try_to_wake_up").call'),
    at("hardirq", 'kernel.function("scheduler_tick").call'),
    at("hardirq-return", 'kernel.function("scheduler_tick").return'),
    at("softirq", 'kernel.function("rcu_core").call'),
    at("softirq-return", 'kernel.function("rcu_core").return'),
    at("nmi", 'kernel.function("show_regs").call', workload=BACKTRACES),
    at("perf-clock", "perf.sw.cpu_clock.sample(1000000)"),
    at("perf-faults", "perf.sw.page_faults.sample(1)", workload=FORKS),
    at("perf-switches", "perf.sw.context_switches.sample(1)"),
    Phase("condition-start", "probe timer.ms(5) if (!(CONDITION)) { p_hits++ }\n"),
    Phase("condition-later", "global p_on = 0\nprobe timer.ms(5) if (p_on && !(CONDITION)) "
          "{ p_hits++ }\nprobe timer.ms(20) { p_hits++ p_on = 1 }\n"),
    Phase("condition-function", 'global p_on = 0\nprobe kernel.function("vfs_read") '
          "if (p_on && !(CONDITION)) { p_hits++ }\n"
          "probe timer.us(500) { p_hits++ p_on = !p_on }\n"),
    Phase("procfs-read", 'probe procfs("p_x").read { $value = "a line\\n" BODY }\n', FILES),
    Phase("procfs-write", 'probe procfs("p_x").write { f_w = $value BODY }\n'
          'probe procfs("p_x").read { $value = "x" }\n', FILES),
    at("netfilter", 'netfilter.hook("NF_INET_LOCAL_OUT").pf("NFPROTO_IPV4")', workload=PACKETS,
       before=("ip link set lo up",)),
    at("watchpoint", 'kernel.data("panic_timeout").write', workload=PANIC),
    at("module-late", 'module("loop").function("loop_init")', workload=MODULES,
       before=("modprobe -r loop",), after=("modprobe -r loop || true",)),
    at("module-return", 'module("loop").function("loop_add").return', workload=MODULES,
       before=("modprobe -r loop",), after=("modprobe -r loop || true",)),
    user("function", 'function("work").call'),
    user("return", 'function("work").return'),
    Phase("user-entry", 'probe process(@1).function("work").return { f_seen = @entry(CALL()) '
          "println(f_seen) }\n", workload=VICTIM, program=PROGRAM),
    at("user-exceptions", 'process(@1).function("passes").return', workload="timeout 100 {flies}",
       program="flies flies.cc -g -O1"),
    user("statement", 'statement("work@*:*")'),
    user("watchpoint", 'data("p_calls").length(8).write'),
    user("mark", 'mark("work")'),
    user("plt", 'plt("getppid")'),
    user("plt-return", 'plt("getppid").return'),
    user("begin", "begin"),
    user("end", "end"),
    user("thread-begin", "thread.begin"),
    user("thread-end", "thread.end"),
    user("syscall", "syscall"),
    user("syscall-return", "syscall.return"),
    at("any-process-end", "process.end", workload=VICTIM, program=PROGRAM),
]

# What the work of a phase is, when it is another that fails meanwhile.
WORK = ("foreach (f_k+ in f_a limit 20) f_t .= sprint(f_k) println(f_t) "
        "f_a[strlen(f_t) & 63]++ f_s <<< strlen(f_t)")
WORK_DECL = ("global f_a[100], f_s\nprobe begin(-9) { for (i = 0; i < 60; i++) f_a[i] = i }\n"
             "probe end, error { println(@count(f_s)) }\n")


class Wrapper:
    """text: what stands around BODY, or calls CALL().  catches: errors end in it."""

    def __init__(self, name, text, catches=False, decl=""):
        self.name, self.text, self.catches, self.decl = name, text, catches, decl
        self.calls = "CALL()" in text + decl


CATCH = "catch (w_e) { caught++ said = w_e }"
THREE = "global w_three\nprobe begin(-10) { w_three[1, \"a\"] = 3 w_three[2, \"b\"] = 2 }\n"
FILLED = "global w_stats\nprobe begin(-10) { w_stats[1] <<< 5 w_stats[2] <<< 4 w_stats[2] <<< 3 }\n"

WRAPPERS = [
    Wrapper("plain", "BODY"),
    Wrapper("try", f"try {{ BODY }} {CATCH}", True),
    Wrapper("catch-block", 'try { error("first") } catch (w_first) { BODY }'),
    Wrapper("try-catch-block",
            f'try {{ try {{ error("first") }} catch {{ BODY }} }} {CATCH}', True),
    Wrapper("foreach", "foreach ([w_k, w_t] in w_three) { BODY }", decl=THREE),
    Wrapper("foreach-sorted", "foreach ([w_k-, w_t] in w_three limit 5) { BODY }", decl=THREE),
    Wrapper("foreach-try", "foreach (w_v+ = [w_k, w_t] in w_three[*, *]) "
            f"{{ try {{ BODY }} {CATCH} }}", True, decl=THREE),
    Wrapper("sort-key", "foreach (w_k in w_stats @avg- limit CALL()) w_n += w_k", decl=FILLED),
    Wrapper("slice-key", 'foreach ([w_k, w_t+] in w_three[CALL(), *]) w_n += w_k', decl=THREE),
    Wrapper("function", "w_outer(CALL())", decl="function w_outer(n) { if (n > 9) println(n) }\n"),
    Wrapper("functions", "w_outer(1)",
            decl="function w_outer(n) { return w_inner(n, \"x\") }\n"
            "function w_inner(n, s:string) { if (n) return CALL() return strlen(s) }\n"),
    Wrapper("index", "w_a[CALL(), sprint(CALL())] = CALL()", decl="global w_a\n"),
    Wrapper("index-count", "w_a[CALL()]++ w_b[CALL()] <<< CALL()",
            decl="global w_a, w_b\nprobe end { print(@count(w_b[1])) }\n"),
    Wrapper("conditional", "w_n = w_n || CALL() ? CALL() && !w_n : CALL()"),
    Wrapper("loop", "for (w_i = CALL(); w_i < 2; w_i += CALL()) w_n += w_i"),
    Wrapper("printed", 'printf("%d %s\\n", CALL(), sprint(CALL()) . "x")'),
    Wrapper("try-function", f"try {{ w_n = CALL() }} {CATCH}", True),
]

# Options of stap.  Where errors are tolerated, they do not end the session.
FLAGS = ["", "", "--suppress-handler-errors", "-DMAXERRORS=1000000", "-t", "-u", "-DMAXSTRINGLEN=16",
         "-DMAXSTRINGLEN=4096", "-DMAXSTRINGLEN=65536", "-DMAXACTION=100000",
         "-DMAXNESTING=100", "-DMAXTRYLOCK=0", "-DMAXSKIPPED=0", "-s 1", "--skip-badvars",
         "--compatible=4.3", "-DSTP_OVERLOAD_THRESHOLD=1000 -DSTP_OVERLOAD_INTERVAL=100000",
         "-DHIST_ELISION=-1 -DHIST_WIDTH=200", "-DKRETACTIVE=1"]
