// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/perf_db/payload.h"

#include <string.h>

#include "model/event_record.h"

/* The events, and the values that the columns after the id have. */
static const struct {
	const char *event;
	enum fargs_pdb_table_id table;
	const char *values[4];
} events[] = {
	{ "ptwrite", FARGS_PDB_PTWRITE, { "payload", "exact" } },
	{ "cbr", FARGS_PDB_CBR, { "cbr", "mhz", "percent" } },
	{ "mwait", FARGS_PDB_MWAIT, { "hints", "extensions" } },
	{ "pwre", FARGS_PDB_PWRE, { "cstate", "sub_cstate", "hw" } },
	{ "exstop", FARGS_PDB_EXSTOP, { "exact" } },
	{ "pwrx", FARGS_PDB_PWRX, { "deepest_cstate", "last_cstate", "wake_reason" } },
};

/* Returns a value of @ev; one that is not known is 0. */
static int64_t value_of(const struct fargs_event *ev, const char *name)
{
	unsigned int i;

	for (i = 0; i < ev->nr_args; i++)
		if (!strcmp(ev->args[i].val.name, name))
			return (int64_t)fargs_value_u64(&ev->args[i].val);
	return 0;
}

int fargs_pdb_payload_add(struct fargs_pdb_writer *w, const struct fargs_event *ev, int64_t sample)
{
	struct fargs_pdb_value row[4] = { FARGS_PDB_N(sample) };
	size_t n, i;

	if (ev->kind != FARGS_EVENT_PTWRITE && ev->kind != FARGS_EVENT_POWER)
		return 0;
	for (n = 0; n < sizeof(events) / sizeof(*events); n++)
		if (!strcmp(events[n].event, ev->sample->event))
			break;
	if (n == sizeof(events) / sizeof(*events))
		return 0;
	for (i = 0; i < 3 && events[n].values[i]; i++)
		row[i + 1].number = value_of(ev, events[n].values[i]);
	return fargs_pdb_row(w, events[n].table, row);
}
