// SPDX-License-Identifier: GPL-2.0-only
#include "sink/summary/summary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/formats.h"
#include "sink/text/found.h"
#include "base/put.h"
#include "sink/text/value.h"
#include "model/event_record.h"
#include "uapi/fargs_layout.h"
#include "base/grow.h"

/* Longer ones are not told apart. */
#define TEXT_MAX	96
#define NAME_BYTES	256

enum {
	KEY_FUNC = 1,		/* a pointer to it */
	KEY_EVENT,		/* its id */
	KEY_NAME,		/* the hash of a row's name */
};

struct fargs_summary_key {
	uint64_t id;
	uint8_t kind;		/* KEY_*; 0: free */
	uint32_t row;
};

void fargs_summary_init(struct fargs_summary *s)
{
	*s = (struct fargs_summary){ };
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
	free(s->keys);
	fargs_wanted_destroy(s->top);
	fargs_wanted_destroy(s->hist);
}

static void name_row(struct fargs_decoder *d, const struct fargs_event *ev, char name[NAME_BYTES])
{
	struct fargs_format_head head;

	if (ev->kind == FARGS_KIND_EVENT) {
		fargs_formats_head(fargs_decoder_formats(d), ev->formatted, &head);
		if (head.name)
			snprintf(name, NAME_BYTES, "%s:%s", head.system, head.name);
		else
			snprintf(name, NAME_BYTES, "event %u", head.id);
	} else if (ev->func && ev->func->module) {
		snprintf(name, NAME_BYTES, "%s [%s]", ev->func->name, ev->func->module);
	} else if (ev->func) {
		snprintf(name, NAME_BYTES, "%s", ev->func->name);
	} else {
		snprintf(name, NAME_BYTES, "?");
	}
}

static size_t slot_of(const struct fargs_summary *s, uint64_t id, uint8_t kind)
{
	size_t i = (id ^ kind) * 0x9e3779b97f4a7c15ull >> 32;

	for (i %= s->room; s->keys[i].kind; i = (i + 1) % s->room)
		if (s->keys[i].id == id && s->keys[i].kind == kind)
			break;
	return i;
}

static int grow_keys(struct fargs_summary *s)
{
	struct fargs_summary_key *old = s->keys;
	size_t i, nr = s->room;

	s->room = nr ? 2 * nr : 64;
	s->keys = calloc(s->room, sizeof(*s->keys));
	if (!s->keys) {
		s->keys = old;
		s->room = nr;
		return -ENOMEM;
	}
	for (i = 0; i < nr; i++)
		if (old[i].kind)
			s->keys[slot_of(s, old[i].id, old[i].kind)] = old[i];
	free(old);
	return 0;
}

/* Functions have come, and others may be where theirs were. */
static int forget_funcs(struct fargs_summary *s, size_t nr_funcs)
{
	struct fargs_summary_key *old = s->keys;
	size_t i;

	s->nr_funcs = nr_funcs;
	if (!s->nr_keys)
		return 0;
	s->keys = calloc(s->room, sizeof(*s->keys));
	if (!s->keys) {
		s->keys = old;
		return -ENOMEM;
	}
	s->nr_keys = 0;
	for (i = 0; i < s->room; i++) {
		if (!old[i].kind || old[i].kind == KEY_FUNC)
			continue;
		s->keys[slot_of(s, old[i].id, old[i].kind)] = old[i];
		s->nr_keys++;
	}
	free(old);
	return 0;
}

static struct fargs_summary_row *find_named(struct fargs_summary *s, const char *name,
					    uint64_t hash)
{
	const struct fargs_summary_key *key = &s->keys[slot_of(s, hash, KEY_NAME)];
	size_t i;

	if (!key->kind)
		return NULL;
	if (!strcmp(s->rows[key->row].name, name))
		return &s->rows[key->row];
	/* Of two names with the same hash. */
	for (i = 0; i < s->nr; i++)
		if (!strcmp(s->rows[i].name, name))
			return &s->rows[i];
	return NULL;
}

static void add_key(struct fargs_summary *s, uint64_t id, uint8_t kind, const void *row)
{
	size_t i = slot_of(s, id, kind);

	s->nr_keys += !s->keys[i].kind;
	s->keys[i] = (struct fargs_summary_key){
		.id = id, .kind = kind, .row = (const struct fargs_summary_row *)row - s->rows,
	};
}

/* The one of @name, which may be a new one; there is room for a key. NULL: no memory. */
static struct fargs_summary_row *row_of(struct fargs_summary *s, const char *name)
{
	uint64_t hash = fargs_top_hash(name, strlen(name));
	struct fargs_summary_row *row = find_named(s, name, hash);

	if (row)
		return row;
	row = fargs_grow(s->rows, s->nr, sizeof(*row));
	if (!row)
		return NULL;
	s->rows = row;
	row += s->nr;
	*row = (struct fargs_summary_row){ .name = strdup(name) };
	if (!row->name)
		return NULL;
	s->nr++;
	add_key(s, hash, KEY_NAME, row);
	return row;
}

/* Two may have the same name, as a module's that comes again: they are one. */
static struct fargs_summary_row *find_row(struct fargs_summary *s, struct fargs_decoder *d,
					  const struct fargs_event *ev)
{
	uint8_t kind = ev->kind == FARGS_KIND_EVENT ? KEY_EVENT : KEY_FUNC;
	struct fargs_summary_row *row;
	struct fargs_format_head head;
	uint64_t id = (uintptr_t)ev->func;
	char name[NAME_BYTES];
	size_t i;

	if (kind == KEY_EVENT) {
		fargs_formats_head(fargs_decoder_formats(d), ev->formatted, &head);
		id = head.id;
	}
	if (s->nr_funcs != fargs_decoder_meta(d)->nr_funcs &&
	    forget_funcs(s, fargs_decoder_meta(d)->nr_funcs))
		return NULL;
	if (2 * (s->nr_keys + 2) > s->room && grow_keys(s))
		return NULL;
	i = slot_of(s, id, kind);
	if (s->keys[i].kind)
		return &s->rows[s->keys[i].row];
	name_row(d, ev, name);
	row = row_of(s, name);
	if (row)
		add_key(s, id, kind, row);
	return row;
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

/* Where something is tells nothing, as it is somewhere else each time. */
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

/* What has no size is counted as what it is. */
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
		break;
	default:
		return 0;
	}
	row = find_row(s, d, ev);
	if (!row)
		return -ENOMEM;
	/* Of a graph a call has a record of its own. */
	row->nr += ev->kind != FARGS_KIND_RETURN ||
		   !(ev->func && ev->func->layout_flags & FARGS_LAYOUT_GRAPH);
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
	/* Which row is whose has changed: nothing can be added. */
	free(s->keys);
	s->keys = NULL;
	s->room = 0;
	s->nr_keys = 0;
}
