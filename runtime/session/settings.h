/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of globals from the command line (-G NAME=VALUE). */
#ifndef STAP_SETTINGS_H
#define STAP_SETTINGS_H

/* Allocates the settings when the module is loaded: 0 or -ENOMEM. */
int st_settings_alloc(void);
void st_settings_free(void);

/* Sets a scalar global before the start: 0, or -errno with st_message set. */
int st_settings_set(const char *name, const char *value);

/* Gives counters, which had no memory before, their values. */
void st_settings_apply(void);

#endif
