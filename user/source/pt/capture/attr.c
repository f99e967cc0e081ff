// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/capture/attr.h"

#include <stddef.h>
#include <string.h>

/* Offset of the member aux_action, which has no name in headers before Linux 6.13. */
#define AUX_ACTION	(offsetof(struct perf_event_attr, aux_sample_size) + sizeof(uint32_t))

static void set_common(struct perf_event_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->sample_type = FARGS_PT_SAMPLE_TYPE;
	attr->sample_period = 1;
	attr->read_format = PERF_FORMAT_LOST;
	attr->sample_id_all = 1;
	attr->disabled = 1;
	attr->watermark = 1;
	attr->exclude_hv = 1;
}

void fargs_pt_attr_trace(struct perf_event_attr *attr, const struct fargs_pt_pmu *pmu,
			 const struct fargs_pt_terms *terms, uint32_t aux_watermark)
{
	set_common(attr);
	attr->type = pmu->type;
	attr->config = terms->config;
	attr->exclude_kernel = !terms->is_kernel;
	attr->exclude_user = !terms->is_user;
	attr->aux_watermark = aux_watermark;
	/* The ring contains almost only AUX records, so aux_watermark wakes pollers instead. */
	attr->wakeup_watermark = UINT32_MAX;
}

void fargs_pt_attr_add_samples(struct perf_event_attr *attr, uint32_t watermark)
{
	attr->sample_type = FARGS_PT_SAMPLES_TYPE;
	attr->wakeup_watermark = watermark;
}

void fargs_pt_attr_sample(struct perf_event_attr *attr, uint32_t type, uint64_t config,
			  uint32_t aux_bytes)
{
	set_common(attr);
	attr->type = type;
	attr->config = config;
	attr->sample_type = FARGS_PT_SAMPLES_TYPE | PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD |
			    (aux_bytes ? PERF_SAMPLE_AUX : 0);
	attr->sample_period = 0;
	attr->aux_sample_size = aux_bytes;
	/* The Intel PT event, which leads the group, enables it. */
	attr->disabled = 0;
	attr->wakeup_watermark = UINT32_MAX;
}

static void set_aux_action(struct perf_event_attr *attr, uint32_t action)
{
	memcpy((char *)attr + AUX_ACTION, &action, sizeof(action));
}

uint32_t fargs_pt_attr_aux_action(const struct perf_event_attr *attr)
{
	uint32_t action;

	memcpy(&action, (const char *)attr + AUX_ACTION, sizeof(action));
	return action;
}

void fargs_pt_attr_start_paused(struct perf_event_attr *attr)
{
	set_aux_action(attr, FARGS_PT_AUX_START_PAUSED);
}

void fargs_pt_attr_action(struct perf_event_attr *attr, uint64_t id, bool is_resume)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->type = PERF_TYPE_TRACEPOINT;
	attr->config = id;
	attr->sample_period = 1;
	attr->exclude_hv = 1;
	set_aux_action(attr, is_resume ? FARGS_PT_AUX_RESUME : FARGS_PT_AUX_PAUSE);
}

void fargs_pt_attr_side(struct perf_event_attr *attr, uint32_t watermark)
{
	set_common(attr);
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_DUMMY;
	attr->wakeup_watermark = watermark;
	attr->mmap = 1;
	attr->mmap2 = 1;
	attr->build_id = 1;
	attr->comm = 1;
	attr->comm_exec = 1;
	attr->task = 1;
	attr->context_switch = 1;
	attr->ksymbol = 1;
	attr->bpf_event = 1;
	attr->text_poke = 1;
}

void fargs_pt_attr_tracepoint(struct perf_event_attr *attr, uint64_t id)
{
	set_common(attr);
	attr->type = PERF_TYPE_TRACEPOINT;
	attr->config = id;
	attr->sample_type |= PERF_SAMPLE_RAW;
	/* Wake pollers at each sample: a module should be detected before it runs much code. */
	attr->watermark = 0;
	attr->wakeup_events = 1;
}
