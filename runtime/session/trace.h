/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader's side of the trace: the operations of .trace (abi/transport.h), and its modes. */
#ifndef STAP_TRACE_H
#define STAP_TRACE_H

#include <linux/fs.h>

ssize_t st_trace_read(struct file *file, char __user *buf, size_t count, loff_t *pos);
ssize_t st_trace_write(struct file *file, const char __user *buf, size_t count, loff_t *pos);
int st_trace_mmap(struct file *file, struct vm_area_struct *vma);
long st_trace_ioctl(struct file *file, unsigned int command, unsigned long argument);

/* Sets how long a read waits for further records when it has one.  Before the start. */
void st_trace_gather(unsigned int ms);

/*
 * Let the oldest records make room for new ones, because nobody reads, and end that. detach()
 * returns 0, or -EBUSY with st_message set while .trace has a reader.
 */
int st_trace_detach(void);
void st_trace_attach(void);

/*
 * Waits, for three seconds at most, while a ring is more than half full and the reader goes on
 * taking: a report that end probes print finds room behind a flood.
 */
void st_trace_settle(void);

/*
 * Closes the trace.  No record follows, so the reader gets the end of file when it has taken all.
 */
void st_trace_close(void);

#endif
