// SPDX-License-Identifier: GPL-2.0-only
#include "sink/summary/summary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/hash.h"
#include "base/put.h"
#include "kernel/sym/ksyms.h"
#include "model/event_record.h"
#include "model/formats.h"
#include "sink/text/found.h"
#include "sink/text/value.h"

/* Strings are truncated to TEXT_MAX bytes before they are compared. */
#define TEXT_MAX	96
#define NAME_BYTES	256

struct fargs_summary_key {
	uint64_t id;
	uint32_t row;
};

void fargs_summary_init(struct fargs_summary *s)
{
	*s = (struct fargs_summary){ };
}

static void deinit_keys(struct fargs_summary_keys *keys)
{
	free(keys->all);
	fargs_hash_deinit(&keys->by_id);
	*keys = (struct fargs_summary_keys){ };
}

static void deinit_all_keys(struct fargs_summary *s)
{
	fargs_hash_deinit(&s->by_name);
	deinit_keys(&s->funcs);
	deinit_keys(&s->events);
}

void fargs_summary_deinit(struct fargs_summary *s)
{
	size_t i;

	for (i = 0; i < s->nr; i++) {
		free(s->rows[i].name);
		fargs_quantiles_deinit(&s->rows[i].ns);
		fargs_top_deinit(&s->rows[i].top);
		fargs_top_deinit(&s->rows[i].names);
		free(s->rows[i].histogram);
	}
	free(s->rows);
	deinit_all_keys(s);
	fargs_wanted_destroy(s->top);
	fargs_wanted_destroy(s->hist);
}

static void name_row(struct fargs_decoder *d, const struct fargs_event *ev, char name[NAME_BYTES])
{
	const struct fargs_ksym *sym = ev->trace ? fargs_decoder_symbol(d, ev->trace->addr) : NULL;
	struct fargs_format_head head;

	if (ev->kind == FARGS_KIND_EVENT) {
		fargs_formats_head(fargs_decoder_formats(d), &ev->formatted, &head);
		if (head.name)
			snprintf(name, NAME_BYTES, "%s:%s", head.system, head.name);
		else
			snprintf(name, NAME_BYTES, "event %u", head.id);
	} else if (ev->error) {
		snprintf(name, NAME_BYTES, "error");
	} else if (ev->sample) {
		snprintf(name, NAME_BYTES, "%s", ev->sample->event);
	} else if (ev->func && ev->func->module) {
		snprintf(name, NAME_BYTES, "%s [%s]", ev->func->name, ev->func->module);
	} else if (ev->func) {
		snprintf(name, NAME_BYTES, "%s", ev->func->name);
	} else if (sym && sym->module) {
		snprintf(name, NAME_BYTES, "%s [%s]", sym->name, sym->module);
	} else if (sym) {
		snprintf(name, NAME_BYTES, "%s", sym->name);
	} else {
		snprintf(name, NAME_BYTES, "?");
	}
}

/*
 * Drops the keys of functions, which are pointers: when functions are added, their array may move.
 */
static void forget_funcs(struct fargs_summary *s, size_t nr_funcs)
{
	s->nr_funcs = nr_funcs;
	s->funcs.nr = 0;
	fargs_hash_clear(&s->funcs.by_id);
}

static uint32_t find_key(const struct fargs_summary_keys *keys, uint64_t id)
{
	uint32_t at, i;

	fargs_hash_for_each(i, at, &keys->by_id, fargs_hash_u64(id))
		if (keys->all[i].id == id)
			return keys->all[i].row;
	return FARGS_HASH_NONE;
}

static int add_key(struct fargs_summary_keys *keys, uint64_t id, uint32_t row)
{
	struct fargs_summary_key *key;

	if (fargs_hash_reserve(&keys->by_id, keys->nr + 1))
		return -ENOMEM;
	key = fargs_array_add(keys->all, keys->nr);
	if (!key)
		return -ENOMEM;
	*key = (struct fargs_summary_key){ .id = id, .row = row };
	return fargs_hash_add(&keys->by_id, fargs_hash_u64(id), keys->nr - 1);
}

static struct fargs_summary_row *add_row(struct fargs_summary *s, const char *name, uint32_t hash)
{
	__cleanup_free char *copy = strdup(name);
	struct fargs_summary_row *row;

	if (!copy || fargs_hash_reserve(&s->by_name, s->nr + 1))
		return NULL;
	row = fargs_array_add(s->rows, s->nr);
	if (!row)
		return NULL;
	*row = (struct fargs_summary_row){ .name = fargs_take_ptr(copy) };
	fargs_hash_add(&s->by_name, hash, s->nr - 1);
	return row;
}

/* Returns the row of @name, adding it with @kind if it is new; NULL if out of memory. */
static struct fargs_summary_row *row_of(struct fargs_summary *s, const char *name, uint8_t kind)
{
	struct fargs_summary_row *row;
	uint32_t hash = fargs_hash_string(name), at, i;

	fargs_hash_for_each(i, at, &s->by_name, hash)
		if (!strcmp(s->rows[i].name, name))
			return &s->rows[i];
	row = add_row(s, name, hash);
	if (row)
		row->kind = kind;
	return row;
}

/*
 * Returns the event's row. Functions of the same name share a row, such as those of a module that
 * is loaded again.
 */
static struct fargs_summary_row *find_row(struct fargs_summary *s, struct fargs_decoder *d,
					  const struct fargs_event *ev)
{
	bool is_event = ev->kind == FARGS_KIND_EVENT;
	struct fargs_summary_keys *keys = is_event ? &s->events : &s->funcs;
	struct fargs_summary_row *row;
	struct fargs_format_head head;
	/* The name of a sampled event is the same string in all its samples. */
	uint64_t id = ev->sample ? (uintptr_t)ev->sample->event :
		      ev->trace ? ev->trace->addr : (uintptr_t)ev->func;
	char name[NAME_BYTES];
	uint32_t i;

	if (is_event) {
		fargs_formats_head(fargs_decoder_formats(d), &ev->formatted, &head);
		id = head.id;
	}
	if (s->nr_funcs != fargs_decoder_meta(d)->nr_funcs)
		forget_funcs(s, fargs_decoder_meta(d)->nr_funcs);
	i = find_key(keys, id);
	if (i != FARGS_HASH_NONE)
		return &s->rows[i];
	name_row(d, ev, name);
	row = row_of(s, name, ev->kind);
	return row && !add_key(keys, id, row - s->rows) ? row : NULL;
}

static int add_text(struct fargs_top *to, struct fargs_decoder *d, const struct fargs_found *found)
{
	struct fargs_buf text = { };
	int ret;

	fargs_found_put(&text, d, found);
	ret = text.is_short ? -ENOMEM :
	      fargs_top_add(to, text.text, text.n > TEXT_MAX ? TEXT_MAX : text.n);
	fargs_buf_deinit(&text);
	return ret;
}

static int add_top(struct fargs_summary *s, struct fargs_summary_row *row, struct fargs_decoder *d,
		   const struct fargs_event *ev)
{
	struct fargs_found found;
	int ret = fargs_wanted_get(s->top, d, ev, &found);

	return ret || found.kind == FARGS_FOUND_NONE ? ret : add_text(&row->top, d, &found);
}

/*
 * Counts the values of all arguments, except for faults, and for pointers, which rarely repeat.
 */
static int add_values(struct fargs_summary_row *row, struct fargs_decoder *d,
		      const struct fargs_event *ev)
{
	struct fargs_buf text = { };
	const struct fargs_arg *arg;
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < ev->nr_args; i++) {
		arg = &ev->args[i];
		if (arg->val.type == FARGS_TYPE_PTR || arg->val.is_fault)
			continue;
		text.n = 0;
		if (arg->name_len)
			fargs_put_escaped(&text, arg->val.name, arg->name_len, NULL);
		else
			fargs_value_put_name(&text, arg->val.name);
		fargs_put_char(&text, '=');
		fargs_value_put(&text, d, arg);
		ret = text.is_short ? -ENOMEM :
		      fargs_top_add(&row->top, text.text, text.n > TEXT_MAX ? TEXT_MAX : text.n);
	}
	fargs_buf_deinit(&text);
	return ret;
}

/* Adds a number to the histogram; a value that is not a number is counted by its text. */
static int add_hist(struct fargs_summary *s, struct fargs_summary_row *row,
		    struct fargs_decoder *d, const struct fargs_event *ev)
{
	struct fargs_found found;
	int ret = fargs_wanted_get(s->hist, d, ev, &found);

	if (ret || found.kind == FARGS_FOUND_NONE)
		return ret;
	if (found.kind != FARGS_FOUND_NUMBER || found.enum_id || found.is_pointer)
		return add_text(&row->names, d, &found);
	if (!row->histogram)
		row->histogram = calloc(1, sizeof(*row->histogram));
	if (!row->histogram)
		return -ENOMEM;
	row->is_duration = found.is_duration;
	fargs_histogram_add(row->histogram, found.number);
	return 0;
}

int fargs_summary_add(struct fargs_summary *s, struct fargs_decoder *d,
		      const struct fargs_event *ev)
{
	struct fargs_summary_row *row;
	int ret = 0;

	switch (ev->kind) {
	case FARGS_KIND_LOST:
		s->nr_lost += ev->lost;
		return 0;
	case FARGS_KIND_ENTRY:
	case FARGS_KIND_RETURN:
	case FARGS_KIND_TPOINT:
	case FARGS_KIND_EVENT:
	case FARGS_EVENT_SAMPLE:
	case FARGS_EVENT_BRANCH:
	case FARGS_EVENT_INSN:
	case FARGS_EVENT_ERROR:
	case FARGS_EVENT_PTWRITE:
	case FARGS_EVENT_POWER:
	case FARGS_EVENT_PSB:
	case FARGS_EVENT_TRANSACTION:
	case FARGS_EVENT_CFE:
	case FARGS_EVENT_IFLAG:
		break;
	default:
		return 0;
	}
	row = find_row(s, d, ev);
	if (!row)
		return -ENOMEM;
	/* A call recorded with --graph has two records; count only its ENTRY record. */
	row->nr += ev->kind != FARGS_KIND_RETURN || !ev->is_pair;
	row->bytes += ev->bytes;
	row->nr_errors += ev->ret && fargs_value_error(ev->ret);
	if (ev->has_duration)
		ret = fargs_quantiles_add(&row->ns, ev->duration_ns);
	if (!ret && s->top)
		ret = add_top(s, row, d, ev);
	if (!ret && s->has_values && !s->top)
		ret = add_values(row, d, ev);
	if (!ret && s->hist)
		ret = add_hist(s, row, d, ev);
	return ret;
}

const char fargs_summary_order_words[] =
	"count name errors bytes total mean p50 p90 p99 max";

int fargs_summary_order(const char *word)
{
	const char *at = fargs_summary_order_words;
	size_t len = strlen(word);
	int i;

	for (i = 0; *at; i++) {
		if (!strncmp(at, word, len) && (at[len] == ' ' || !at[len]) && len)
			return i;
		at += strcspn(at, " ");
		at += *at == ' ';
	}
	return -1;
}

static unsigned __int128 key_of(const struct fargs_summary_row *row, enum fargs_summary_order order)
{
	switch (order) {
	case FARGS_SUMMARY_BY_NAME:
		return 0;
	case FARGS_SUMMARY_BY_ERRORS:
		return row->nr_errors;
	case FARGS_SUMMARY_BY_BYTES:
		return row->bytes;
	case FARGS_SUMMARY_BY_TOTAL:
		return row->ns.sum;
	case FARGS_SUMMARY_BY_MEAN:
		return fargs_quantiles_mean(&row->ns);
	case FARGS_SUMMARY_BY_P50:
		return fargs_quantiles_at(&row->ns, 500);
	case FARGS_SUMMARY_BY_P90:
		return fargs_quantiles_at(&row->ns, 900);
	case FARGS_SUMMARY_BY_P99:
		return fargs_quantiles_at(&row->ns, 990);
	case FARGS_SUMMARY_BY_MAX:
		return row->ns.max;
	default:
		return row->nr;
	}
}

static int compare(const void *a, const void *b, void *arg)
{
	const struct fargs_summary_row *x = a, *y = b;
	const enum fargs_summary_order *order = arg;
	unsigned __int128 kx = key_of(x, *order), ky = key_of(y, *order);

	if (kx != ky)
		return kx < ky ? 1 : -1;
	return strcmp(x->name, y->name);
}

void fargs_summary_sort(struct fargs_summary *s, enum fargs_summary_order order)
{
	size_t i;

	for (i = 0; i < s->nr; i++) {
		fargs_top_sort(&s->rows[i].top);
		fargs_top_sort(&s->rows[i].names);
	}
	if (s->nr)
		qsort_r(s->rows, s->nr, sizeof(*s->rows), compare, &order);
	/* Sorting has changed the row numbers, so no more events can be added. */
	deinit_all_keys(s);
}
