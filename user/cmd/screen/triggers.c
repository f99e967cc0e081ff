// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/screen/triggers.h"

#include <inttypes.h>
#include <string.h>

#include "base/put.h"

void fargs_triggers_record(struct fargs_triggers *t, struct fargs_clockline *clock,
			   unsigned int cpu, const struct fargs_record *rec)
{
	struct fargs_trigger *first = t->first;
	size_t nr = t->nr < FARGS_TRIGGERS_SHOWN ? t->nr : FARGS_TRIGGERS_SHOWN, i;
	uint64_t time_ns;

	if (!(rec->flags & FARGS_RECORD_TRIGGER))
		return;
	t->nr++;
	time_ns = fargs_clockline_ns(clock, cpu, rec->tsc);
	for (i = nr; i > 0 && first[i - 1].time_ns > time_ns; i--)
		;
	if (i == FARGS_TRIGGERS_SHOWN)
		return;
	if (nr == FARGS_TRIGGERS_SHOWN)
		nr--;
	memmove(&first[i + 1], &first[i], (nr - i) * sizeof(*first));
	first[i] = (struct fargs_trigger){
		.time_ns = time_ns, .tsc = rec->tsc, .ip = rec->ip, .cpu = cpu,
	};
}

static void put_function(FILE *to, const struct fargs_meta *meta, const struct fargs_trigger *t)
{
	const struct fargs_func *func = fargs_meta_func(meta, t->ip, t->tsc);

	if (func)
		fargs_print_escaped(to, func->name);
	else
		fprintf(to, "%#" PRIx64, t->ip);
}

void fargs_triggers_put(FILE *to, const struct fargs_triggers *t, const struct fargs_meta *meta,
			const char *key)
{
	size_t i;

	for (i = 0; i < t->nr && i < FARGS_TRIGGERS_SHOWN; i++) {
		fprintf(to, "%-10s %" PRIu64 ".%09u s on CPU %u: ", key,
			t->first[i].time_ns / 1000000000,
			(unsigned int)(t->first[i].time_ns % 1000000000), t->first[i].cpu);
		put_function(to, meta, &t->first[i]);
		fputc('\n', to);
	}
	if (t->nr > FARGS_TRIGGERS_SHOWN)
		fprintf(to, "%-10s and %" PRIu64 " more\n", key, t->nr - FARGS_TRIGGERS_SHOWN);
}
