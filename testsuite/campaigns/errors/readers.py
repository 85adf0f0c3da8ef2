# SPDX-License-Identifier: GPL-2.0-or-later
"""What reads the liars: the second table of the campaign's second axis.

A reader is a handler, its statements each alone in a try, since it is no matter what fails; or it is
a listing, an option of stap.  Text that is the program's own, which a script prints as it is, is
only counted: what is printed is what the translator, the runtime and stapio name, and has no
control characters.  A new reader is a line.
"""
WORK = 'process(@1).function("work").call'
LENGTH = "total += strlen({})"


def texts(*calls):
    return [LENGTH.format(call) for call in calls]


class Reader:
    def __init__(self, name, point, statements, decl="", when=""):
        self.name, self.point, self.statements, self.decl = name, point, statements, decl
        self.when = f"\tif (!({when})) next\n" if when else ""

    def probe(self):
        """An optional one: where something can't be resolved the others go on."""
        points = ", ".join(f"{point} ?" for point in self.point.split(", "))
        tries = "\n".join(f"\ttry {{ {s} }} catch (e) {{ println(\"caught \", e) }}"
                          for s in self.statements)
        return f"{self.decl}probe {points} {{\n{self.when}\thits++\n{tries}\n}}\n"


READERS = [
    Reader("variables", WORK, ["println($param_whole, $param_text, $param_number)",
                               "println($local_number, $local_counter)", "println($param_extra)"]),
    Reader("members", WORK, [
        "println($param_whole->outer_next->outer_next->outer_number)",
        "println($param_whole->outer_parts[1]->inner_first, $param_whole->outer_buffer[7])",
        "println($param_whole->outer_low, $param_whole->outer_high, $param_whole->outer_shade)",
        "println($param_whole->outer_either->union_bytes[3])",
        "println($param_whole->outer_parts[$param_number]->inner_second)",
        "println(&$param_whole->outer_parts[-1], &$param_whole->outer_number)"]),
    Reader("pretty", WORK, ["println($param_whole$)", "println($param_whole$$)", "println($param_text$)",
                            "println($param_whole->outer_parts$$)", "println($local_number$)"]),
    Reader("parms", WORK, ["println($$parms)", "println($$parms$)", "println($$parms$$)"]),
    Reader("vars", WORK, ["println($$vars)", "println($$vars$)", "println($$vars$$)"]),
    Reader("locals", 'process(@1).statement("work@*:*")',
           ["println($$locals)", "println($$locals$)", "println($$vars$$)"]),
    Reader("return", 'process(@1).function("work").return', [
        "println($return, $return$, $$return)", "println(@entry($param_number))",
        "println(@entry($param_whole$))", "println($$parms)"]),
    Reader("every-function", 'process(@1).function("*@*.c").call', ["println(probefunc(), pp(), $$vars$)"]),
    Reader("every-return", 'process(@1).function("*@*.c").return', ["println(ppfunc(), pp(), $$return$$)"]),
    Reader("globals", WORK, [
        'println(@var("global_whole")$$)', 'println(@var("global_table@liar.c")[3])',
        'println(@var("global_whole", @1)->outer_next->outer_number)', 'println(@var("global_table")$)',
        'println(&@var("global_table"))']),
    Reader("casts", WORK, [
        'println(@cast($param_whole, "outer_whole")->outer_next->outer_number)',
        'println(@cast(user_long(ustack(0)), "outer_type", @1)$$)',
        'println(@cast(-1, "outer_type", @1)->outer_parts[5]$)', 'println(@enum("shade_light"))']),
    Reader("strings", WORK, texts(
        "user_string($param_text)", "user_string_quoted($param_text)",
        "user_string_n($param_text, 9223372036854775807)", "user_string2($param_text, \"?\")",
        "user_string($param_whole->outer_text)", "user_string_utf16($param_text)",
        "user_string_utf32($param_text)", "user_buffer_quoted($param_text, 1000000, 1000000)",
        "sprintf(\"%.1000m\", $param_text)", "sprintf(\"%.1000M\", $param_text)")),
    Reader("mark", 'process(@1).mark("*")', [
        "println($arg1, $arg2)", "println($$parms, $$vars)", "println($$name, $$provider)",
        "println(user_long($arg2))"] + texts("user_string($arg2)")),
    Reader("mark-named", 'process(@1).provider("*").mark("liar_mark")', ["println($arg1)", "println($$vars)"]),
    Reader("plt", 'process(@1).plt("*")', ["println($$name, pp())"]),
    Reader("plt-return", 'process(@1).plt("getppid").return', ["println($$name, $return)"]),
    Reader("stacks", WORK, [
        "print_ubacktrace()", "print(sprint_ubacktrace())", "print_ubacktrace_brief()",
        "print_ubacktrace_fileline()", "stacks[ubacktrace()]++", "print_usyms(ucallers(-1))",
        'println(ustack(3))', "foreach (s in stacks) print_usyms(s)"], decl="global stacks%[20]\n"),
    Reader("stacks-in-kernel", "process(@1).syscall", ["print_ubacktrace()", "println(sprint_ubacktrace())"],
           when="$syscall == 110"),
    Reader("names", "process(@1).syscall.return", [
        "println(usymname(uaddr()), usymdata(uaddr()))", "println(usymfileline(uaddr()))",
        "println(usymfile(uaddr()), usymline(uaddr()))",
        "println(umodname(uaddr()), umodaddr(uaddr()), umodbuildid(uaddr()))",
        "println(usymname(ustack(1)), usymdata(ustack(2)))", "println(usymname(-1), usymdata(-1))"],
           when="$syscall == 110"),
    Reader("task", WORK, texts(
        "execname()", "cmdline_str()", "cmdline_args(0, -1, \"x\")", "cmdline_arg(1000)",
        'env_var("HOME")', 'env_var("")', "pexecname()", "task_execname(task_current())",
        "fullpath_struct_path(task_cwd_path(task_current()))",
        "fullpath_struct_file(task_current(), task_exe_file(task_current()))",
        "fullpath_struct_file(task_current(), task_fd_lookup(task_current(), 3))",
        "task_ancestry(task_current(), 1)", "task_cgroup(task_current())",
        "d_path(task_cwd_path(task_current()))")),
    Reader("calls", 'syscall.openat, syscall.prctl, syscall.execve, syscall.unlink', texts("argstr") +
           texts("name")),
    Reader("process", "process(@1).begin, process(@1).end, process(@1).thread.begin",
           ["println(pid(), pp())"] + texts("execname()", "cmdline_str()")),
]

# Options of stap; {} is the program.
LISTINGS = {
    "list-functions": ["-L", 'process("{}").function("*")'],
    "list-returns": ["-l", 'process("{}").function("*").return'],
    "list-statements": ["-L", 'process("{}").statement("*@*:*")'],
    "list-marks": ["-L", 'process("{}").mark("*")'],
    "list-plt": ["-L", 'process("{}").plt("*")'],
    "lines": ["--lines", 'process("{}").function("work")'],
    "pass-2": ["-p2", "-v", "-e", 'probe process("{}").function("*"), process("{}").mark("*") '
               "{{ println($$vars$$) }}"],
    "pass-3": ["-p3", "-e", 'probe process("{}").function("work") {{ println($$vars$$, $$parms) }}'],
}
