// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The session: what happens to a loaded module from its start to its end.
 *
 * Starting allocates all that handlers will need, runs the begin probes, then
 * arms the families in their order.  Stopping is the reverse, may follow any
 * state, and leaves a session that can only be removed.  Both run in process
 * context, one at a time.
 */
#include <linux/init.h>
#include <linux/mutex.h>
#include <linux/sched/signal.h>

#include "context.h"
#include "starter.h"
#include "timing.h"

enum st_state st_state = ST_LOADED;
int st_target;
struct st_counts st_counts;
char st_message[256];

static DEFINE_MUTEX(st_session_mutex);
static DEFINE_MUTEX(st_arming_mutex);	/* inside: what is armed; taken by refreshing too */
bool st_leaving;
static bool st_failed;			/* the end is an error's */
static const char *st_why;
static bool st_allocated;
static bool st_detached;		/* goes on though nobody watches over it */

#define ADDRESS_OF(name) &st_##name##_family,

static const struct st_family *const st_families[] = {
	ST_FAMILIES(ADDRESS_OF, ST_NOTHING)
};

/* Families prepared and armed: those before. */
static unsigned int st_nprepared, st_narmed;

/* Settings of counters, which have no memory yet when they are set. */
struct st_setting {
	bool given;
	st_long value;
};

static struct st_setting *st_settings;

int st_fail(int err, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vscnprintf(st_message, sizeof(st_message), fmt, args);
	va_end(args);
	return err;
}

void st_tell(unsigned short format, const char *fmt, ...)
{
	u64 words[64];
	char *item = (char *)words;
	va_list args;
	u32 len;

	va_start(args, fmt);
	len = vscnprintf(item + 6, sizeof(words) - 6, fmt, args);
	va_end(args);
	memcpy(item, &format, 2);
	memcpy(item + 2, &len, 4);
	preempt_disable();
	st_commit(ST_TASK, false, false, words, 6 + len);
	preempt_enable();
}

void st_session_end(bool failed, const char *why)
{
	enum st_state was = cmpxchg(&st_state, ST_RUNNING, ST_EXITING);

	if (was == ST_STARTING)
		was = cmpxchg(&st_state, ST_STARTING, ST_EXITING);
	if (failed)
		WRITE_ONCE(st_failed, true);
	if (was != ST_RUNNING && was != ST_STARTING)
		return;
	WRITE_ONCE(st_why, why);
	st_wake();
}

void st_exit(struct st_ctx *c)
{
	if (READ_ONCE(st_state) == ST_STARTING)
		WRITE_ONCE(st_leaving, true);
	else
		st_session_end(false, NULL);
}

/* Who loads a module that is to be probed is not who starts the session, and who starts it
 * may outlive the loader. */
bool st_arming_goes_on(void)
{
	enum st_state state;

	cond_resched();
	state = READ_ONCE(st_state);
	return state == ST_RUNNING || (state < ST_RUNNING && !fatal_signal_pending(current) &&
				       !st_loader_gone());
}

int st_not_started(void)
{
	switch (READ_ONCE(st_state)) {
	case ST_LOADED:
		return 0;
	case ST_STOPPED:
		return st_fail(-ECANCELED, "already stopped");
	default:
		return st_fail(-EBUSY, "already started");
	}
}

int st_session_base(unsigned int base, unsigned long address, bool kprobes_may)
{
	int err;

	mutex_lock(&st_session_mutex);
	err = st_not_started();
	if (!err)
		err = st_base_told(base, address, kprobes_may);
	mutex_unlock(&st_session_mutex);
	return err;
}

/* ---- globals from the command line ------------------------------------------ */

static const struct st_global *global_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < st_program.nglobals; i++)
		if (!strcmp(st_program.globals[i].name, name))
			return &st_program.globals[i];
	return NULL;
}

static int set_string(const struct st_global *g, const char *value)
{
	struct st_strvar *v = g->slot;

	if (!v->buf)
		return st_fail(-EINVAL, "%s can't be set", g->name);
	v->s.p = v->buf;
	v->s.len = strscpy(v->buf, value, st_program.maxstringlen) < 0 ?
		   st_program.maxstringlen - 1 : strlen(value);
	return 0;
}

static int set_number(const struct st_global *g, const char *value)
{
	st_long n;
	int err = kstrtoll(value, 0, &n);

	if (err == -EINVAL)
		return st_fail(err, "%s is a number, \"%s\" is not", g->name, value);
	if (err)
		return st_fail(err, "%s is too big a number for %s", value, g->name);
	if (g->kind == ST_G_LONG)
		*(st_long *)g->slot = n;
	else
		st_settings[g - st_program.globals] = (struct st_setting){ true, n };
	return 0;
}

static int set_global(const char *name, const char *value)
{
	const struct st_global *g = global_find(name);
	int err = st_not_started();

	if (err)
		return err;
	if (!g)
		return st_fail(-ENOENT, "the script has no global variable %s", name);
	if (g->kind == ST_G_STRING)
		return set_string(g, value);
	if (g->kind == ST_G_LONG || g->kind == ST_G_COUNTER)
		return set_number(g, value);
	return st_fail(-EINVAL, "%s is not a scalar", name);
}

int st_session_set(const char *name, const char *value)
{
	int err;

	mutex_lock(&st_session_mutex);
	err = set_global(name, value);
	mutex_unlock(&st_session_mutex);
	return err;
}

static void apply_settings(void)
{
	unsigned int i;

	for (i = 0; i < st_program.nglobals; i++)
		if (st_settings[i].given)
			st_counter_set(*(struct st_counter **)st_program.globals[i].slot,
				       st_settings[i].value);
}

/* ---- starting --------------------------------------------------------------- */

static const struct st_table *family_table(const struct st_family *family)
{
	unsigned int i;

	for (i = 0; i < st_program.ntables; i++)
		if (!strcmp(st_program.tables[i].family, family->name))
			return &st_program.tables[i];
	return NULL;
}

static int families_prepare(void)
{
	for (; st_nprepared < ARRAY_SIZE(st_families); st_nprepared++) {
		const struct st_family *family = st_families[st_nprepared];
		const struct st_table *table = family_table(family);
		int err = table ? family->prepare(table->items, table->n) : 0;

		if (err) {
			family->release();
			return err;
		}
	}
	return 0;
}

static void families_release(void)
{
	while (st_nprepared)
		st_families[--st_nprepared]->release();
}

/* With the arming mutex. */
static int families_arm_each(void)
{
	for (; st_narmed < ARRAY_SIZE(st_families); st_narmed++) {
		const struct st_family *family = st_families[st_narmed];
		int err = family_table(family) ? family->arm() : 0;

		if (err) {
			family->disarm();
			return err;
		}
	}
	return 0;
}

static int families_arm(void)
{
	int err;

	mutex_lock(&st_arming_mutex);
	err = families_arm_each();
	if (!err)
		cmpxchg(&st_state, ST_STARTING, ST_RUNNING);
	mutex_unlock(&st_arming_mutex);
	return err;
}

static void families_disarm(void)
{
	mutex_lock(&st_arming_mutex);
	while (st_narmed)
		if (family_table(st_families[--st_narmed]))
			st_families[st_narmed]->disarm();
	mutex_unlock(&st_arming_mutex);
	st_conditions_stop();
}

void st_families_refresh(void)
{
	unsigned int i;

	mutex_lock(&st_arming_mutex);
	for (i = 0; i < st_narmed && READ_ONCE(st_state) == ST_RUNNING; i++)
		if (st_families[i]->refresh && family_table(st_families[i]))
			st_families[i]->refresh();
	mutex_unlock(&st_arming_mutex);
}

static void count_missed(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(st_families); i++)
		if (st_families[i]->missed && family_table(st_families[i]))
			atomic_long_add(st_families[i]->missed(), &st_counts.missed);
}

static int session_alloc(void)
{
	int err = st_program_check();

	if (!err)
		err = st_contexts_alloc();
	if (err)
		return err;
	err = st_transport_alloc();
	if (err)
		goto contexts;
	err = st_maps_alloc(st_message, sizeof(st_message));
	if (err)
		goto transport;
	err = st_timing_alloc();
	if (err)
		goto maps;
	err = st_conditions_prepare();
	if (!err)
		err = families_prepare();
	if (err)
		goto families;
	apply_settings();
	st_starter_take();
	st_allocated = true;
	return 0;

families:
	families_release();
	st_conditions_release();
	st_timing_free();
maps:
	st_maps_free();
transport:
	st_transport_free();
contexts:
	st_contexts_free();
	return err;
}

static void session_free(void)
{
	if (!st_allocated)
		return;
	families_release();
	st_conditions_release();
	st_timing_free();
	st_maps_free();
	st_transport_free();
	st_contexts_free();
	st_starter_drop();
	st_allocated = false;
}

static int session_start(void)
{
	int err = st_not_started();

	if (!err)
		err = session_alloc();
	if (err)
		return err;
	WRITE_ONCE(st_state, ST_STARTING);
	st_run_begin_probes();
	if (st_leaving)
		st_session_end(false, NULL);
	if (READ_ONCE(st_state) != ST_STARTING)
		return 0;
	st_conditions_start();
	if (READ_ONCE(st_state) != ST_STARTING)
		return 0;
	err = families_arm();
	if (err)
		st_session_end(true, NULL);
	return err;
}

int st_session_start(void)
{
	int err;

	mutex_lock(&st_session_mutex);
	err = session_start();
	mutex_unlock(&st_session_mutex);
	return err;
}

bool st_session_failed(void)
{
	return READ_ONCE(st_failed);
}

/* ---- stopping --------------------------------------------------------------- */

static void tell_locks(void)
{
	unsigned int i;

	for (i = 0; i < st_program.nglobals; i++)
		if (st_program.locks[i].timed_out)
			st_tell(ST_FMT_WARN, "Skipped due to global '%s' lock timeout: %u",
				st_program.globals[i].name, st_program.locks[i].timed_out);
}

/* What an interrupt's last moment may still do to the state is over by then. */
static void session_stop(void)
{
	if (st_state == ST_LOADED) {
		WRITE_ONCE(st_state, ST_STOPPED);
		return;
	}
	st_session_end(false, NULL);
	families_disarm();
	count_missed();
	if (st_why)
		st_tell(ST_FMT_ERROR, "%s", st_why);
	st_run_end_probes();
	st_timing_report();
	tell_locks();
	WRITE_ONCE(st_state, ST_STOPPED);
}

void st_session_stop(void)
{
	/* A start that is under way hears of it. */
	st_session_end(false, NULL);
	mutex_lock(&st_session_mutex);
	if (st_state != ST_STOPPED) {
		session_stop();
		st_transport_close();
	}
	mutex_unlock(&st_session_mutex);
}

/* Counts the descriptors through which a loader watches over the session. */
static atomic_t st_opens;

void st_opened(void)
{
	atomic_inc(&st_opens);
}

void st_closed(void)
{
	if (!atomic_dec_and_test(&st_opens) || READ_ONCE(st_detached))
		return;
	if (READ_ONCE(st_state) != ST_LOADED)
		st_session_stop();
	st_loader_look();
}

bool st_session_watched(void)
{
	return atomic_read(&st_opens) || READ_ONCE(st_detached);
}

/* ---- flight recorder ---------------------------------------------------------- */

int st_session_detach(void)
{
	int err;

	mutex_lock(&st_session_mutex);
	if (st_state == ST_LOADED || st_state == ST_STOPPED || st_detached)
		err = st_fail(-EINVAL, "nothing runs here to be left alone");
	else
		err = st_transport_detach();
	if (!err)
		WRITE_ONCE(st_detached, true);
	mutex_unlock(&st_session_mutex);
	return err;
}

int st_session_attach(void)
{
	int err = 0;

	mutex_lock(&st_session_mutex);
	if (!st_detached)
		err = st_fail(-EBUSY, "another staprun is attached");
	else
		st_transport_attach();
	if (!err) {
		st_loader_take();
		WRITE_ONCE(st_detached, false);
	}
	mutex_unlock(&st_session_mutex);
	return err;
}

bool st_session_detached(void)
{
	return READ_ONCE(st_detached);
}

/* ---- the module -------------------------------------------------------------- */

static int __init st_init(void)
{
	int err;

	st_settings = st_data_alloc((st_program.nglobals + 1) * sizeof(*st_settings), NUMA_NO_NODE);
	if (!st_settings)
		return -ENOMEM;
	err = st_modules_watch();
	if (err)
		goto settings;
	st_loader_take();
	err = st_control_create();
	if (err)
		goto modules;
	st_loader_look();
	return 0;

modules:
	st_loader_forget();
	st_modules_unwatch();
settings:
	kvfree(st_settings);
	return err;
}

static void __exit st_cleanup(void)
{
	st_session_stop();
	st_control_remove();
	st_loader_forget();
	st_modules_unwatch();
	session_free();
	st_transport_forget();
	kvfree(st_settings);
}

module_init(st_init);
module_exit(st_cleanup);
MODULE_LICENSE("GPL");
