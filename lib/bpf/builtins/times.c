// SPDX-License-Identifier: GPL-2.0-or-later
/* Builtins that tell the time, and show one as text. */
#include <stdint.h>
#include <time.h>

#include "builtins.h"

enum { DAY = 24 * 60 * 60 };

/* r0 = the time of the day: that of CLOCK_TAI, less the seconds that the kernel says it is ahead. */
static void load_day(struct gen *g, int64_t unit)
{
	struct timespec tai, day;
	int64_t ahead;

	clock_gettime(CLOCK_TAI, &tai);
	clock_gettime(CLOCK_REALTIME, &day);
	ahead = ((tai.tv_sec - day.tv_sec) * 1000000000ll + tai.tv_nsec - day.tv_nsec + 500000000ll) / 1000000000ll;
	code_helper(g->c, BPF_FUNC_ktime_get_tai_ns);
	code_number(g->c, R1, ahead * 1000000000ll);
	code_op_reg(g->c, BPF_SUB, R0, R1);
	if (unit > 1)
		code_op(g->c, BPF_DIV, R0, unit);
}

void put_day(struct gen *g, const struct ir_op *op, int64_t unit)
{
	load_day(g, unit);
	store_word(g, op, R0);
}

void put_clock(struct gen *g, const struct ir_op *op, int64_t unit)
{
	code_helper(g->c, BPF_FUNC_ktime_get_ns);
	if (unit > 1)
		code_op(g->c, BPF_DIV, R0, unit);
	store_word(g, op, R0);
}

/* The clock of the CPU that the first argument says, which is the same for all. */
void put_cpu_clock(struct gen *g, const struct ir_op *op, int64_t unit)
{
	unsigned fine = code_label(g->c);

	load_word(g, R1, &op->args.v[0]);
	code_jump_if(g->c, BPF_JLT, R1, g->plan->cpus, fine);
	fail_number(g, "no such cpu: ", R1, "");
	code_here(g->c, fine);
	put_clock(g, op, unit);
}

/* ---- the time zone: that of the session, which asks when it begins ------------------ */

static struct tm local_time(void)
{
	time_t now = time(NULL);
	struct tm tm = { 0 };

	localtime_r(&now, &tm);
	return tm;
}

void put_zone_west(struct gen *g, const struct ir_op *op, int64_t unused)
{
	(void)unused;
	code_number(g->c, R0, -local_time().tm_gmtoff);
	store_word(g, op, R0);
}

void put_zone_name(struct gen *g, const struct ir_op *op, int64_t unused)
{
	const char *name = local_time().tm_zone;

	(void)unused;
	put_text(g, g->layout->values[op->result], g->layout->value_rooms[op->result], name && *name ? name : "UTC");
}

/* ---- ctime() ---------------------------------------------------------------------- */

static const char *const days[] = { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" };
static const char *const months[] = {
	"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
};

/* What the text has, in its order, behind one another in the frame; names are strings of a word. */
enum { WEEKDAY, MONTH = WEEKDAY + 2, DATE = MONTH + 2, HOUR, MINUTE, SECOND, YEAR, PARTS };

/*
 * Days are counted from March 1st of the year 0, so that a leap day ends a year; 400 years have the same number of
 * days, and the months of a year from March on 153 in each five.
 */
enum { DAYS_TO_1970 = 719468, DAYS_OF_400_YEARS = 146097 };

/* The seconds are made positive by whole days, more than 2^31 of them. */
enum { DAYS_ADDED = 24856 };

struct date {
	struct gen *g;
	unsigned at;
};

static void store_part(const struct date *d, unsigned part, unsigned reg)
{
	code_store(d->g->c, BPF_DW, R9, d->at + 8 * part, reg);
}

/* The part is the name r1 of the N. */
static void store_name(const struct date *d, unsigned part, const char *const *names, unsigned n)
{
	const struct list l = { names, names, n };
	unsigned bounded = code_label(d->g->c);

	put_listed(d->g, d->at + 8 * part, 8, &l, bounded);
	code_here(d->g->c, bounded);
}

/* REG += FROM / BY, or less it.  Changes r3. */
static void add_part(struct gen *g, unsigned op, unsigned reg, unsigned from, int by)
{
	code_op_reg(g->c, BPF_MOV, R3, from);
	code_op(g->c, BPF_DIV, R3, by);
	code_op_reg(g->c, op, reg, R3);
}

/* Of r1, seconds from DAYS_ADDED before 1970 on: stores the time of the day; r1 = the days. */
static void split_day(const struct date *d)
{
	struct code *c = d->g->c;

	code_op_reg(c, BPF_MOV, R2, R1);
	code_op(c, BPF_MOD, R2, DAY);
	code_op_reg(c, BPF_MOV, R3, R2);
	code_op(c, BPF_DIV, R3, 60 * 60);
	store_part(d, HOUR, R3);
	code_op_reg(c, BPF_MOV, R3, R2);
	code_op(c, BPF_DIV, R3, 60);
	code_op(c, BPF_MOD, R3, 60);
	store_part(d, MINUTE, R3);
	code_op(c, BPF_MOD, R2, 60);
	store_part(d, SECOND, R2);
	code_op(c, BPF_DIV, R1, DAY);
}

/* r0, r1 = the year that begins in March, and its day, from 0 on, of the day r1 since March of year 0 */
static void split_years(struct gen *g)
{
	code_op_reg(g->c, BPF_MOV, R0, R1);
	code_op(g->c, BPF_DIV, R0, DAYS_OF_400_YEARS);
	code_op(g->c, BPF_MUL, R0, 400);
	code_op(g->c, BPF_MOD, R1, DAYS_OF_400_YEARS);
	code_op_reg(g->c, BPF_MOV, R2, R1);
	add_part(g, BPF_SUB, R2, R1, 4 * 365);
	add_part(g, BPF_ADD, R2, R1, 36524);
	add_part(g, BPF_SUB, R2, R1, DAYS_OF_400_YEARS - 1);
	code_op(g->c, BPF_DIV, R2, 365);
	code_op_reg(g->c, BPF_ADD, R0, R2);
	code_op_reg(g->c, BPF_MOV, R3, R2);
	code_op(g->c, BPF_MUL, R3, 365);
	code_op_reg(g->c, BPF_SUB, R1, R3);
	add_part(g, BPF_SUB, R1, R2, 4);
	add_part(g, BPF_ADD, R1, R2, 100);
}

/* Stores the year, which begins in January, and the date, of split_years(); r1 = the month, from 0 on. */
static void split_months(const struct date *d)
{
	struct code *c = d->g->c;
	unsigned same = code_label(c);

	code_op_reg(c, BPF_MOV, R2, R1);
	code_op(c, BPF_MUL, R2, 5);
	code_op(c, BPF_ADD, R2, 2);
	code_op(c, BPF_DIV, R2, 153);
	code_op_reg(c, BPF_MOV, R3, R2);
	code_op(c, BPF_MUL, R3, 153);
	code_op(c, BPF_ADD, R3, 2);
	code_op(c, BPF_DIV, R3, 5);
	code_op_reg(c, BPF_SUB, R1, R3);
	code_op(c, BPF_ADD, R1, 1);
	store_part(d, DATE, R1);
	code_op(c, BPF_ADD, R2, 2);		/* March is 2 */
	code_jump_if(c, BPF_JLT, R2, 12, same);
	code_op(c, BPF_SUB, R2, 12);
	code_op(c, BPF_ADD, R0, 1);
	code_here(c, same);
	store_part(d, YEAR, R0);
	code_op_reg(c, BPF_MOV, R1, R2);
}

/* The value of a format: loads the number or tells where the name is. */
static unsigned put_part(void *arg, unsigned i, unsigned *room)
{
	static const unsigned char parts[] = { WEEKDAY, MONTH, DATE, HOUR, MINUTE, SECOND, YEAR };
	const struct date *d = arg;
	unsigned at = d->at + 8 * parts[i];

	*room = 8;
	code_load(d->g->c, BPF_DW, R0, R9, at);
	return at;
}

/* Shows the time that the first argument is, or now. */
void put_ctime(struct gen *g, const struct ir_op *op, int64_t unused)
{
	unsigned at = g->layout->values[op->result], room = g->layout->value_rooms[op->result];
	unsigned late = code_label(g->c), early = code_label(g->c), done = code_label(g->c);
	struct date d = { g, take(g, 8 * PARTS) };

	(void)unused;
	clear_bytes(g, at, STRING_BYTES + room);
	if (op->args.n)
		load_word(g, R0, &op->args.v[0]);
	else
		load_day(g, 1000000000);
	code_op_reg(g->c, BPF_MOV, R1, R0);
	code_jump_if(g->c, BPF_JSGT, R1, INT32_MAX, late);
	code_jump_if(g->c, BPF_JSLT, R1, INT32_MIN, early);
	code_number(g->c, R2, (int64_t)DAYS_ADDED * DAY);
	code_op_reg(g->c, BPF_ADD, R1, R2);
	split_day(&d);
	code_op(g->c, BPF_ADD, R1, DAYS_TO_1970 - DAYS_ADDED);
	code_op_reg(g->c, BPF_MOV, R7, R1);
	split_years(g);
	split_months(&d);
	store_name(&d, MONTH, months, 12);
	code_op_reg(g->c, BPF_MOV, R1, R7);
	code_op(g->c, BPF_ADD, R1, 3);		/* that March 1st was a Wednesday */
	code_op(g->c, BPF_MOD, R1, 7);
	store_name(&d, WEEKDAY, days, 7);
	put_format(g, at, room, "%s %s %2d %02d:%02d:%02d %d", put_part, &d);
	code_jump(g->c, done);
	code_here(g->c, late);
	fail(g, "Time too far in the future to be converted");
	code_jump(g->c, done);
	code_here(g->c, early);
	fail(g, "Time too far in the past to be converted");
	code_here(g->c, done);
}
