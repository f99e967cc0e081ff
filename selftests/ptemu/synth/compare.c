// SPDX-License-Identifier: GPL-2.0-only
/* Compares what libipt decodes with the truth. */
#include <intel-pt.h>
#include <stdlib.h>

#include "libipt.h"

/* What libipt does not report, and what no packet shows. */
static bool is_compared(const struct record *r)
{
	switch (r->kind) {
	case RECORD_INSN:
		return !r->is_lost;
	case RECORD_TX:
		/* Without FUP, where nothing is traced, it is a state and no event. */
		return r->has_ip;
	case RECORD_PSB:
	case RECORD_PEBS:
	case RECORD_PEBS_ITEM:
		return false;
	}
	return true;
}

static int compare_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int order_of(const void *a, const void *b)
{
	const struct record *x = a, *y = b;
	int order = (int)x->kind - (int)y->kind;

	if (!order)
		order = compare_u64(x->a, y->a);
	return order ? order : compare_u64(x->b, y->b);
}

/* Events without an address, which libipt reports when it reads the packet, not in their place. */
static bool is_free(const struct record *r)
{
	return r->kind == RECORD_PWRE || r->kind == RECORD_PWRX || r->kind == RECORD_CBR ||
	       r->kind == RECORD_MNT;
}

/*
 * Sorts the events between two instructions, because decoders may report events of the same place
 * in any order. Events without a place follow at the end, in their own order.
 */
static void normalize(struct records *to, const struct records *from)
{
	size_t i, begin = 0, end;

	for (i = 0; i < from->nr; i++)
		if (is_compared(&from->all[i]) && !is_free(&from->all[i]))
			records_add(to, &from->all[i]);
	end = to->nr;
	for (i = 0; i < from->nr; i++)
		if (is_free(&from->all[i]))
			records_add(to, &from->all[i]);
	for (i = 0; i <= end; i++) {
		if (i < end && to->all[i].kind != RECORD_INSN)
			continue;
		if (i > begin)
			qsort(to->all + begin, i - begin, sizeof(*to->all), order_of);
		begin = i + 1;
	}
}

/*
 * The CR3 is known only if the kernel's packets are traced. libipt's HW of PWRE is another bit. The
 * erratum SKL014 hides a target.
 */
static bool is_equal(const struct machine *m, const struct record *want, const struct record *got)
{
	bool has_cr3 = want->kind != RECORD_INSN || m->config.has_os;
	bool has_b = want->kind != RECORD_PWRE;
	bool is_hidden = want->kind == RECORD_DISABLED && !got->has_ip &&
			 (m->config.order.errata & ORDER_SKL014);

	return want->kind == got->kind && (want->has_ip == got->has_ip || is_hidden) &&
	       (!want->has_ip || want->ip == got->ip || is_hidden) &&
	       (!has_cr3 || want->a == got->a) && (!has_b || want->b == got->b) &&
	       want->is_tx == got->is_tx;
}

static void print_around(const char *who, const struct records *records, size_t at)
{
	size_t i = at > 3 ? at - 3 : 0;

	printf("# %s, at %zu of %zu:\n", who, at, records->nr);
	for (; i < at + 4 && i < records->nr; i++) {
		printf("#  %s ", i == at ? ">" : " ");
		record_print(&records->all[i], stdout);
	}
}

static void keep_max(uint64_t *max, uint64_t a, uint64_t b)
{
	uint64_t off = a > b ? a - b : b - a;

	if (off > *max)
		*max = off;
}

static bool compare(const struct machine *m, const struct records *want, const struct records *got,
		    struct libipt_result *result)
{
	size_t i;

	for (i = 0; i < want->nr && i < got->nr; i++) {
		const struct record *a = &want->all[i], *b = &got->all[i];

		if (!is_equal(m, a, b))
			break;
		if (a->kind == RECORD_INSN)
			result->nr_insns++;
		else
			result->nr_events++;
		if (b->tsc)
			keep_max(a->kind == RECORD_INSN ? &result->insn_off : &result->event_off,
				 a->guest_tsc, b->tsc);
	}
	if (i == want->nr && i == got->nr)
		return true;
	print_around("truth", want, i);
	print_around("libipt", got, i);
	return false;
}

struct libipt_result libipt_compare(const struct machine *m, const uint8_t *bytes, size_t size)
{
	struct records decoded = { 0 }, want = { 0 }, got = { 0 };
	struct libipt_result result = { 0 };
	int status;

	status = libipt_decode(m, bytes, size, &decoded);
	if (status < 0) {
		printf("# libipt: %s\n", pt_errstr(pt_errcode(status)));
		result.nr_errors++;
	}
	normalize(&want, &m->records);
	normalize(&got, &decoded);
	result.is_same = compare(m, &want, &got, &result) && !result.nr_errors;
	records_deinit(&decoded);
	records_deinit(&want);
	records_deinit(&got);
	return result;
}
