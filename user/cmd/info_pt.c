// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/info_pt.h"

#include <errno.h>

#include "base/plural.h"
#include "base/put.h"
#include "source/pt/decode/flow.h"
#include "source/pt/decode/segments.h"
#include "source/pt/input/read.h"
#include "source/pt/input/summary.h"

static void put_cpu(FILE *out, const struct fargs_pt_summary *s, unsigned int cpu)
{
	const struct fargs_pt_summary_cpu *of = &s->cpus[cpu];
	bool has_samples = of->nr_samples || s->config.flags & FARGS_PT_SAMPLED;

	if (!of->aux_bytes && !of->nr_losses && !of->nr_lost && !of->nr_lost_samples)
		return;
	fprintf(out, "%-10s cpu %u: %llu bytes, ", "pt", cpu, (unsigned long long)of->aux_bytes);
	if (has_samples)
		fprintf(out, "%llu sample%s, ", (unsigned long long)of->nr_samples,
			fargs_plural(of->nr_samples));
	if (has_samples && s->has_stats)
		fprintf(out, "%llu sample%s lost, ", (unsigned long long)of->nr_lost_samples,
			fargs_plural(of->nr_lost_samples));
	fprintf(out, "truncated at %llu place%s", (unsigned long long)of->nr_losses,
		fargs_plural(of->nr_losses));
	if (s->has_stats)
		fprintf(out, ", %llu sideband record%s lost", (unsigned long long)of->nr_lost,
			fargs_plural(of->nr_lost));
	fputc('\n', out);
}

/* @sampler: an event whose samples have the trace, or are in it. */
static void put_sampler(FILE *out, const struct fargs_pt_file_sampler *sampler)
{
	const struct perf_event_attr *attr = &sampler->attr;

	fprintf(out, "%-10s %s of ", "pt", attr->aux_output ? "PEBS records" : "samples");
	fargs_print_escaped(out, sampler->name);
	fprintf(out, ", %s %llu", attr->freq ? "freq" : "period",
		(unsigned long long)attr->sample_period);
	if (!attr->aux_output)
		fprintf(out, ", up to %u bytes each", attr->aux_sample_size);
	fputc('\n', out);
}

int fargs_info_put_pt(FILE *out, const char *path, struct fargs_error_text *err)
{
	struct fargs_pt_summary s;
	unsigned int cpu;
	size_t i;
	int ret = fargs_pt_summary_init(&s, path, err);

	if (!ret && s.is_there) {
		fprintf(out, "%-10s ", "pt");
		fargs_print_escaped(out, s.terms);
		fprintf(out, ", buffers of %llu bytes%s\n",
			(unsigned long long)s.config.aux_bytes,
			s.config.flags & FARGS_PT_SNAPSHOT ? ", snapshots" : "");
		if (*s.filter) {
			fprintf(out, "%-10s ", "pt");
			fargs_print_escaped(out, s.filter);
			fputc('\n', out);
		}
		for (i = 0; i < s.samples.nr; i++)
			put_sampler(out, &s.samples.samplers[i]);
		for (cpu = 0; cpu < s.nr_cpus; cpu++)
			put_cpu(out, &s, cpu);
		fprintf(out, "%-10s %llu bytes in %zu piece%s\n", "code",
			(unsigned long long)s.text_bytes, s.nr_texts, fargs_plural(s.nr_texts));
	}
	fargs_pt_summary_deinit(&s);
	return ret;
}

static void put_terms(FILE *out, const struct fargs_pt_config *c)
{
	fprintf(out, "%-10s %s%s%s%s%s", "pt", c->has_kernel ? "kernel" : "",
		c->has_kernel && c->has_user ? ", " : "", c->has_user ? "user" : "",
		c->has_tsc ? ", tsc" : "", c->has_cyc ? ", cyc" : "");
	if (c->has_mtc)
		fprintf(out, ", mtc, mtc_period=%u", c->mtc_freq);
	if (c->is_intel)
		fprintf(out, "; family %u, model %u, stepping %u", c->family, c->model,
			c->stepping);
	fputs(c->has_time ? "\n" : "; without time\n", out);
}

static void put_ns(FILE *out, uint64_t ns)
{
	fprintf(out, "%llu.%06llu", (unsigned long long)ns / 1000000000,
		(unsigned long long)ns % 1000000000 / 1000);
}

/* Prints the times of the first and of the last PSB that has a time. */
static void put_times(FILE *out, const struct fargs_pt_config *config,
		      const struct fargs_pt_segments *segs)
{
	uint64_t first = 0, last = 0;
	size_t i;

	for (i = 0; i < segs->nr; i++) {
		if (!segs->all[i].tsc)
			continue;
		first = first ? first : segs->all[i].tsc;
		last = segs->all[i].tsc;
	}
	if (!first || !config->has_time)
		return;
	fputs(", from ", out);
	put_ns(out, fargs_pt_input_ns(config, first));
	fputs(" to ", out);
	put_ns(out, fargs_pt_input_ns(config, last));
}

static int put_stream(FILE *out, const struct fargs_pt_input *in, const struct fargs_pt_stream *s)
{
	uint64_t bytes = 0, nr_losses = 0, nr_psbs = 0;
	struct fargs_pt_segments segs;
	size_t i;
	int ret;

	/*
	 * With a minimum size of 1 byte, each PSB starts a segment of its own. Do not count empty
	 * segments: they have no PSB.
	 */
	ret = fargs_pt_segments_init(&segs, s, 1);
	for (i = 0; !ret && i < segs.nr; i++)
		nr_psbs += segs.all[i].next > segs.all[i].begin;
	for (i = 0; i < s->nr_pieces; i++) {
		bytes += s->pieces[i].size;
		nr_losses += s->pieces[i].is_after_loss;
	}
	if (!ret) {
		if (s->cpu != UINT32_MAX)
			fprintf(out, "%-10s cpu %u", "pt", s->cpu);
		else
			fprintf(out, "%-10s thread %d", "pt", s->tid);
		fprintf(out, ": %llu bytes, %llu PSB%s, truncated at %llu place%s",
			(unsigned long long)bytes, (unsigned long long)nr_psbs,
			fargs_plural(nr_psbs), (unsigned long long)nr_losses,
			fargs_plural(nr_losses));
		put_times(out, &in->config, &segs);
		fputc('\n', out);
	}
	fargs_pt_segments_deinit(&segs);
	return ret;
}

static int put_input(FILE *out, const struct fargs_pt_input *in)
{
	uint64_t code_bytes = 0;
	size_t i;

	put_terms(out, &in->config);
	for (i = 0; i < in->nr_streams; i++)
		if (put_stream(out, in, &in->streams[i]))
			return -ENOMEM;
	for (i = 0; i < in->nr_codes; i++)
		code_bytes += in->codes[i].bytes;
	fprintf(out, "%-10s %llu bytes in %zu piece%s, changed at %zu place%s\n", "code",
		(unsigned long long)code_bytes, in->nr_codes, fargs_plural(in->nr_codes),
		in->nr_pokes, fargs_plural(in->nr_pokes));
	fprintf(out, "%-10s task switches %zu, task names %zu, added or removed symbols %zu, "
		"lost records %llu\n", "sideband", in->nr_switches, in->nr_comms, in->nr_symbols,
		(unsigned long long)in->nr_lost_records);
	return 0;
}

int fargs_info_put_perf(FILE *out, const char *path, struct fargs_error_text *err)
{
	struct fargs_pt_input in;
	int ret;

	fargs_pt_input_init(&in);
	ret = fargs_pt_read(&in, path, NULL, err);
	if (!ret) {
		fprintf(out, "%-10s ", "file");
		fargs_print_escaped(out, path);
		fprintf(out, "\n%-10s perf.data\n", "format");
		if (put_input(out, &in))
			ret = fargs_fail(err, ENOMEM, "out of memory");
	}
	fargs_pt_input_deinit(&in);
	return ret;
}
