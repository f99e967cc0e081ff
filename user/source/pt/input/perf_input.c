// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/input/perf_input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/row.h"
#include "source/perf_data/event_name.h"
#include "source/perf_data/file.h"
#include "source/pt/input/address_filter.h"
#include "source/pt/input/copies.h"
#include "source/pt/input/guests.h"
#include "source/pt/input/kernel_input.h"
#include "source/pt/input/perf_aux.h"
#include "source/pt/input/perf_record.h"
#include "source/pt/input/perf_sample.h"
#include "source/pt/input/spaces.h"
#include "source/pt/input/switches.h"
#include "source/pt/input/user_files.h"

/*
 * Bits of attr.config, which are the same as in IA32_RTIT_CTL. Without bit 0 (pt), the kernel sets
 * BranchEn.
 */
#define CONFIG_PT		(1ull << 0)
#define CONFIG_POWER		(1ull << 4)
#define CONFIG_PTWRITE_IP	(1ull << 5)
#define CONFIG_PTWRITE		(1ull << 12)
#define CONFIG_BRANCH		(1ull << 13)
#define CONFIG_CYC_THRESH	(0xfull << 19)
#define CONFIG_EVENT		(1ull << 31)
#define CONFIG_NO_TNT		(1ull << 55)
/* Maximum of IA32_RTIT_CTL.MTCFreq, which has 4 bits. */
#define MTC_FREQ_MAX	15u

struct state {
	struct fargs_pt_input *in;
	struct fargs_perf_file *file;
	struct fargs_perf_aux aux;
	struct fargs_pt_copies copies;
	struct fargs_perf_ids ids;
	uint64_t values[FARGS_PERF_PT_VALUES];	/* from the AUXTRACE_INFO record */
	bool has_info;
	struct fargs_error_text *err;
};

static int too_short(const struct state *s, const struct fargs_perf_record *rec)
{
	return fargs_perf_file_corrupt(s->file, rec->at, "a record is too short for its type",
				       s->err);
}

static int no_memory(const struct state *s)
{
	return fargs_fail(s->err, ENOMEM, "out of memory");
}

/*
 * Finds the body of a record. Records that perf synthesizes have a sample id, too, but it is all
 * zeroes.
 */
static void find_body(const struct state *s, const struct fargs_perf_record *rec,
		      struct fargs_perf_body *b)
{
	struct fargs_perf_sample sample;

	fargs_perf_sample_find(&sample, rec->head, s->file);
	fargs_perf_body_init(b, rec->head, &sample);
}

/* @text: follows the values of an AUXTRACE_INFO record, which have @bytes including the text. */
static void take_filter(struct state *s, const char *text, size_t bytes)
{
	uint64_t size = s->values[FARGS_PERF_PT_FILTER_BYTES];
	char *filter;

	if (!size || bytes < sizeof(s->values) || size > bytes - sizeof(s->values))
		return;
	filter = strndup(text, size);
	if (filter)
		fargs_pt_address_filter_parse(&s->in->config, filter);
	free(filter);
}

static int take_info(struct state *s, const struct fargs_perf_record *rec)
{
	const struct fargs_perf_auxtrace_info *info = (const void *)rec->head;
	size_t bytes;

	if (rec->head->size < sizeof(*info))
		return too_short(s, rec);
	if (info->type != FARGS_PERF_AUXTRACE_INTEL_PT)
		return fargs_fail(s->err, EINVAL,
				  "its AUX data are not from Intel PT (type %u)",
				  info->type);
	bytes = rec->head->size - sizeof(*info);
	memcpy(s->values, info->values, bytes < sizeof(s->values) ? bytes : sizeof(s->values));
	take_filter(s, (const char *)&info->values[FARGS_PERF_PT_VALUES], bytes);
	s->has_info = true;
	return 0;
}

static int take_aux(struct state *s, const struct fargs_perf_record *rec,
		    const struct fargs_perf_body *b)
{
	bool is_cpu = s->values[FARGS_PERF_PT_PER_CPU_MMAPS];
	uint64_t flags;

	if (b->bytes < 24)
		return too_short(s, rec);
	flags = fargs_perf_body_u64(b, 16);
	s->in->aux.nr++;
	s->in->aux.nr_partial += !!(flags & PERF_AUX_FLAG_PARTIAL);
	s->in->aux.nr_collisions += !!(flags & PERF_AUX_FLAG_COLLISION);
	return fargs_perf_aux_note(&s->aux, is_cpu ? b->sample.cpu : UINT32_MAX,
				   is_cpu ? -1 : b->sample.tid, fargs_perf_body_u64(b, 0),
				   fargs_perf_body_u64(b, 8), flags) ? no_memory(s) : 0;
}

/*
 * Returns whether the trace consists of copies of the ends of AUX buffers: snapshots or samples.
 * They may overlap, and the offsets in AUXTRACE records are places in the buffers.
 */
static bool has_copies(const struct state *s)
{
	return s->values[FARGS_PERF_PT_SNAPSHOT_MODE] || fargs_perf_has_aux_samples(s->file);
}

static int take_auxtrace(struct state *s, const struct fargs_perf_record *rec)
{
	const struct fargs_perf_auxtrace *aux = (const void *)rec->head;
	const struct fargs_pt_piece piece = {
		.bytes = rec->data, .size = rec->data_bytes, .offset = aux->offset,
	};
	struct fargs_pt_stream *stream;
	int ret;

	if (!piece.size)
		return 0;
	if (piece.offset + piece.size < piece.offset)
		return fargs_perf_file_corrupt(s->file, rec->at, "AUXTRACE ends past the maximum "
					       "offset",
					       s->err);
	stream = fargs_pt_input_stream(s->in, aux->cpu, (int32_t)aux->tid);
	if (!stream)
		return no_memory(s);
	ret = has_copies(s) ? fargs_pt_copies_add(&s->copies, stream, &piece) :
			      fargs_pt_input_add_piece(stream, &piece);
	return ret ? no_memory(s) : 0;
}

/* Returns the stream of a sample; NULL with s->err if there is none. */
static struct fargs_pt_stream *stream_of(struct state *s, const struct fargs_sample *sample,
					 uint64_t at)
{
	bool is_cpu = s->values[FARGS_PERF_PT_PER_CPU_MMAPS];
	struct fargs_pt_stream *stream;

	if (is_cpu ? sample->cpu < 0 : sample->tid < 0) {
		fargs_perf_file_corrupt(s->file, at, is_cpu ?
					"the CPU of an AUX sample is unknown" :
					"the thread of an AUX sample is unknown", s->err);
		return NULL;
	}
	stream = fargs_pt_input_stream(s->in, is_cpu ? (uint32_t)sample->cpu : UINT32_MAX,
				       sample->tid);
	if (!stream)
		no_memory(s);
	return stream;
}

static int take_sample(struct state *s, const struct fargs_perf_record *rec)
{
	struct fargs_pt_piece copy = { .offset = UINT64_MAX };
	struct fargs_pt_stream *stream;
	struct fargs_sample sample;

	if (fargs_perf_sample_read(&sample, rec->head, s->file, &s->ids))
		return fargs_perf_file_corrupt(s->file, rec->at, "a sample is shorter than its "
					       "header says", s->err);
	if (sample.ns != UINT64_MAX)
		fargs_pt_input_extend(s->in, sample.ns);
	if (!sample.aux_bytes)
		return 0;
	copy.bytes = sample.aux;
	copy.size = sample.aux_bytes;
	stream = stream_of(s, &sample, rec->at);
	if (!stream)
		return -EINVAL;
	return fargs_pt_copies_add(&s->copies, stream, &copy) ? no_memory(s) : 0;
}

static int take_record(struct state *s, const struct fargs_perf_record *rec)
{
	struct fargs_perf_guest_id guest;
	struct fargs_perf_body b;
	int ret;

	switch (rec->head->type) {
	case FARGS_PERF_AUXTRACE_INFO:
		return take_info(s, rec);
	case FARGS_PERF_AUXTRACE:
		return take_auxtrace(s, rec);
	case FARGS_PERF_ID_INDEX:
		ret = fargs_perf_ids_add(&s->ids, rec->head);
		return ret == -EIO ? too_short(s, rec) : ret ? no_memory(s) : 0;
	case PERF_RECORD_SAMPLE:
		return take_sample(s, rec);
	}
	if (rec->head->type >= FARGS_PERF_HEADER_ATTR)
		return 0;
	find_body(s, rec, &b);
	if (fargs_perf_ids_guest(&s->ids, b.sample.id, &guest) && fargs_row(G9)) {
		ret = fargs_pt_guests_take(s->in, &guest, &b);
		return ret == -EIO ? too_short(s, rec) : ret ? no_memory(s) : 0;
	}
	if (rec->head->type == PERF_RECORD_AUX) {
		ret = take_aux(s, rec, &b);
		if (ret)
			return ret;
	}
	if (rec->head->type == PERF_RECORD_MMAP || rec->head->type == PERF_RECORD_MMAP2)
		ret = fargs_kernel_maps_add(&s->in->kernel, &b);
	else if (rec->head->type == PERF_RECORD_AUX_OUTPUT_HW_ID)
		ret = fargs_perf_aux_take_output(s->in, s->file, &b,
						 s->values[FARGS_PERF_PT_PER_CPU_MMAPS]);
	else
		ret = 0;
	if (!ret)
		ret = fargs_perf_record_take(s->in, &b);
	return ret == -EIO ? too_short(s, rec) : ret ? no_memory(s) : 0;
}

/* Returns the recording's Intel PT event, or NULL. */
static const struct fargs_perf_event *pt_event(const struct state *s)
{
	const struct fargs_perf_event *events;
	size_t nr = fargs_perf_file_events(s->file, &events), i;

	for (i = 0; i < nr; i++)
		if (events[i].attr.type == s->values[FARGS_PERF_PT_PMU_TYPE])
			return &events[i];
	return NULL;
}

static void set_cpu(struct fargs_pt_config *config, const char *cpuid)
{
	unsigned int family, model, stepping;

	if (!cpuid || sscanf(cpuid, "GenuineIntel,%u,%u,%u", &family, &model, &stepping) != 3 ||
	    family > UINT16_MAX || model > UINT8_MAX || stepping > UINT8_MAX)
		return;
	config->is_intel = true;
	config->family = family;
	config->model = model;
	config->stepping = stepping;
}

static int set_config(struct state *s)
{
	struct fargs_pt_config *config = &s->in->config;
	const struct fargs_perf_event *event = pt_event(s);
	const struct perf_event_attr *attr;
	const uint64_t *v = s->values;
	uint64_t freq = v[FARGS_PERF_PT_MTC_FREQ_BITS];

	if (!event)
		return fargs_fail(s->err, EINVAL, "its Intel PT data belong to none of its events");
	attr = &event->attr;
	s->in->attr = *attr;
	s->in->event_id = event->nr_ids ? event->ids[0] : 0;
	set_cpu(config, fargs_perf_file_feature(s->file, FARGS_PERF_FEATURE_CPUID));
	config->cpuid_0x15_eax = v[FARGS_PERF_PT_TSC_CTC_D];
	config->cpuid_0x15_ebx = v[FARGS_PERF_PT_TSC_CTC_N];
	config->nom_freq = v[FARGS_PERF_PT_MAX_NONTURBO_RATIO];
	config->has_tsc = attr->config & v[FARGS_PERF_PT_TSC_BIT];
	config->has_mtc = attr->config & v[FARGS_PERF_PT_MTC_BIT];
	config->has_cyc = attr->config & v[FARGS_PERF_PT_CYC_BIT];
	config->has_cyc_thresh = attr->config & CONFIG_CYC_THRESH;
	config->has_no_tnt = attr->config & CONFIG_NO_TNT;
	config->has_branches = !(attr->config & CONFIG_PT) || attr->config & CONFIG_BRANCH;
	config->has_ptwrite = attr->config & CONFIG_PTWRITE;
	config->has_ptwrite_ip = attr->config & CONFIG_PTWRITE_IP;
	config->has_power = attr->config & CONFIG_POWER;
	config->has_event_trace = attr->config & CONFIG_EVENT;
	if (fargs_perf_aux_add_outputs(s->in, s->file))
		return no_memory(s);
	if (freq)
		freq = (attr->config & freq) >> __builtin_ctzll(freq);
	if (freq > MTC_FREQ_MAX)
		return fargs_fail(s->err, EINVAL, "its mtc_period is %llu, but the maximum is %u",
				  (unsigned long long)freq, MTC_FREQ_MAX);
	config->mtc_freq = freq;
	config->has_kernel = !attr->exclude_kernel;
	config->has_user = !attr->exclude_user;
	config->has_time = !s->in->is_timeless && v[FARGS_PERF_PT_HAS_TIME] &&
			   v[FARGS_PERF_PT_TIME_SHIFT] < 64;
	config->time_shift = v[FARGS_PERF_PT_TIME_SHIFT];
	config->time_mult = v[FARGS_PERF_PT_TIME_MULT];
	config->time_zero = v[FARGS_PERF_PT_TIME_ZERO];
	return 0;
}

/* Sets the times that perf's header has. Those of records are used otherwise. */
static void set_span(struct state *s)
{
	uint64_t first_ns, last_ns;

	if (!fargs_perf_file_span(s->file, &first_ns, &last_ns))
		return;
	s->in->first_ns = first_ns;
	s->in->last_ns = last_ns;
}

/* perf writes the names of all events as wide as the longest one. */
static int set_name_width(struct state *s)
{
	const struct fargs_perf_event *events;
	size_t nr = fargs_perf_file_events(s->file, &events), i, n;
	char *name;

	for (i = 0; i < nr; i++) {
		name = events[i].name ? events[i].name : fargs_perf_event_name(&events[i].attr);
		if (!name)
			return no_memory(s);
		n = strlen(name);
		if (n > s->in->name_width)
			s->in->name_width = n;
		if (name != events[i].name)
			free(name);
	}
	return 0;
}

static int fail_no_aux(const struct state *s)
{
	return fargs_fail(s->err, EINVAL,
			  "it has no AUX data: record with 'perf record -e intel_pt//'");
}

static int read_all(struct state *s, const char *kcore)
{
	struct fargs_perf_record rec;
	int ret;

	while ((ret = fargs_perf_file_next(s->file, &rec, s->err)) > 0) {
		ret = take_record(s, &rec);
		if (ret)
			return ret;
	}
	if (ret)
		return ret;
	if (!s->has_info)
		return fail_no_aux(s);
	ret = set_config(s);
	if (ret)
		return ret;
	set_span(s);
	fargs_kernel_maps_set_ids(&s->in->kernel, fargs_perf_file_build_ids(s->file));
	ret = set_name_width(s);
	if (!ret)
		ret = fargs_kernel_input_add(s->in, s->file, kcore, s->err);
	if (ret)
		return ret;
	if (fargs_pt_guests_read(s->in) ||
	    fargs_pt_user_files_find(s->in, fargs_perf_file_build_ids(s->file)) ||
	    fargs_pt_input_sort(s->in))
		return no_memory(s);
	fargs_pt_switch_halves_join(s->in);
	if (fargs_pt_spaces_build(s->in) || fargs_pt_guests_build(s->in) ||
	    fargs_pt_switches_note(s->in) ||
	    (!has_copies(s) && fargs_perf_aux_apply(&s->aux, s->in)))
		return no_memory(s);
	return 0;
}

static void close_file(void *file)
{
	fargs_perf_file_destroy(file);
}

static void release(const void *file, const uint8_t *bytes, uint64_t n)
{
	fargs_perf_file_release(file, bytes, n);
}

/* Prefixes the error message with @path, unless it names a file already. */
static void add_name(struct fargs_error_text *err, const char *path)
{
	struct fargs_error_text inner = *err;

	if (strncmp(inner.text, "cannot ", 7) && inner.text[0] != '\'')
		fargs_fail(err, 0, "'%s': %s", path, inner.text);
}

/* Reads records up to the one that describes the trace. */
static int read_info(struct state *s)
{
	struct fargs_perf_record rec;
	int ret = 1;

	while (!s->has_info && ret == 1) {
		ret = fargs_perf_file_next(s->file, &rec, s->err);
		if (ret == 1 && rec.head->type == FARGS_PERF_AUXTRACE_INFO && take_info(s, &rec))
			return -EINVAL;
	}
	return s->has_info ? set_config(s) : ret ? ret : fail_no_aux(s);
}

int fargs_perf_input_config(struct fargs_pt_config *config, const char *path,
			    struct fargs_error_text *err)
{
	struct fargs_pt_input in;
	struct state s = { .in = &in, .err = err };
	int ret;

	s.file = fargs_perf_file_open(path, err);
	if (!s.file)
		return -EINVAL;
	fargs_pt_input_init(&in);
	ret = read_info(&s);
	if (ret)
		add_name(err, path);
	*config = in.config;
	fargs_pt_input_deinit(&in);
	fargs_perf_file_destroy(s.file);
	return ret;
}

int fargs_perf_input_read(struct fargs_pt_input *in, const char *path, const char *kcore,
			  struct fargs_error_text *err)
{
	struct state s = { .in = in, .err = err };
	int ret;

	s.file = fargs_perf_file_open(path, err);
	if (!s.file)
		return -EINVAL;
	in->source = s.file;
	in->close = close_file;
	in->release = release;
	ret = read_all(&s, kcore);
	if (ret)
		add_name(err, path);
	fargs_perf_aux_deinit(&s.aux);
	fargs_pt_copies_deinit(&s.copies);
	fargs_perf_ids_deinit(&s.ids);
	return ret;
}
