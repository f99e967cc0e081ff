// SPDX-License-Identifier: GPL-2.0-only
#include "capture/pt_sample.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "kernel/caps.h"
#include "kernel/tracefs.h"

/* As in perf: samples a second, if the kernel permits as many. */
#define DEFAULT_FREQ	4000
#define MAX_FREQ_FILE	"/proc/sys/kernel/perf_event_max_sample_rate"
/*
 * perf warns of samples that are at most this number of bytes larger than the distance of two PSBs,
 * which is not exact.
 */
#define PSB_NEAR	256
/* Sizes of the ring of each CPU; the second one if locked memory is limited. */
#define RING_BYTES	(1u << 20)
#define USER_RING_BYTES	(128u << 10)

bool fargs_pt_is_sampled(const struct fargs_capture_request *r)
{
	size_t i;

	for (i = 0; i < r->nr_pt_samples; i++)
		if (!r->pt_samples[i].is_output)
			return true;
	return r->aux_sample_bytes;
}

bool fargs_pt_has_outputs(const struct fargs_capture_request *r)
{
	size_t i;

	for (i = 0; i < r->nr_pt_samples; i++)
		if (r->pt_samples[i].is_output)
			return true;
	return false;
}

static uint32_t default_bytes(const struct fargs_capture_request *r)
{
	return r->aux_sample_bytes ? r->aux_sample_bytes : FARGS_PT_SAMPLE_BYTES;
}

uint32_t fargs_pt_sample_bytes(const struct fargs_capture_request *r)
{
	uint32_t most = 0, bytes;
	size_t i;

	if (!fargs_pt_is_sampled(r))
		return 0;
	for (i = 0; i < r->nr_pt_samples; i++) {
		bytes = r->pt_samples[i].aux_bytes;
		bytes = bytes ? bytes : default_bytes(r);
		most = bytes > most ? bytes : most;
	}
	return r->nr_pt_samples ? most : default_bytes(r);
}

/* Returns the maximum of the kernel; UINT64_MAX: unknown. */
static uint64_t max_freq(void)
{
	FILE *file = fopen(MAX_FREQ_FILE, "re");
	unsigned long long max;
	bool is_known = file && fscanf(file, "%llu", &max) == 1;

	if (file)
		fclose(file);
	return is_known ? max : UINT64_MAX;
}

static int find_tracepoint(const char *name, uint64_t *id, struct fargs_capture_error *err)
{
	__cleanup_free char *system = strndup(name, strcspn(name, ":"));
	__cleanup_free char *text = NULL;
	const char *dir = fargs_tracefs_dir(&err->text);
	const struct fargs_tracefs_event event = { system, (char *)strchr(name, ':') + 1 };
	size_t size;

	if (!dir)
		return -ENOENT;
	if (!system)
		return fargs_fail(&err->text, ENOMEM, "no memory for Intel PT");
	/* A name is not a path. */
	if (!strchr(name, '/') && *system != '.' && event.name[0] != '.')
		text = fargs_tracefs_read(dir, &event, "id", &size);
	if (!text)
		return fargs_fail(&err->text, ENOENT, "'--pt-sample': there is no event '%s'",
				  name);
	*id = strtoull(text, NULL, 10);
	return 0;
}

static int add(struct fargs_pt *pt, const struct fargs_capture_request *r,
	       const struct fargs_pt_sample_rule *rule, uint64_t max,
	       struct fargs_capture_error *err)
{
	uint64_t id = 0;
	int ret = 0;

	if (rule->freq > max)
		return fargs_fail(&err->text, EINVAL, "'--pt-sample': 'freq=%llu' is too high: the "
				  "maximum is %llu (" MAX_FREQ_FILE ")",
				  (unsigned long long)rule->freq, (unsigned long long)max);
	if (rule->type == PERF_TYPE_TRACEPOINT)
		ret = find_tracepoint(rule->name, &id, err);
	if (!ret)
		fargs_pt_sampler_init(&pt->samplers[pt->options.nr_samplers++], rule,
				      default_bytes(r), max < DEFAULT_FREQ ? max : DEFAULT_FREQ,
				      id);
	return ret;
}

int fargs_pt_samples_choose(struct fargs_pt *pt, const struct fargs_capture_request *r,
			    struct fargs_capture_error *err)
{
	static const struct fargs_pt_sample_rule usual = {
		.name = "cpu-clock", .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK,
	};
	const struct fargs_pt_sample_rule *rules = r->nr_pt_samples ? r->pt_samples : &usual;
	size_t nr = r->nr_pt_samples ? r->nr_pt_samples : 1, i;
	uint64_t max = max_freq();
	int ret = 0;

	if (!fargs_pt_is_sampled(r) && !fargs_pt_has_outputs(r))
		return 0;
	pt->samplers = calloc(nr, sizeof(*pt->samplers));
	if (!pt->samplers)
		return fargs_fail(&err->text, ENOMEM, "no memory for Intel PT");
	pt->options.samplers = pt->samplers;
	pt->options.is_sampled = fargs_pt_is_sampled(r);
	pt->options.sample_ring_bytes = fargs_caps_has(CAP_IPC_LOCK) ? RING_BYTES :
								       USER_RING_BYTES;
	for (i = 0; !ret && i < nr; i++)
		ret = add(pt, r, &rules[i], max, err);
	return ret;
}

void fargs_pt_samples_warn(const struct fargs_pt *pt, const struct fargs_capture_hooks *hooks)
{
	uint64_t psb = fargs_pt_terms_psb_bytes(&pt->terms, &pt->pmu);
	struct fargs_capture_note note = { .kind = FARGS_NOTE_WARNING };
	char line[320];
	size_t i;

	for (i = 0; i < pt->options.nr_samplers; i++) {
		if (pt->samplers[i].attr.aux_output ||
		    pt->samplers[i].attr.aux_sample_size > psb + PSB_NEAR)
			continue;
		snprintf(line, sizeof(line), "samples of %u bytes of '%s' may be too small for a "
			 "PSB, which is there every %llu bytes: without one they cannot be decoded",
			 pt->samplers[i].attr.aux_sample_size, pt->samplers[i].name,
			 (unsigned long long)psb);
		note.name = line;
		hooks->note(hooks->arg, &note);
	}
}
