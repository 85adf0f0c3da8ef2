// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The session: what happens to a loaded module from its start to its end.
 *
 * Starting allocates all that handlers will need, runs the begin probes, then
 * arms the families in their order.  Stopping is the reverse, is possible in any
 * state, and leaves a session that can only be removed.  Both run in process
 * context, one at a time.
 */
#include <linux/init.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

#include "core/report.h"
#include "core/state.h"
#include "data/globals.h"
#include "handler/acts.h"
#include "handler/conditions.h"
#include "handler/context.h"
#include "handler/hits.h"
#include "handler/overload.h"
#include "handler/print.h"
#include "handler/ring.h"
#include "handler/timing.h"
#include "life/loader.h"
#include "life/starter.h"
#include "life/wake.h"
#include "life/watchers.h"
#include "memory/cold.h"
#include "memory/files.h"
#include "memory/missing.h"
#include "memory/space.h"
#include "memory/wait.h"
#include "probes/bases.h"
#include "probes/begin.h"
#include "probes/mutex.h"
#include "process/program.h"
#include "user/stack.h"
#include "user/symbols.h"
#include "control.h"
#include "families.h"
#include "session.h"
#include "settings.h"
#include "trace.h"

static DEFINE_MUTEX(st_session_mutex);
static bool st_allocated;

int st_session_set(const char *name, const char *value)
{
	int err;

	st_mutex_lock_idle(&st_session_mutex);
	err = st_settings_set(name, value);
	mutex_unlock(&st_session_mutex);
	return err;
}

int st_session_base(unsigned int base, unsigned long address, bool kprobes_may)
{
	int err;

	st_mutex_lock_idle(&st_session_mutex);
	err = st_not_started();
	if (!err)
		err = st_base_set(base, address, kprobes_may);
	mutex_unlock(&st_session_mutex);
	return err;
}

/* ---- starting --------------------------------------------------------------- */

static int session_alloc(void)
{
	int err = st_program_check();

	if (!err)
		err = st_contexts_alloc(sizeof(struct st_user_stack));
	if (err)
		return err;
	err = st_space_start();
	if (err)
		goto contexts;
	err = st_rings_alloc();
	if (err)
		goto space;
	err = st_maps_alloc(st_message, sizeof(st_message));
	if (err)
		goto rings;
	err = st_hits_alloc();
	if (err)
		goto maps;
	err = st_timing_alloc();
	if (err)
		goto hits;
	err = st_conditions_prepare(st_families_refresh);
	if (!err)
		err = st_families_prepare();
	if (err)
		goto families;
	st_settings_apply();
	st_overload_begin();
	st_starter_take();
	WRITE_ONCE(st_counts.since, ktime_get_real_seconds());
	st_allocated = true;
	return 0;

families:
	st_families_release();
	st_conditions_release();
	st_timing_free();
hits:
	st_hits_free();
maps:
	st_maps_free();
rings:
	st_rings_free();
space:
	st_space_stop();
contexts:
	st_contexts_free();
	return err;
}

static void session_free(void)
{
	if (!st_allocated)
		return;
	st_families_release();
	st_conditions_release();
	st_timing_free();
	st_hits_free();
	st_maps_free();
	st_rings_free();
	st_contexts_free();
	st_allocated = false;
}

static int session_start(void)
{
	int err = st_not_started();

	if (!err)
		err = session_alloc();
	if (err)
		return err;
	st_session_begin();
	st_run_begin_probes();
	if (st_leaving)
		st_session_end(false, NULL);
	if (READ_ONCE(st_state) != ST_STARTING)
		return 0;
	st_conditions_start();
	if (READ_ONCE(st_state) != ST_STARTING)
		return 0;
	err = st_families_arm();
	if (err)
		st_session_end(true, NULL);
	return err;
}

int st_session_start(void)
{
	int err;

	st_mutex_lock_idle(&st_session_mutex);
	err = session_start();
	mutex_unlock(&st_session_mutex);
	return err;
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

/*
 * Stops the session.  After the first cmpxchg in st_session_end() no interrupt changes the state
 * any more.
 */
static void session_stop(void)
{
	if (st_state == ST_LOADED) {
		WRITE_ONCE(st_state, ST_STOPPED);
		return;
	}
	st_session_end(false, NULL);
	st_waits_end();
	st_families_disarm();
	st_conditions_stop();
	st_families_count_missed();
	if (st_session_why())
		st_tell(ST_FMT_ERROR, "%s", st_session_why());
	st_trace_settle();
	st_run_end_probes();
	st_space_stop();
	st_cold_stop();
	st_missing_tell();
	st_bound_check();
	st_acts_stop();
	st_timing_report();
	tell_locks();
	WRITE_ONCE(st_state, ST_STOPPED);
}

void st_session_stop(void)
{
	/* Makes a start that is under way give up. */
	st_session_end(false, NULL);
	st_mutex_lock_idle(&st_session_mutex);
	if (st_state != ST_STOPPED) {
		session_stop();
		st_trace_close();
	}
	mutex_unlock(&st_session_mutex);
}

/* ---- without a loader --------------------------------------------------------- */

static void stop_detached(struct work_struct *work)
{
	st_session_stop();
}

static DECLARE_WORK(st_stop_work, stop_detached);

int st_session_detach(void)
{
	int err;

	st_mutex_lock_idle(&st_session_mutex);
	if (st_state == ST_LOADED)
		err = st_fail(-EINVAL, "the session is not running");
	else if (st_detached())
		err = st_fail(-EINVAL, "the session is detached already");
	else
		err = st_trace_detach();
	if (!err) {
		st_set_detached(&st_stop_work);
		st_wake();		/* it may be exiting already */
	}
	mutex_unlock(&st_session_mutex);
	return err;
}

int st_session_attach(void)
{
	int err = 0;

	st_mutex_lock_idle(&st_session_mutex);
	if (!st_detached())
		err = st_fail(-EBUSY, "another staprun is attached");
	else
		st_trace_attach();
	if (!err) {
		st_loader_take();
		st_set_detached(NULL);
	}
	mutex_unlock(&st_session_mutex);
	return err;
}

/* ---- the module --------------------------------------------------------------- */

static int __init st_init(void)
{
	int err = st_rings_create();

	if (err)
		return err;
	err = st_settings_alloc();
	if (err)
		goto rings;
	err = st_modules_watch();
	if (err)
		goto settings;
	st_loader_take();
	err = st_control_create();
	if (err)
		goto modules;
	st_loader_look();
	if (st_program.init_hook)
		st_program.init_hook();
	return 0;

modules:
	st_notify_forget();
	st_loader_forget();
	st_modules_unwatch();
settings:
	st_settings_free();
rings:
	st_rings_destroy();
	return err;
}

static void __exit st_cleanup(void)
{
	st_session_stop();
	if (st_program.exit_hook)
		st_program.exit_hook();
	st_control_remove();
	st_loader_forget();
	st_modules_unwatch();
	session_free();
	st_starter_drop();
	st_bound_drop();
	st_files_close();
	st_files_free();
	st_symbols_free();
	st_notify_forget();
	cancel_work_sync(&st_stop_work);
	st_settings_free();
	st_rings_destroy();
}

module_init(st_init);
module_exit(st_cleanup);
MODULE_LICENSE("GPL");
