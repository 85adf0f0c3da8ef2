/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --follow: the session's bound (handler/bound.h) has more processes than the cgroup has now.
 *
 * With a cgroup these are the processes that were in it when the session started, and all that a process in
 * it, or one of these, creates, wherever they are moved later.  Without one they are the target's
 * (target.h): then all probes are bounded by -c or -x.
 */
#ifndef STAP_FOLLOWED_H
#define STAP_FOLLOWED_H

/* Has processes followed when the session starts. */
void st_followed_want(void);

/*
 * Begin and end to follow them, if that is wanted: before the first place is armed, after the last is
 * disarmed.  Return and context as st_tree_watch()'s; a second unwatch() does nothing.
 */
int st_followed_watch(void);
void st_followed_unwatch(void);

#endif
