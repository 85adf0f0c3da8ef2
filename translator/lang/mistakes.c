// SPDX-License-Identifier: GPL-2.0-or-later
/* Recognises other languages' words (mistakes.h). */
#include "mistakes.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/arena.h"

struct known {
	const char *name, *hint;
};

#define N(array) (sizeof(array) / sizeof(*(array)))

static const char *find(const struct known *table, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(table[i].name, name))
			return table[i].hint;
	return NULL;
}

/* ---- names ---- */

#define NOTHING "a NULL pointer is 0, the empty string is \"\""
#define NO_TYPES "variables are not declared: the first assignment makes one, and gives it its type"

static const struct known variables[] = {
	{ "None", NOTHING }, { "NULL", NOTHING }, { "nil", NOTHING }, { "null", NOTHING },
	{ "False", "0 is false" }, { "false", "0 is false" },
	{ "True", "1 is true" }, { "true", "1 is true" },
	{ "args", "$$parms shows all parameters; one of them is $name" },
	{ "comm", "execname() is the process's name" },
	{ "curtask", "task_current() is the current task" },
	{ "elapsed", "gettimeofday_ns() is the time; subtract that of probe begin" },
	{ "func", "ppfunc() is the function's name" },
	{ "kstack", "print_backtrace() prints the kernel's stack, backtrace() returns it" },
	{ "goto", "'next' leaves a probe, 'return' a function, 'break' a loop" },
	{ "nsecs", "gettimeofday_ns() is the time in nanoseconds" },
	{ "probe", "pp() is the probe point" },
	{ "rand", "randint(n) is a random number below n" },
	{ "raise", "error(text) raises an error, which try { … } catch (text) { … } catches" },
	{ "retval", "$return is what a function returns; returnval() needs no debug information" },
	{ "stderr", "log(text) and warn(text) print to standard error" },
	{ "stdout", "print(text) and printf(format, values) print to standard output" },
	{ "throw", "error(text) raises an error, which try { … } catch (text) { … } catches" },
	{ "ustack", "print_ubacktrace() prints the program's stack, ubacktrace() returns it" },
	{ "username", "uid() is the user's number" },
	{ "auto", NO_TYPES }, { "bool", NO_TYPES }, { "char", NO_TYPES }, { "float", NO_TYPES },
	{ "int", NO_TYPES }, { "let", NO_TYPES }, { "local", NO_TYPES }, { "my", NO_TYPES },
	{ "short", NO_TYPES }, { "unsigned", NO_TYPES }, { "var", NO_TYPES },
};

const char *mistake_of_variable(const char *name)
{
	if (!strncmp(name, "arg", 3) && isdigit((unsigned char)name[3]) && !name[4])
		return arena_printf("a parameter by its name, such as $count; or ulong_arg(%d), "
				    "which needs no debug information", name[3] - '0' + 1);
	return find(variables, N(variables), name);
}

#define STATISTIC "a global takes values by 's <<< value'; "

static const struct known functions[] = {
	{ "atoi", "strtol(text, 10)" },
	{ "avg", STATISTIC "@avg(s) is their average" },
	{ "buf", "user_string_n(address, n); printf's %M and %m take bytes" },
	{ "clear", "delete array" },
	{ "count", "n++ counts, for a global n; @count(s) counts the values of a statistic" },
	{ "elif", "else if (condition)" },
	{ "elsif", "else if (condition)" },
	{ "elseif", "else if (condition)" },
	{ "fprintf", "printf(format, values); log(text) and warn(text) print to standard error" },
	{ "hist", STATISTIC "print(@hist_log(s)) shows their histogram" },
	{ "kaddr", "a variable of the kernel's is @var(\"name\"), its address &@var(\"name\")" },
	{ "kstr", "kernel_string(address)" },
	{ "ksym", "symname(address)" },
	{ "len", "strlen(text)" },
	{ "lhist", STATISTIC "print(@hist_linear(s, low, high, width)) shows their histogram" },
	{ "ntop", "ip_ntop(address)" },
	{ "override", "in probe ….return, with -g: $return = value" },
	{ "path", "d_path(address of a struct path)" },
	{ "puts", "println(text)" },
	{ "reg", "register(name)" },
	{ "signal", "raise(number), with -g" },
	{ "sizeof", "@cast_sizeof(\"struct name\")" },
	{ "stats", STATISTIC "@count(s), @avg(s), @sum(s) extract from them" },
	{ "str", "user_string(address) or kernel_string(address)" },
	{ "strcat", "a . b joins two strings" },
	{ "strcmp", "strings are compared by == != < and so on" },
	{ "strcpy", "a = b copies a string" },
	{ "strftime", "ctime(gettimeofday_s())" },
	{ "strncmp", "substr(a, 0, n) == substr(b, 0, n)" },
	{ "sum", STATISTIC "@sum(s) is their sum" },
	{ "switch", "if (value == 1) { … } else if (value == 2) { … }" },
	{ "typeof", "@cast(address, \"struct name\")->member reads what is at an address" },
	{ "uaddr", "@var(\"name@file\", \"program\") is a program's variable" },
	{ "unless", "if (!(condition))" },
	{ "until", "while (!(condition))" },
	{ "usym", "usymname(address)" },
	{ "warning", "warn(text)" },
	{ "zero", "delete array; or foreach (key in array) array[key] = 0" },
};

const char *mistake_of_function(const char *name)
{
	return find(functions, N(functions), name);
}

/* ---- words of other languages' grammars ---- */

static const struct known words[] = {
	{ "and", "&& is and" },
	{ "def", "function name(parameter) { … }" },
	{ "elif", "else if (condition)" },
	{ "except", "catch (text) { … }" },
	{ "finally", "the statements behind try … catch run in either case" },
	{ "fn", "function name(parameter) { … }" },
	{ "func", "function name(parameter) { … }" },
	{ "import", "functions of the library are found by their names" },
	{ "include", "functions of the library are found by their names" },
	{ "not", "! is not" },
	{ "or", "|| is or" },
	{ "sizeof", "@cast_sizeof(\"struct name\")" },
	{ "static", "global name" },
	{ "struct", "@cast(address, \"struct name\")->member reads what is at an address" },
	{ "sub", "function name(parameter) { … }" },
	{ "void", "function name(parameter) { … }" },
};

const char *mistake_of_word(const char *word)
{
	const char *hint = find(words, N(words), word);

	if (!hint)
		hint = find(variables, N(variables), word);
	return hint ? hint : find(functions, N(functions), word);
}

/* ---- bpftrace's probes ---- */

/* bpftrace's probes as written here. %1 to %3 are the parts between colons, %0 is the last part. */
static const struct known points[] = {
	{ "BEGIN", "begin" },
	{ "END", "end" },
	{ "kprobe", "kernel.function(\"%0\")" },
	{ "k", "kernel.function(\"%0\")" },
	{ "kretprobe", "kernel.function(\"%0\").return" },
	{ "kr", "kernel.function(\"%0\").return" },
	{ "kfunc", "kernel.function(\"%0\")" },
	{ "kretfunc", "kernel.function(\"%0\").return" },
	{ "fentry", "kernel.function(\"%0\")" },
	{ "fexit", "kernel.function(\"%0\").return" },
	{ "tracepoint", "kernel.trace(\"%1:%2\")" },
	{ "t", "kernel.trace(\"%1:%2\")" },
	{ "rawtracepoint", "kernel.trace(\"%0\")" },
	{ "uprobe", "process(\"%1\").function(\"%2\")" },
	{ "u", "process(\"%1\").function(\"%2\")" },
	{ "uretprobe", "process(\"%1\").function(\"%2\").return" },
	{ "usdt", "process(\"%1\").provider(\"%2\").mark(\"%3\")" },
	{ "interval:s", "timer.s(%1)" },
	{ "interval:ms", "timer.ms(%1)" },
	{ "interval:us", "timer.us(%1)" },
	{ "interval:hz", "timer.hz(%1)" },
	{ "i:s", "timer.s(%1)" },
	{ "profile:hz", "timer.profile.freq.hz(%1)" },
};

/* Components of our points, and what other tools call them. */
static const struct known parts[] = {
	{ "entry", "….call is the function itself, without where it is inlined" },
	{ "every", "timer.s(n), timer.ms(n)" },
	{ "exit", "….return is where the function returns" },
	{ "exits", "….return is where the function returns" },
	{ "interval", "timer.s(n), timer.ms(n)" },
	{ "ret", "….return is where the function returns" },
	{ "uprobe", "process(\"path\").function(\"name\")" },
	{ "user", "process(\"path\").function(\"name\")" },
};

const char *mistake_of_part(const char *name)
{
	return find(parts, N(parts), name);
}

enum { PARTS = 4, PART_MOST = 200 };

/* Splits "a:b:c {" at colons; returns how many parts there are. */
static size_t split(const char *text, const char *part[PARTS])
{
	size_t n = 0;

	while (n < PARTS) {
		size_t len = strcspn(text, ": \t\n{,");

		if (!len || len > PART_MOST)
			break;
		part[n++] = arena_strndup(text, len);
		if (text[len] != ':')
			break;
		text += len + 1;
	}
	return n;
}

/* Fills a pattern with the parts from FIRST on. Returns NULL if there are too few. */
static const char *filled(const char *pattern, const char *const *part, size_t n, size_t first)
{
	const char *text = "";

	for (const char *hole; (hole = strchr(pattern, '%')); pattern = hole + 2) {
		size_t at = hole[1] == '0' ? n - 1 : first + (hole[1] - '1');

		if (at >= n)
			return NULL;
		text = arena_printf("%s%.*s%s", text, (int)(hole - pattern), pattern, part[at]);
	}
	return arena_printf("%s%s", text, pattern);
}

/*
 * Returns the library's probe for a system call's tracepoint, sys_enter_NAME or sys_exit_NAME; else
 * NULL.
 */
static const char *system_call(const char *name)
{
	if (!strncmp(name, "sys_enter_", 10))
		return arena_printf("syscall.%s", name + 10);
	if (!strncmp(name, "sys_exit_", 9))
		return arena_printf("syscall.%s.return", name + 9);
	return NULL;
}

const char *mistake_of_point(const char *text)
{
	const char *part[PARTS], *point = NULL;
	size_t n = split(text, part);
	bool word = n == 1 && (!strcmp(part[0], "BEGIN") || !strcmp(part[0], "END"));

	if (n < 2 && !word)
		return NULL;
	if (n > 2)
		point = find(points, N(points), arena_printf("%s:%s", part[0], part[1]));
	if (point)
		point = filled(point, part, n, 2);
	else if ((point = find(points, N(points), part[0])))
		point = n > 2 && system_call(part[2]) ? system_call(part[2]) : filled(point, part, n, 1);
	if (!point)
		return NULL;
	return arena_printf("this is bpftrace's language; here: probe %s { … }%s", point, !strchr(text, '@') ? "" :
			    ", where @[comm] = count() is n[execname()]++ with a 'global n'");
}

const char *mistake_of_map(const char *name)
{
	return arena_printf("a map of bpftrace's? Here it is declared, 'global %s', and written without "
			    "the '@': %s[execname()]++ counts, %s[execname()] <<< value collects",
			    name, name, name);
}
