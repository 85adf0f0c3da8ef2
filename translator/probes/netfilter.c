// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * netfilter.hook("…").pf("…").priority("…"): packets on their way through the
 * kernel's network stack.
 *
 * Hooks, protocol families and priorities are given by their names in the
 * kernel's headers; the numbers are part of the kernel's user-space interface.
 * In guru mode numbers, and any other constant of the kernel, are accepted too.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "lang/lang.h"
#include "families.h"
#include "variables.h"
#include "session.h"

#define DOC "a packet comes by a netfilter hook"

static const struct probe_pattern netfilter_patterns[] = {
	{ "netfilter.hook(s).pf(s)", 0, DOC },
	{ "netfilter.pf(s).hook(s)", 0, DOC },
	{ "netfilter.hook(s).pf(s).priority(s)", 0, DOC },
	{ "netfilter.pf(s).hook(s).priority(s)", 0, DOC },
	{ "netfilter.hook(s).pf(s).priority(n)", 0, DOC },
	{ "netfilter.pf(s).hook(s).priority(n)", 0, DOC },
	{ NULL, 0, NULL },
};

struct netfilter_probe {
	struct probe probe;
	int64_t family, hook, priority;
};

/* ---- names ------------------------------------------------------------- */

struct constant {
	const char *name;
	int value;
};

#define IP(n, v) { "NF_INET_" #n, v }, { "NF_IP_" #n, v }

static const struct constant ipv4_hooks[] = {
	IP(PRE_ROUTING, 0), IP(LOCAL_IN, 1), IP(FORWARD, 2), IP(LOCAL_OUT, 3), IP(POST_ROUTING, 4),
	{ NULL, 0 },
};

#define IP6(n, v) { "NF_INET_" #n, v }, { "NF_IP6_" #n, v }

static const struct constant ipv6_hooks[] = {
	IP6(PRE_ROUTING, 0), IP6(LOCAL_IN, 1), IP6(FORWARD, 2), IP6(LOCAL_OUT, 3),
	IP6(POST_ROUTING, 4),
	{ NULL, 0 },
};

static const struct constant arp_hooks[] = {
	{ "NF_ARP_IN", 0 }, { "NF_ARP_OUT", 1 }, { "NF_ARP_FORWARD", 2 }, { NULL, 0 },
};

static const struct constant bridge_hooks[] = {
	{ "NF_BR_PRE_ROUTING", 0 }, { "NF_BR_LOCAL_IN", 1 }, { "NF_BR_FORWARD", 2 },
	{ "NF_BR_LOCAL_OUT", 3 }, { "NF_BR_POST_ROUTING", 4 }, { NULL, 0 },
};

#define PRIORITIES(ip)							\
	{ ip "_PRI_FIRST", INT_MIN },					\
	{ ip "_PRI_RAW_BEFORE_DEFRAG", -450 },				\
	{ ip "_PRI_CONNTRACK_DEFRAG", -400 },				\
	{ ip "_PRI_RAW", -300 },					\
	{ ip "_PRI_SELINUX_FIRST", -225 },				\
	{ ip "_PRI_CONNTRACK", -200 },					\
	{ ip "_PRI_MANGLE", -150 },					\
	{ ip "_PRI_NAT_DST", -100 },					\
	{ ip "_PRI_FILTER", 0 },					\
	{ ip "_PRI_SECURITY", 50 },					\
	{ ip "_PRI_NAT_SRC", 100 },					\
	{ ip "_PRI_SELINUX_LAST", 225 },				\
	{ ip "_PRI_CONNTRACK_HELPER", 300 },				\
	{ ip "_PRI_CONNTRACK_CONFIRM", INT_MAX },			\
	{ ip "_PRI_LAST", INT_MAX },					\
	{ NULL, 0 }

static const struct constant ipv4_priorities[] = { PRIORITIES("NF_IP") };
static const struct constant ipv6_priorities[] = { PRIORITIES("NF_IP6") };
static const struct constant no_priorities[] = { { NULL, 0 } };

static const struct protocol {
	const char *name;
	int number;
	const struct constant *hooks, *priorities;
} protocols[] = {
	{ "NFPROTO_IPV4", 2, ipv4_hooks, ipv4_priorities },
	{ "NFPROTO_IPV6", 10, ipv6_hooks, ipv6_priorities },
	{ "NFPROTO_ARP", 3, arp_hooks, no_priorities },
	{ "NFPROTO_BRIDGE", 7, bridge_hooks, no_priorities },
};

enum { PROTOCOLS = sizeof(protocols) / sizeof(*protocols) };

static bool is_number(const char *text, int64_t *out)
{
	char *end;

	errno = 0;
	*out = strtoll(text, &end, 0);
	return *text && !*end && !errno && *out >= INT_MIN && *out <= INT_MAX;
}

/* Parses what only guru mode accepts: a number, or an enumerator of the kernel. */
static bool gurus_number(struct session *s, const char *text, int64_t *out)
{
	struct problem ignored = { 0 };

	return s->options.guru && (is_number(text, out) ||
			   !target_enum(s->target, text, NULL, out, &ignored));
}

static const char *names_of(const struct constant *c)
{
	struct sbuf b = { 0 };

	for (; c->name; c++)
		sbuf_printf(&b, "%s%s", b.len ? ", " : "", c->name);
	return b.len ? sbuf_take(&b) : NULL;
}

static bool find_constant(const struct constant *c, const char *name, int64_t *out)
{
	for (; c->name; c++) {
		if (!strcmp(c->name, name)) {
			*out = c->value;
			return true;
		}
	}
	return false;
}

static const struct protocol *find_protocol(int64_t number)
{
	for (size_t i = 0; i < PROTOCOLS; i++)
		if (protocols[i].number == number)
			return &protocols[i];
	return NULL;
}

/* ---- points ------------------------------------------------------------ */

static int set_family(struct session *s, struct netfilter_probe *nf, const char *name,
		      struct family_result *out)
{
	for (size_t i = 0; i < PROTOCOLS; i++) {
		if (!strcmp(protocols[i].name, name)) {
			nf->family = protocols[i].number;
			return 0;
		}
	}
	if (gurus_number(s, name, &nf->family))
		return 0;
	out->why.text = arena_printf("unsupported netfilter protocol family \"%s\"%s", name,
				s->options.guru ? "" : "; need stap -g");
	out->why.hint = "NFPROTO_IPV4, NFPROTO_IPV6, NFPROTO_ARP, NFPROTO_BRIDGE";
	return -1;
}

static int set_hook(struct session *s, struct netfilter_probe *nf, const struct protocol *p,
		    const char *name, struct family_result *out)
{
	if ((p && find_constant(p->hooks, name, &nf->hook)) || gurus_number(s, name, &nf->hook))
		return 0;
	out->why.text = arena_printf("unsupported netfilter hook \"%s\" for protocol family \"%s\"%s",
				name, p ? p->name : "?", s->options.guru ? "" : "; need stap -g");
	out->why.hint = p ? names_of(p->hooks) : NULL;
	return -1;
}

static int set_priority(struct session *s, struct netfilter_probe *nf, const struct protocol *p,
			const struct expr *arg, struct family_result *out)
{
	const char *name;

	if (arg->kind == E_NUM) {
		nf->priority = arg->num;
		name = NULL;
	} else {
		name = arg->str;
	}
	if (name ? is_number(name, &nf->priority) ||
		   (p && find_constant(p->priorities, name, &nf->priority)) ||
		   gurus_number(s, name, &nf->priority)
		 : nf->priority >= INT_MIN && nf->priority <= INT_MAX)
		return 0;
	out->why.text = arena_printf("unsupported netfilter priority \"%s\" for protocol family \"%s\"%s",
				name ? name : "out of range", p ? p->name : "?",
				s->options.guru ? "" : "; need stap -g");
	out->why.hint = p ? names_of(p->priorities) : NULL;
	return -1;
}

static const struct expr *argument(const struct probe_point *point, const char *name)
{
	for (size_t i = 0; i < point->parts.n; i++)
		if (!strcmp(point->parts.v[i].name, name))
			return point->parts.v[i].arg;
	return NULL;
}

static int netfilter_resolve(struct session *s, const struct probe_point *point,
			     const struct probe_pattern *pat, struct family_result *out)
{
	struct netfilter_probe *nf = arena_new(struct netfilter_probe);
	const struct expr *priority = argument(point, "priority");
	const struct protocol *protocol;

	(void)pat;
	add_named_site(&nf->probe, point);
	if (set_family(s, nf, argument(point, "pf")->str, out) < 0)
		return -1;
	protocol = find_protocol(nf->family);
	if (set_hook(s, nf, protocol, argument(point, "hook")->str, out) < 0)
		return -1;
	if (priority && set_priority(s, nf, protocol, priority, out) < 0)
		return -1;
	vec_push(&out->probes, &nf->probe);
	return 0;
}

/* ---- variables --------------------------------------------------------- */

static const struct packet_variable {
	const char *name, *type;	/* the pointer's C type; NULL for a number */
} packet_variables[] = {
	{ "$hooknum", NULL },
	{ "$skb", "struct sk_buff *" },
	{ "$in", "struct net_device *" },
	{ "$out", "struct net_device *" },
	{ "$verdict", NULL },
};

enum { PACKET_VARIABLES = sizeof(packet_variables) / sizeof(*packet_variables) };

static struct fetch member(const struct packet_variable *v)
{
	return (struct fetch){ .load = term_member(SORT_WORD, TERM_PACKET, v->name + 1) };
}

/* Returns an expression for the pointer itself, where a path begins. */
static struct expr *pointer_value(const struct packet_variable *v, struct loc loc)
{
	struct expr *e = expr_new(E_TARGET, loc);

	e->target = arena_new(struct target_var);
	e->target->name = v->name;
	e->access = arena_new(struct access);
	access_set_fetch(e->access, member(v));
	e->type = T_LONG;
	return e;
}

static int pointer_variable(struct session *s, const struct packet_variable *v,
			    const struct target_var *tv, struct loc loc, struct access *acc)
{
	struct fetch got;
	struct step *steps;
	size_t n;

	vec_push(&acc->indexes, pointer_value(v, loc));
	n = target_steps(tv, acc, &steps);
	if (!target_cast(s->target, v->type, "kernel", steps, n, tv->address, &got,
			 &acc->why_not)) {
		access_set_fetch(acc, got);
		return 0;
	}
	if (n || tv->address)
		return -1;
	/* without debug information the pointer itself can still be had */
	acc->indexes.n = 0;
	access_set_fetch(acc, member(v));
	return 0;
}

static int number_variable(const struct packet_variable *v, const struct target_var *tv,
			   struct access *acc)
{
	struct fetch fetch = member(v);

	if (tv->path.n || tv->address) {
		acc->why_not.text = arena_printf("'%s' is a number, which has no members or "
						 "address", v->name);
		return -1;
	}
	if (!strcmp(v->name, "$verdict"))
		fetch.store = term_set_member(TERM_PACKET, "verdict", term_stored());
	access_set_fetch(acc, fetch);
	return 0;
}

static int netfilter_variable(struct session *s, struct probe *p, const struct target_var *tv,
			      struct access *acc)
{
	for (size_t i = 0; i < PACKET_VARIABLES; i++) {
		const struct packet_variable *v = &packet_variables[i];

		if (strcmp(v->name, tv->name))
			continue;
		return v->type ? pointer_variable(s, v, tv, p->point->loc, acc)
			       : number_variable(v, tv, acc);
	}
	acc->why_not.text = "unsupported context variable (alternatives: $hooknum, $skb, $in, $out, "
		       "$verdict)";
	return -1;
}

/* ---- rows -------------------------------------------------------------- */

static void netfilter_row(const struct probe *p, const struct site *site, struct row *out)
{
	const struct netfilter_probe *nf = container_of(p, struct netfilter_probe, probe);

	(void)site;
	row_number(out, "family", nf->family);
	row_number(out, "hook", nf->hook);
	row_number(out, "priority", nf->priority);
}

const struct probe_family family_netfilter = {
	.name = "netfilter",
	.patterns = netfilter_patterns,
	.resolve = netfilter_resolve,
	.variable = netfilter_variable,
	.table = "netfilter",
	.row = netfilter_row,
};
