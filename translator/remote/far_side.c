// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What runs on a host: a text for its sh, which needs nothing else than sh, the utilities of POSIX, and
 * head -c; if its kernel is unknown where stap is, sha256sum, and for its headers gzip and GNU's tar.
 *
 * Bundles are kept in ~/.cache/stap by their digest: the last 16 that were used.  The directory must be
 * the user's, and becomes private if it wasn't.  A bundle gets its name when all of it is on the disk.
 * One that was changed or emptied, by a crash for example, is no longer whole, and is asked for again: its
 * size is compared, and its digest where there is sha256sum; without that, it compares its own digest when it runs.
 */
#include "base/arena.h"
#include "remote/host.h"
#include "run/command.h"

/* Its arguments are N, how many of the bundle's options are for modules only, these, and the other options. */
static const char conversation[] =
	"n=$1 own=$2; shift 2; say() { echo \"$n $*\"; }; "
	"say kernel \"$(uname -r)\" \"$(uname -m)\"; "
	"t=$(cd /sys/kernel/btf 2> /dev/null && LC_ALL=C ls); "
	"btf() { (cd /sys/kernel/btf && LC_ALL=C wc -c $t && echo && cat $t); }; "
	"b=$(cd -P \"/lib/modules/$(uname -r)/build\" 2> /dev/null && pwd); "
	"headers() { (cd \"${b%/*}\" && set -- \"${b##*/}\" "
		"$(sed -n \"s|^include ${b%/*}/\\([^/ ]*\\)/Makefile\\$|\\1|p\" \"$b/Makefile\") && "
		"tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -ch \"$@\" | gzip -1n) 2> /dev/null; }; "
	"tell() { what=$1; command -v sha256sum > /dev/null || { say $what 0 sha256sum; return; }; "
		"d=$($what | sha256sum); say $what $($what | wc -c) \"${d%% *}\"; }; "
	"while read -r digest size engine input || exit 1; do "
		"case $digest in "
		"btf) if [ -n \"$t\" ]; then tell btf; else say btf 0; fi ;; "
		"headers) if [ -r \"$b/Makefile\" ] && tar --version 2> /dev/null | grep -q GNU && "
			"command -v gzip > /dev/null; then tell headers; else say headers 0; fi ;; "
		"send) $what ;; "
		"*) break ;; "
		"esac; "
	"done; "
	"d=${XDG_CACHE_HOME:-$HOME/.cache}/stap; f=$d/$digest; "
	"is_own() { ls -nd \"$1\" | { read -r mode links owner rest; [ \"$owner\" = \"$(id -u)\" ]; }; }; "
	"has() { [ \"$(wc -c < \"$1\")\" -eq \"$2\" ]; }; "
	"is_whole() { has \"$1\" \"$size\" && "
		"{ ! command -v sha256sum > /dev/null || [ \"$(sha256sum < \"$1\")\" = \"$digest  -\" ]; }; }; "
	"get() { "
		": > \"$1\" || return; "
		"(was=0; while sleep 5 > /dev/null 2>&1; do "
			"now=$(wc -c < \"$1\"); [ \"$now\" -le $was ] || say got $((was = now)); "
		"done) & w=$!; "
		"head -c \"$size\" > \"$1\"; "
		"kill $w; wait $w 2> /dev/null; is_whole \"$1\"; }; "
	"umask 077; mkdir -p \"$d\" || exit 1; "
	"is_own \"$d/\" || { echo \"$d belongs to another user\" >&2; exit 1; }; "
	"chmod 700 \"$d\" || exit 1; "
	"if [ -x \"$f\" ] && is_own \"$f\" && is_whole \"$f\"; then touch \"$f\"; else "
		"say need; "
		"{ get \"$f.$$\" && chmod 700 \"$f.$$\" && "
			"{ sync \"$f.$$\" 2> /dev/null || sync; } && mv \"$f.$$\" \"$f\"; } || "
				"{ rm -f \"$f.$$\"; exit 1; }; "
		"ls -t \"$d\" | grep -x \"[0-9a-f]\\{64\\}[.0-9]*\" | tail -n +17 | "
			"while read -r old; do rm -f \"$d/$old\"; done; "
	"fi; "
	"[ -x \"$f\" ] || { echo \"no program can be executed in $d (noexec)\" >&2; exit 1; }; "
	"say have; \"$f\" --clock \"$n\" || exit 1; "
	"i=/dev/null; [ -z \"$input\" ] || { i=$d/input.$$; rm -f \"$i\"; mkfifo \"$i\" || exit 1; }; "
	"[ \"$engine\" = module ] || shift \"$own\"; "
	"s=; [ \"$engine\" = user ] || [ \"$(id -u)\" = 0 ] || s=\"sudo -n\"; "
	"say run; ";

/*
 * Runs "$@" until it ends, or standard input does.  That input tells that stap is there: when it ends,
 * because of ^C, or because stap was killed or the network is gone, the bundle gets SIGTERM, prints
 * what end probes print, and removes its module.  The bundle itself relays what comes in it to the FIFO I, the
 * script's input, or to /dev/null (loader/bundle/input.c).  Descriptor 4 keeps both ends of the FIFO from waiting
 * for each other.
 */
static const char while_we_are_here[] =
	"n=$1 i=$2; shift 2; exec 3<&0 4<>\"$i\"; \"$@\" <\"$i\" 3<&- 4<&- & p=$!; "
	"\"$1\" --input \"$n\" $p <&3 >\"$i\" 3<&- 4<&- & w=$!; "
	"wait $p; r=$?; kill $w 2>/dev/null; [ ! -p \"$i\" ] || rm -f \"$i\"; exit $r";

/* Adds TEXT as one word for a shell. */
static void add_quoted(struct sbuf *b, const char *text)
{
	sbuf_putc(b, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			sbuf_puts(b, "'\\''");
		else
			sbuf_putc(b, *text);
	}
	sbuf_putc(b, '\'');
}

static void add_words(struct sbuf *b, const struct command *c)
{
	for (size_t i = 0; i < c->words.n; i++) {
		sbuf_putc(b, ' ');
		add_quoted(b, c->words.v[i]);
	}
}

static const char *quoted(const char *text)
{
	struct sbuf b = { 0 };

	add_quoted(&b, text);
	return sbuf_take(&b);
}

const char *far_side_command(const char *nonce, bool one_stream, const struct command *own,
			     const struct command *options)
{
	const char *script = arena_printf("%sexec %s$s sh -c %s stap \"$n\" \"$i\" \"$f\" \"$@\"", conversation,
					  one_stream ? "\"$f\" --streams " : "", quoted(while_we_are_here));
	struct sbuf b = { 0 };

	sbuf_printf(&b, "exec sh -c %s stap %s %zu", quoted(script), nonce, own->words.n);
	add_words(&b, own);
	add_words(&b, options);
	return sbuf_take(&b);
}
