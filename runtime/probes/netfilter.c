// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Netfilter hooks, in every network namespace, including those created later.
 *
 * A hook decides what happens to the packet: it is accepted, unless the script has
 * set $verdict.
 */
#include <linux/netfilter.h>
#include <linux/netfilter_arp.h>
#include <linux/netfilter_bridge.h>
#include <linux/slab.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>

#include "core/report.h"
#include "handler/handler.h"
#include "family.h"

static struct nf_hook_ops *st_hooks;
static const struct st_netfilter *st_netfilters;
static unsigned int st_nhooks;
static bool st_hooked;

/* Our hooks in a network namespace. */
struct st_hooked_net {
	unsigned int n;			/* the first so many hooks */
};

static unsigned int st_net_id;

/* The first hook that was refused while arming, and why; NULL if none was. */
static const struct st_netfilter *st_hook_refused;
static int st_hook_error;

/* Accepts the packet if the verdict is one that the kernel doesn't define. */
static unsigned int known_verdict(st_long verdict)
{
	switch (verdict & NF_VERDICT_MASK) {
	case NF_DROP:
	case NF_STOLEN:
	case NF_QUEUE:
		return verdict;
	default:
		return NF_ACCEPT;
	}
}

static unsigned int hook_hit(void *priv, struct sk_buff *skb, const struct nf_hook_state *state)
{
	const struct st_netfilter *netfilter = priv;
	struct st_context *x = st_enter(&netfilter->point, ST_RUNNING);
	struct st_packet packet;

	if (!x)
		return NF_ACCEPT;
	packet = (struct st_packet){
		.hooknum = state->hook,
		.skb = (unsigned long)skb,
		.in = (unsigned long)state->in,
		.out = (unsigned long)state->out,
		.verdict = NF_ACCEPT,
	};
	x->c.saved = (char *)&packet;
	netfilter->point.probe->handler(&x->c);
	st_leave_handler(x);
	return known_verdict(packet.verdict);
}

/* ---- namespaces -------------------------------------------------------------- */

/*
 * Notes a refused hook. A namespace that is created later goes without the hooks that it refuses,
 * whose hits are missed.
 */
static void hook_refused(unsigned int i, int err)
{
	if (st_hooked) {
		atomic_long_inc(&st_counts.missed);
	} else if (!st_hook_refused) {
		st_hook_refused = &st_netfilters[i];
		st_hook_error = err;
	}
}

/*
 * Adds our hooks to a namespace. Not __net_init, because without CONFIG_NET_NS that is freed when
 * the module is loaded, and we are called later.
 */
static int net_came(struct net *net)
{
	struct st_hooked_net *hooked = net_generic(net, st_net_id);
	int err = 0;

	for (hooked->n = 0; hooked->n < st_nhooks; hooked->n++) {
		err = nf_register_net_hook(net, &st_hooks[hooked->n]);
		if (err)
			break;
	}
	if (err)
		hook_refused(hooked->n, err);
	return 0;
}

/* Removes from a namespace only the hooks that it has, because the kernel warns of others. */
static void net_goes(struct net *net)
{
	struct st_hooked_net *hooked = net_generic(net, st_net_id);

	nf_unregister_net_hooks(net, st_hooks, hooked->n);
}

static struct pernet_operations st_nets = {
	.init = net_came,
	.exit = net_goes,
	.id = &st_net_id,
	.size = sizeof(struct st_hooked_net),
};

/* ---- the family --------------------------------------------------------------- */

/* Returns how many hooks the kernel has for a protocol family; 0 if it lacks the family. */
static unsigned int hooks_of(unsigned int family)
{
	switch (family) {
	case NFPROTO_IPV4:
	case NFPROTO_IPV6:
		return NF_INET_POST_ROUTING + 1;
#ifdef CONFIG_NETFILTER_FAMILY_ARP
	case NFPROTO_ARP:
		return NF_ARP_FORWARD + 1;
#endif
#ifdef CONFIG_NETFILTER_FAMILY_BRIDGE
	case NFPROTO_BRIDGE:
		return NF_BR_POST_ROUTING + 1;
#endif
	default:
		return 0;
	}
}

static int netfilter_prepare(const void *items, unsigned int n)
{
	unsigned int i;

	st_netfilters = items;
	st_hooks = kvcalloc(n, sizeof(*st_hooks), GFP_KERNEL);
	if (!st_hooks)
		return st_fail(-ENOMEM, "no memory for %u netfilter hooks", n);
	st_nhooks = n;
	for (i = 0; i < n; i++) {
		if (st_netfilters[i].hook >= hooks_of(st_netfilters[i].family))
			return st_fail(-EOPNOTSUPP, "%s: this kernel has no such hook",
				       st_netfilters[i].point.pp);
		st_hooks[i].hook = hook_hit;
		st_hooks[i].priv = (void *)&st_netfilters[i];
		st_hooks[i].pf = st_netfilters[i].family;
		st_hooks[i].hooknum = st_netfilters[i].hook;
		st_hooks[i].priority = st_netfilters[i].priority;
	}
	return 0;
}

static int netfilter_arm(void)
{
	int err = register_pernet_subsys(&st_nets);

	if (err)
		return st_fail(err, "netfilter hooks can't be registered (rc %d)", err);
	st_hooked = true;
	if (st_hook_refused)
		return st_fail(st_hook_error, "%s: the kernel refuses the hook (rc %d)",
			       st_hook_refused->point.pp, st_hook_error);
	return 0;
}

static void netfilter_disarm(void)
{
	if (st_hooked)
		unregister_pernet_subsys(&st_nets);
	st_hooked = false;
	synchronize_rcu();
}

static void netfilter_release(void)
{
	st_nhooks = 0;
	kvfree(st_hooks);
	st_hooks = NULL;
}

const struct st_family st_netfilter_family = {
	.name = "netfilter",
	.prepare = netfilter_prepare,
	.arm = netfilter_arm,
	.disarm = netfilter_disarm,
	.release = netfilter_release,
};
