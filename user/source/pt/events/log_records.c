// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/events/log_records.h"

#include <stdlib.h>
#include <string.h>

#include "base/put.h"

/* In the order of records with the same time. */
enum kind { COMM, MAPPING, SYMBOL, POKE, SWITCH };

struct record {
	uint64_t ns;
	uint32_t i;			/* index in the array of the input */
	uint8_t kind;			/* enum kind */
};

struct fargs_pt_log_records {
	const struct fargs_pt_input *in;
	struct record *all;		/* sorted */
	size_t nr, next;
};

static void add(struct fargs_pt_log_records *r, enum kind kind, size_t i, uint64_t ns)
{
	r->all[r->nr++] = (struct record){ .ns = ns, .i = i, .kind = kind };
}

static int compare(const void *a, const void *b)
{
	const struct record *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return x->i < y->i ? -1 : x->i > y->i;
}

struct fargs_pt_log_records *fargs_pt_log_records_create(const struct fargs_pt_input *in)
{
	struct fargs_pt_log_records *r = calloc(1, sizeof(*r));
	size_t room = in->nr_comms + in->nr_mappings + in->nr_symbols + in->nr_pokes +
		      in->nr_switches, i;

	if (!r)
		return NULL;
	r->in = in;
	r->all = calloc(room + 1, sizeof(*r->all));
	if (!r->all) {
		free(r);
		return NULL;
	}
	for (i = 0; i < in->nr_comms; i++)
		add(r, COMM, i, in->comms[i].ns);
	for (i = 0; i < in->nr_mappings; i++)
		add(r, MAPPING, i, in->mappings[i].ns);
	for (i = 0; i < in->nr_symbols; i++)
		add(r, SYMBOL, i, in->symbols[i].ns);
	for (i = 0; i < in->nr_pokes; i++)
		add(r, POKE, i, in->pokes[i].ns);
	for (i = 0; i < in->nr_switches; i++)
		add(r, SWITCH, i, in->switches[i].ns);
	qsort(r->all, r->nr, sizeof(*r->all), compare);
	return r;
}

void fargs_pt_log_records_destroy(struct fargs_pt_log_records *r)
{
	if (!r)
		return;
	free(r->all);
	free(r);
}

static void put_number(struct fargs_buf *out, const char *name, int64_t v)
{
	fargs_put(out, name);
	fargs_put_s64(out, v);
}

static void put_hex(struct fargs_buf *out, const char *name, uint64_t v)
{
	fargs_put(out, name);
	fargs_put_hex(out, v);
}

static void put_text(struct fargs_buf *out, const char *text)
{
	fargs_put_char(out, ' ');
	fargs_put_escaped(out, text, strlen(text), "");
}

static void put_comm(struct fargs_buf *out, const struct fargs_pt_comm *comm)
{
	fargs_put(out, comm->parent < 0 ? "COMM" : "FORK");
	put_number(out, " pid ", comm->pid);
	put_number(out, " tid ", comm->tid);
	if (comm->parent < 0)
		put_text(out, comm->comm);
	else
		put_number(out, " parent ", comm->parent);
}

static void put_mapping(struct fargs_buf *out, const struct fargs_pt_mapping *m)
{
	static const char *const names[] = {
		[FARGS_PT_MAP] = "MMAP", [FARGS_PT_EXEC] = "EXEC", [FARGS_PT_FORK] = "FORK",
	};

	fargs_put(out, names[m->kind]);
	put_number(out, " pid ", m->pid);
	if (m->kind == FARGS_PT_FORK)
		put_number(out, " parent ", m->parent);
	if (m->kind != FARGS_PT_MAP)
		return;
	put_hex(out, " address ", m->addr);
	put_hex(out, " bytes ", m->bytes);
	put_hex(out, " offset ", m->at);
	if (m->path)
		put_text(out, m->path);
}

static void put_symbol(struct fargs_buf *out, const struct fargs_pt_symbol *symbol)
{
	put_hex(out, symbol->is_removed ? "KSYMBOL removed address " : "KSYMBOL address ",
		symbol->addr);
	put_hex(out, " bytes ", symbol->bytes);
	if (symbol->name)
		put_text(out, symbol->name);
}

static void put_poke(struct fargs_buf *out, const struct fargs_pt_poke *poke)
{
	put_hex(out, "TEXT_POKE address ", poke->addr);
	put_number(out, " old bytes ", poke->old_bytes);
	put_number(out, " new bytes ", poke->new_bytes);
}

static void put_switch(struct fargs_buf *out, const struct fargs_pt_switch *sw)
{
	bool is_start = sw->from == sw->to;

	put_number(out, is_start ? "ITRACE_START cpu " : "SWITCH cpu ",
		   sw->cpu == UINT32_MAX ? -1 : (int64_t)sw->cpu);
	put_number(out, is_start ? " tid " : " from tid ", sw->from);
	if (!is_start)
		put_number(out, " to tid ", sw->to);
}

static void put_record(const struct fargs_pt_input *in, const struct record *r,
		       struct fargs_buf *out)
{
	fargs_put(out, "event: time ");
	fargs_put_u64(out, r->ns, 0, ' ');
	put_hex(out, " tsc ", r->ns && in->config.has_time ?
				      fargs_pt_input_tsc(&in->config, r->ns) : 0);
	fargs_put_char(out, ' ');
	switch (r->kind) {
	case COMM:
		put_comm(out, &in->comms[r->i]);
		break;
	case MAPPING:
		put_mapping(out, &in->mappings[r->i]);
		break;
	case SYMBOL:
		put_symbol(out, &in->symbols[r->i]);
		break;
	case POKE:
		put_poke(out, &in->pokes[r->i]);
		break;
	case SWITCH:
		put_switch(out, &in->switches[r->i]);
		break;
	}
	fargs_put_char(out, '\n');
}

void fargs_pt_log_records_put(struct fargs_pt_log_records *r, uint64_t until_ns,
			      const struct fargs_time_window *window, struct fargs_buf *out)
{
	const struct record *next;

	for (; r->next < r->nr && r->all[r->next].ns <= until_ns; r->next++) {
		next = &r->all[r->next];
		if (!window || fargs_time_window_has(window, next->ns))
			put_record(r->in, next, out);
	}
}
