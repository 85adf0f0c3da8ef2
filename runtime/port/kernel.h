/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The port to the kernel: its own headers (port.h). */
#ifndef STAP_PORT_KERNEL_H
#define STAP_PORT_KERNEL_H

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/processor.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/time.h>
#include <linux/topology.h>

#endif
