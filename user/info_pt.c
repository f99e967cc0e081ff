// SPDX-License-Identifier: GPL-2.0-only
#include "info_pt.h"

#include "out/put.h"
#include "pt/summary.h"

static void put_cpu(FILE *out, const struct fargs_pt_summary *s, unsigned int cpu)
{
	const struct fargs_pt_summary_cpu *of = &s->cpus[cpu];

	if (!of->aux_bytes && !of->nr_losses && !of->nr_lost)
		return;
	fprintf(out, "%-10s cpu %u: %llu bytes, truncated at %llu places", "pt", cpu,
		(unsigned long long)of->aux_bytes, (unsigned long long)of->nr_losses);
	if (s->has_stats)
		fprintf(out, ", %llu records beside it lost", (unsigned long long)of->nr_lost);
	fputc('\n', out);
}

int fargs_info_put_pt(FILE *out, const char *path, struct fargs_error_text *err)
{
	struct fargs_pt_summary s;
	unsigned int cpu;
	int ret = fargs_pt_summary_init(&s, path, err);

	if (!ret && s.is_there) {
		fprintf(out, "%-10s ", "pt");
		fargs_print_escaped(out, s.terms);
		fprintf(out, ", buffers of %llu bytes%s\n",
			(unsigned long long)s.config.aux_bytes,
			s.config.flags & FARGS_PT_SNAPSHOT ? ", snapshots" : "");
		for (cpu = 0; cpu < s.nr_cpus; cpu++)
			put_cpu(out, &s, cpu);
		fprintf(out, "%-10s %llu bytes in %zu pieces\n", "code",
			(unsigned long long)s.text_bytes, s.nr_texts);
	}
	fargs_pt_summary_deinit(&s);
	return ret;
}
