// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Detaches programs, by closing their links.
 *
 * When the last descriptor of a kprobe's event is closed, the kernel waits for RCU's grace periods, one event
 * after another.  It waits for several at the same time if several threads close some.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "internal.h"

/* As many threads, each for so many descriptors or more. */
enum { THREADS_MOST = 32, EACH_LEAST = 16 };

/* An event and its link: whoever closes the second of them waits. */
enum { AT_ONCE = 2 };

struct closing {
	const int *fds;
	size_t n;
	atomic_size_t next;
};

static void *close_some(void *arg)
{
	struct closing *c = arg;
	size_t i;

	while ((i = atomic_fetch_add(&c->next, AT_ONCE)) < c->n)
		for (size_t j = i; j < c->n && j < i + AT_ONCE; j++)
			close(c->fds[j]);
	return NULL;
}

/* Starts a thread that no signal reaches.  Returns 0, or an error. */
static int start(pthread_t *thread, struct closing *c)
{
	sigset_t all, before;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(thread, NULL, close_some, c);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return err;
}

void close_links(struct handlers *h)
{
	struct closing c = { .fds = h->links.v, .n = h->links.n };
	pthread_t threads[THREADS_MOST];
	unsigned n = 0;

	while (n < THREADS_MOST && n + 1 < c.n / EACH_LEAST && !start(&threads[n], &c))
		n++;
	close_some(&c);
	while (n > 0)
		pthread_join(threads[--n], NULL);
	h->links.n = 0;
}
