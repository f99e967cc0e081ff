// SPDX-License-Identifier: GPL-2.0-only
#include "sink/summary/vcpus_text.h"

#include <errno.h>
#include <string.h>

#include "base/put.h"
#include "sink/json/json.h"

/* Maximum number of rows of a table in text output. */
#define ROWS_MAX	20
/* Width of a percentage, such as "100.0". */
#define PERCENT		5

/* The quantiles of the times from exit to entry to show, besides the minimum and the maximum. */
static const struct {
	unsigned int per_mille;
	const char *text, *key;
} quantiles[] = {
	{ 500, "50%", "p50_ns" },
	{ 900, "90%", "p90_ns" },
	{ 990, "99%", "p99_ns" },
	{ 999, "99.9%", "p999_ns" },
};

#define NR_QUANTILES	(sizeof(quantiles) / sizeof(quantiles[0]))

/* Writes @ns in microseconds, right-aligned in @width columns. */
static void put_us(struct fargs_buf *out, uint64_t ns, int width)
{
	fargs_put_u64(out, ns / 1000, width - 4, ' ');
	fargs_put_char(out, '.');
	fargs_put_u64(out, ns % 1000, 3, '0');
}

/* Writes @part as a percentage of @all, right-aligned in @width columns; 0.0 if @all is 0. */
static void put_percent(struct fargs_buf *out, uint64_t part, uint64_t all, int width)
{
	uint64_t per_mille = all ? ((__uint128_t)part * 1000 + all / 2) / all : 0;

	fargs_put_u64(out, per_mille / 10, width - 2, ' ');
	fargs_put_char(out, '.');
	fargs_put_u64(out, per_mille % 10, 0, 0);
}

static void put_name(struct fargs_buf *out, const struct fargs_exits *row)
{
	if (row->name)
		fargs_put_escaped(out, row->name, strlen(row->name), NULL);
	else
		fargs_put_hex(out, row->key);
}

static void put_table(struct fargs_buf *out, const struct fargs_exit_table *t,
		      const struct fargs_vcpu_stats *s, const char *what)
{
	const struct fargs_exits *row;
	uint64_t left = 0;
	size_t i;

	if (!t->nr)
		return;
	fargs_put(out, "      exits     %          host us     %      mean us        max us  ");
	fargs_put(out, what);
	fargs_put_char(out, '\n');
	for (i = 0; i < t->nr; i++) {
		row = &t->rows[i];
		if (i >= ROWS_MAX) {
			left += row->nr;
			continue;
		}
		fargs_put_u64(out, row->nr, 11, ' ');
		fargs_put_char(out, ' ');
		put_percent(out, row->nr, s->exits, PERCENT);
		put_us(out, row->host_ns, 17);
		fargs_put_char(out, ' ');
		put_percent(out, row->host_ns, s->host_ns.sum, PERCENT);
		put_us(out, row->nr_timed ? row->host_ns / row->nr_timed : 0, 13);
		put_us(out, row->max_ns, 14);
		fargs_put(out, "  ");
		put_name(out, row);
		fargs_put_char(out, '\n');
	}
	if (!left)
		return;
	fargs_put_u64(out, left, 11, ' ');
	fargs_put_char(out, ' ');
	put_percent(out, left, s->exits, PERCENT);
	fargs_put(out, "  of ");
	fargs_put_u64(out, t->nr - ROWS_MAX, 0, 0);
	fargs_put(out, " more\n");
}

static void put_latency(struct fargs_buf *out, const struct fargs_quantiles *h)
{
	size_t i;

	fargs_put(out, "  from exit to entry, us: min ");
	put_us(out, h->min, 0);
	for (i = 0; i < NR_QUANTILES; i++) {
		fargs_put(out, ", ");
		fargs_put(out, quantiles[i].text);
		fargs_put_char(out, ' ');
		put_us(out, fargs_quantiles_at(h, quantiles[i].per_mille), 0);
	}
	fargs_put(out, ", max ");
	put_us(out, h->max, 0);
	fargs_put_char(out, '\n');
}

/*
 * Writes the time @ns and its share of @all_ns. If only @timed of @nr intervals have a known time,
 * adds "(of TIMED of NR …)".
 */
static void put_time(struct fargs_buf *out, const char *where, uint64_t ns, uint64_t all_ns,
		     uint64_t timed, uint64_t nr, const char *what)
{
	fargs_put(out, where);
	put_us(out, ns, 0);
	fargs_put(out, " us, ");
	put_percent(out, ns, all_ns, 0);
	fargs_put(out, " %");
	if (timed != nr) {
		fargs_put(out, " (of ");
		fargs_put_u64(out, timed, 0, 0);
		fargs_put(out, " of ");
		fargs_put_u64(out, nr, 0, 0);
		fargs_put(out, what);
	}
	fargs_put_char(out, '\n');
}

static void put_stats(struct fargs_buf *out, const struct fargs_vcpu_stats *s)
{
	uint64_t both = s->guest_ns + s->host_ns.sum;

	put_time(out, "  in the guest: ", s->guest_ns, both, s->nr_guest, s->entries,
		 " entries)");
	put_time(out, "  in the host: ", s->host_ns.sum, both, s->host_ns.nr, s->exits,
		 " exits)");
	if (s->host_ns.nr)
		put_latency(out, &s->host_ns);
	put_table(out, &s->reasons, s, "reason");
	put_table(out, &s->functions, s, "guest function");
}

static void put_head(struct fargs_buf *out, const struct fargs_vm *vm)
{
	if (out->n)
		fargs_put_char(out, '\n');
	fargs_put(out, "VM ");
	fargs_put_s64(out, vm->pid);
	if (!*vm->name)
		return;
	fargs_put(out, " (");
	fargs_put_escaped(out, vm->name, strlen(vm->name), NULL);
	fargs_put_char(out, ')');
}

static void put_numbers(struct fargs_buf *out, const struct fargs_vcpu_stats *s)
{
	fargs_put(out, ": ");
	fargs_put_u64(out, s->exits, 0, 0);
	fargs_put(out, s->exits == 1 ? " exit, " : " exits, ");
	fargs_put_u64(out, s->entries, 0, 0);
	fargs_put(out, s->entries == 1 ? " entry\n" : " entries\n");
}

int fargs_vcpus_text(struct fargs_buf *out, const struct fargs_vcpus *all)
{
	const struct fargs_vcpu *vcpu;
	const struct fargs_vm *vm;

	for (vm = all->vms; vm < all->vms + all->nr; vm++) {
		if (vm->nr > 1) {
			put_head(out, vm);
			fargs_put(out, ", ");
			fargs_put_u64(out, vm->nr, 0, 0);
			fargs_put(out, " vcpus");
			put_numbers(out, &vm->total);
			put_stats(out, &vm->total);
		}
		for (vcpu = vm->vcpus; vcpu < vm->vcpus + vm->nr; vcpu++) {
			put_head(out, vm);
			if (vcpu->id != FARGS_VCPU_ANY) {
				fargs_put(out, ", vcpu ");
				fargs_put_u64(out, vcpu->id, 0, 0);
			}
			fargs_put(out, ", thread ");
			fargs_put_s64(out, vcpu->tid);
			put_numbers(out, &vcpu->stats);
			put_stats(out, &vcpu->stats);
		}
	}
	return out->is_short ? -ENOMEM : 0;
}

static void put_member(struct fargs_buf *out, const char *key, uint64_t v)
{
	fargs_put_char(out, ',');
	fargs_json_put_key(out, key);
	fargs_json_put_u64(out, v);
}

static void put_json_table(struct fargs_buf *out, const struct fargs_exit_table *t,
			   const char *list, const char *name, const char *key)
{
	const struct fargs_exits *row;

	fargs_put_char(out, ',');
	fargs_json_put_key(out, list);
	fargs_put_char(out, '[');
	for (row = t->rows; row < t->rows + t->nr; row++) {
		fargs_put(out, row == t->rows ? "{" : ",{");
		if (row->name) {
			fargs_json_put_key(out, name);
			fargs_json_put_string(out, row->name, strlen(row->name));
		}
		if (key) {
			if (row->name)
				fargs_put_char(out, ',');
			fargs_json_put_key(out, key);
			fargs_json_put_hex(out, row->key);
		}
		put_member(out, "exits", row->nr);
		put_member(out, "timed", row->nr_timed);
		put_member(out, "host_ns", row->host_ns);
		put_member(out, "max_ns", row->max_ns);
		fargs_put_char(out, '}');
	}
	fargs_put_char(out, ']');
}

static void put_json_stats(struct fargs_buf *out, const struct fargs_vcpu_stats *s)
{
	const struct fargs_quantiles *h = &s->host_ns;
	size_t i;

	put_member(out, "exits", s->exits);
	put_member(out, "entries", s->entries);
	put_member(out, "guest_ns", s->guest_ns);
	put_member(out, "guest_timed", s->nr_guest);
	put_member(out, "host_ns", h->sum);
	put_member(out, "host_timed", h->nr);
	if (h->nr) {
		fargs_put_char(out, ',');
		fargs_json_put_key(out, "exit_to_entry");
		fargs_put_char(out, '{');
		fargs_json_put_key(out, "min_ns");
		fargs_json_put_u64(out, h->min);
		for (i = 0; i < NR_QUANTILES; i++)
			put_member(out, quantiles[i].key,
				   fargs_quantiles_at(h, quantiles[i].per_mille));
		put_member(out, "max_ns", h->max);
		fargs_put_char(out, '}');
	}
	put_json_table(out, &s->reasons, "reasons", "reason", NULL);
	put_json_table(out, &s->functions, "functions", "function", "address");
	fargs_put(out, "}\n");
}

static void put_json_head(struct fargs_buf *out, const char *type, const struct fargs_vm *vm)
{
	fargs_put_char(out, '{');
	fargs_json_put_key(out, "type");
	fargs_json_put_string(out, type, strlen(type));
	put_member(out, "vm", vm->pid);
	if (!*vm->name)
		return;
	fargs_put_char(out, ',');
	fargs_json_put_key(out, "process");
	fargs_json_put_string(out, vm->name, strlen(vm->name));
}

int fargs_vcpus_json(struct fargs_buf *out, const struct fargs_vcpus *all)
{
	const struct fargs_vcpu *vcpu;
	const struct fargs_vm *vm;

	for (vm = all->vms; vm < all->vms + all->nr; vm++) {
		if (vm->nr > 1) {
			put_json_head(out, "vm", vm);
			put_member(out, "vcpus", vm->nr);
			put_json_stats(out, &vm->total);
		}
		for (vcpu = vm->vcpus; vcpu < vm->vcpus + vm->nr; vcpu++) {
			put_json_head(out, "vcpu", vm);
			if (vcpu->id != FARGS_VCPU_ANY)
				put_member(out, "vcpu", vcpu->id);
			put_member(out, "tid", vcpu->tid);
			put_json_stats(out, &vcpu->stats);
		}
	}
	return out->is_short ? -ENOMEM : 0;
}
