// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/join/reaped.h"

#include <errno.h>
#include <stdlib.h>

/* Tasks that wrote records between two switches. */
struct makers {
	int32_t tids[2];
	unsigned int nr;	/* number of tasks; 3: there were more than two */
};

static bool has_unnamed(const struct fargs_pt_switch *switches, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (switches[i].to < 0)
			return true;
	return false;
}

/* Returns the number of @switches at or before @ns. */
static size_t nr_until(const struct fargs_pt_switch *switches, size_t nr, uint64_t ns)
{
	size_t low = 0, high = nr, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (switches[mid].ns <= ns)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static void add_maker(struct makers *m, int32_t tid)
{
	const unsigned int room = sizeof(m->tids) / sizeof(*m->tids);
	unsigned int i;

	for (i = 0; i < m->nr && i < room; i++)
		if (m->tids[i] == tid)
			return;
	if (m->nr < room)
		m->tids[m->nr] = tid;
	m->nr = i + 1;
}

/* Returns the only task in @m other than @before; -1 if there is none, or more than one. */
static int32_t other_maker(const struct makers *m, int32_t before)
{
	if (m->nr == 1 && m->tids[0] != before)
		return m->tids[0];
	if (m->nr == 2 && m->tids[0] == before)
		return m->tids[1];
	return m->nr == 2 && m->tids[1] == before ? m->tids[0] : -1;
}

/*
 * Sets unknown tids in the switches of one CPU. The outgoing task writes the record of a switch,
 * and may write further records after it. So the records after a switch identify the new task only
 * if the outgoing task is known.
 */
static int name_cpu(const struct fargs_pt_config *config, struct fargs_pt_switch *switches,
		    size_t nr, const struct fargs_pt_cpu_records *c)
{
	struct makers *makers;
	int32_t before = -1;
	size_t i, at;

	if (!has_unnamed(switches, nr))
		return 0;
	makers = calloc(nr, sizeof(*makers));
	if (!makers)
		return -ENOMEM;
	for (i = 0; i < c->nr; i++) {
		at = nr_until(switches, nr, fargs_pt_input_ns(config, c->records[i]->tsc));
		if (at && switches[at - 1].to < 0)
			add_maker(&makers[at - 1], (int32_t)c->records[i]->tid);
	}
	for (i = 0; i < nr; i++) {
		if (switches[i].from >= 0)
			before = switches[i].from;
		/*
		 * The outgoing task of the next switch is the new task of this switch, so its tid
		 * must be unknown there, too; otherwise switch records are missing.
		 */
		if (switches[i].to < 0 && before >= 0 &&
		    (i + 1 == nr || switches[i + 1].from < 0))
			switches[i].to = other_maker(&makers[i], before);
		before = switches[i].to;
	}
	free(makers);
	return 0;
}

int fargs_pt_reaped_name(struct fargs_pt_input *in, const struct fargs_pt_seq_records *n)
{
	size_t begin, end;
	uint32_t cpu;

	if (!in->config.has_time)
		return 0;
	for (begin = 0; begin < in->nr_switches; begin = end) {
		cpu = in->switches[begin].cpu;
		for (end = begin; end < in->nr_switches && in->switches[end].cpu == cpu;)
			end++;
		if (cpu < n->nr_cpus && name_cpu(&in->config, in->switches + begin, end - begin,
						 &n->cpus[cpu]))
			return -ENOMEM;
	}
	return 0;
}
