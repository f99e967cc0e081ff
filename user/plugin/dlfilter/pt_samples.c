// SPDX-License-Identifier: GPL-2.0-only
#include "plugin/dlfilter/pt_samples.h"

#include <stdlib.h>
#include <string.h>

#include "plugin/dlfilter/al.h"
#include "plugin/dlfilter/pt_code.h"
#include "plugin/dlfilter/pt_events.h"
#include "plugin/dlfilter/pt_flags.h"
#include "plugin/dlfilter/pt_raw.h"
#include "source/perf_data/event_name.h"
#include "source/pt/decode/names.h"
#include "source/pt/events/pebs.h"
#include "source/pt/input/guests.h"
#include "source/pt/input/spaces.h"
#include "source/pt/input/user_files.h"

struct fargs_dlfilter_pt {
	fargs_dlfilter_pt_fn *pass;
	void *arg;
	const struct fargs_pt_input *in;
	const struct fargs_pt_which *which;
	struct fargs_pt_names *names;
	struct fargs_pt_code_reader *code;
	struct fargs_kernel_dsos dsos;
	struct fargs_kernel kernel;
	struct fargs_dlfilter_pt_event events[FARGS_DLFILTER_PT_KINDS];
	uint64_t *chain;			/* NULL: samples have none */
	struct perf_branch_entry *branches;	/* likewise */
	/* The following members are of the sample that filters are handling. */
	struct fargs_pt_task_space space;
	bool is_guest;			/* the event is of a guest */
	bool is_of_guest_task;		/* and @pid is that of a process of the guest */
	int32_t tid, pid;
	uint64_t ns;
	struct fargs_dlfilter_pt_raw raw;
};

static int set_up(struct fargs_dlfilter_pt *pt)
{
	const struct fargs_pt_which *which = pt->which;
	unsigned int nr_branches = 0;

	if (fargs_dlfilter_pt_events_init(pt->events, pt->in, which))
		return -1;
	pt->names = fargs_pt_names_create(pt->in);
	pt->code = fargs_pt_code_reader_create(pt->in);
	if (!pt->names || !pt->code)
		return -1;
	/* The address of the sample, its callers, and a marker where the mode differs. */
	if (which->chain_max)
		pt->chain = calloc(2 + 2 * (size_t)which->chain_max, sizeof(*pt->chain));
	if (which->branches_max)
		nr_branches = which->branches_max;
	if (which->wants & FARGS_PT_WANTS_PEBS && nr_branches < FARGS_PT_PEBS_BRANCHES)
		nr_branches = FARGS_PT_PEBS_BRANCHES;
	if (nr_branches)
		pt->branches = calloc(nr_branches, sizeof(*pt->branches));
	return (which->chain_max && !pt->chain) || (nr_branches && !pt->branches) ? -1 : 0;
}

struct fargs_dlfilter_pt *fargs_dlfilter_pt_create(fargs_dlfilter_pt_fn *pass, void *arg,
						   const struct fargs_pt_input *in,
						   const struct fargs_pt_which *which)
{
	struct fargs_dlfilter_pt *pt = calloc(1, sizeof(*pt));

	if (!pt)
		return NULL;
	pt->pass = pass;
	pt->arg = arg;
	pt->in = in;
	pt->which = which;
	pt->kernel = (struct fargs_kernel){ .ksyms = in->ksyms, .id = &in->kernel.id };
	/* The code in a recording of fargs is not a copy of the kernel's memory. */
	if (in->attr.size && fargs_pt_spaces_nr_kernel(in))
		pt->kernel.kcore = in;
	if (!set_up(pt))
		return pt;
	fargs_dlfilter_pt_destroy(pt);
	return NULL;
}

void fargs_dlfilter_pt_destroy(struct fargs_dlfilter_pt *pt)
{
	if (!pt)
		return;
	fargs_pt_names_destroy(pt->names);
	fargs_pt_code_reader_destroy(pt->code);
	fargs_kernel_dsos_deinit(&pt->dsos);
	fargs_dlfilter_pt_events_deinit(pt->events);
	free(pt->chain);
	free(pt->branches);
	free(pt);
}

/*
 * Fills @al from @name, a symbol that was registered during the trace, such as that of a BPF
 * program: it is mapped by itself, from offset 0, and its name is also that of the dso.
 */
static void set_registered(struct fargs_dlfilter_al *al, const struct fargs_pt_input *in,
			   const struct fargs_pt_name *name, uint64_t addr)
{
	size_t i;

	*al = (struct fargs_dlfilter_al){
		.sym = name->name, .dso = name->name, .addr = addr - name->addr,
		.symoff = addr - name->addr, .is_64_bit = 1, .is_kernel_ip = 1,
	};
	for (i = 0; i < in->nr_symbols; i++)
		if (in->symbols[i].name == name->name)
			al->sym_end = in->symbols[i].bytes;
}

static void find_name(struct fargs_dlfilter_pt *pt, uint64_t addr, struct fargs_pt_name *name)
{
	int32_t space = pt->is_guest ? fargs_pt_guests_task_space(pt->in, pt->tid, pt->ns) :
			fargs_pt_task_space(pt->in, &pt->space, pt->tid, pt->ns);

	fargs_pt_names_find(pt->names, space, addr, pt->ns, name);
}

/* Returns the file with the code of user space at @addr, and sets *@at; NULL: unknown. */
static const struct fargs_dso *find_dso(const struct fargs_pt_name *name)
{
	return name->files ? fargs_pt_files_dso(name->files, name->file_nr) : NULL;
}

static void resolve(void *arg, uint64_t addr, struct fargs_dlfilter_al *al)
{
	struct fargs_dlfilter_pt *pt = arg;
	const struct fargs_dso *dso;
	struct fargs_pt_name name;

	find_name(pt, addr, &name);
	if (fargs_kernel_has(addr)) {
		fargs_kernel_al_set(al, addr, &pt->kernel, &pt->dsos);
		if (name.name && name.is_registered)
			set_registered(al, pt->in, &name, addr);
		return;
	}
	al->addr = addr;
	dso = find_dso(&name);
	if (dso) {
		fargs_dso_al_set(al, dso, name.file_at);
	} else if (name.name) {
		al->sym = name.name;
		al->sym_start = name.addr;
		al->symoff = addr - name.addr;
		al->is_64_bit = 1;
	}
}

static size_t read_code(void *arg, uint64_t addr, void *buf, size_t bytes)
{
	struct fargs_dlfilter_pt *pt = arg;

	/* The process of this number is another one on the host. */
	if (pt->is_of_guest_task)
		return 0;
	return fargs_pt_code_read(pt->code, pt->pid, pt->ns, addr, buf, bytes);
}

static const char *srcline(void *arg, uint64_t addr, unsigned int *line)
{
	struct fargs_dlfilter_pt *pt = arg;
	struct fargs_pt_name name;

	if (fargs_kernel_has(addr))
		return NULL;
	find_name(pt, addr, &name);
	return find_dso(&name) ?
	       fargs_pt_files_srcline(name.files, name.file_nr, name.file_at, line) : NULL;
}

static const struct fargs_dlfilter_source source = {
	.resolve = resolve, .read_code = read_code, .srcline = srcline,
};

static uint64_t marker_of(uint64_t ip)
{
	return fargs_kernel_has(ip) ? PERF_CONTEXT_KERNEL : PERF_CONTEXT_USER;
}

/* Sets the call chain: markers where the mode changes, the sample's address and its callers. */
static void set_chain(struct fargs_dlfilter_pt *pt, const struct fargs_event *ev,
		      struct fargs_dlfilter_sample *sample)
{
	uint64_t *to = pt->chain, marker = marker_of(sample->ip), ip;
	const uint8_t *from = ev->stack;
	unsigned int i;

	*to++ = marker;
	*to++ = sample->ip;
	for (i = 0; i < ev->nr_stack; i++) {
		memcpy(&ip, from + i * sizeof(ip), sizeof(ip));
		if (marker_of(ip) != marker)
			*to++ = marker = marker_of(ip);
		*to++ = ip;
	}
	sample->raw_callchain = pt->chain;
	sample->raw_callchain_nr = to - pt->chain;
}

static void set_branches(struct fargs_dlfilter_pt *pt, const struct fargs_event *ev,
			 struct fargs_dlfilter_sample *sample)
{
	unsigned int i;

	for (i = 0; i < ev->nr_last_branches; i++)
		pt->branches[i] = (struct perf_branch_entry){
			.from = ev->last_branches[i].from, .to = ev->last_branches[i].to,
			.mispred = ev->is_mispredicted || ev->last_branches[i].is_mispredicted,
			.predicted = ev->last_branches[i].is_predicted,
			.cycles = ev->last_branches[i].cycles,
			.in_tx = ev->last_branches[i].is_in_tx,
			.abort = ev->last_branches[i].aborts,
		};
	sample->brstack = pt->branches;
	sample->brstack_nr = ev->nr_last_branches;
}

/* Sets what samples other than branches have. */
static void set_rest(struct fargs_dlfilter_pt *pt, struct fargs_decoder *d,
		     const struct fargs_event *ev, const struct fargs_pt_item *item,
		     struct fargs_dlfilter_sample *sample)
{
	const struct fargs_pt_evd *evds = NULL;
	unsigned int nr_evds = 0;

	if (pt->chain && (ev->has_chain || item->kind != FARGS_PT_PEBS))
		set_chain(pt, ev, sample);
	if (ev->last_branches)
		set_branches(pt, ev, sample);
	if (item->kind == FARGS_PT_PEBS)
		return;
	if (item->kind == FARGS_PT_CFE)
		evds = fargs_pt_events_evds(d, &nr_evds);
	fargs_dlfilter_pt_raw_set(&pt->raw, &pt->in->config, item, sample->addr, evds, nr_evds);
	if (!pt->raw.bytes)
		return;
	sample->raw_data = pt->raw.words;
	sample->raw_size = pt->raw.bytes;
}

int fargs_dlfilter_pt_filter(void *filters, const struct fargs_dlfilter_event *ev)
{
	int ret = fargs_dlfilters_early(filters, ev);

	return ret || ev->is_left_out ? ret : fargs_dlfilters_late(filters, ev);
}

const struct fargs_dlfilter_pt_event *
fargs_dlfilter_pt_events(const struct fargs_dlfilter_pt *pt)
{
	return pt->events;
}

static uint8_t mode_of(uint64_t addr, bool is_guest)
{
	if (fargs_kernel_has(addr))
		return is_guest ? PERF_RECORD_MISC_GUEST_KERNEL : PERF_RECORD_MISC_KERNEL;
	return is_guest ? PERF_RECORD_MISC_GUEST_USER : PERF_RECORD_MISC_USER;
}

/* Sets what a sample of a PEBS record has besides other samples. */
static void set_pebs(struct fargs_decoder *d, const struct fargs_event *ev,
		     struct fargs_pt_pebs_event *event, struct fargs_dlfilter_event *theirs,
		     struct fargs_dlfilter_sample *sample)
{
	sample->ip = ev->ip;
	sample->cpumode = mode_of(ev->ip, ev->is_guest);
	sample->misc = PERF_RECORD_MISC_EXACT_IP;
	sample->id = event->id;
	sample->stream_id = event->id;
	sample->weight = ev->sample->weight;
	sample->transaction = ev->sample->transaction;
	sample->data_src = ev->sample->data_src;
	sample->addr_correlates_sym = ev->sample->is_addr_code;
	sample->event = event->name;
	theirs->attr = &event->attr;
	theirs->pebs = fargs_pt_events_pebs(d);
}

int fargs_dlfilter_pt_ask(void *arg, struct fargs_decoder *d, const struct fargs_event *ev,
			  const struct fargs_item *item, bool is_wanted)
{
	struct fargs_dlfilter_pt *pt = arg;
	struct fargs_pt_item from = fargs_pt_events_item(item);
	bool is_branch = ev->kind == FARGS_EVENT_BRANCH;
	uint64_t addr = is_branch ? from.to : ev->sample ? ev->sample->addr : 0;
	struct fargs_dlfilter_pt_event *event;
	struct fargs_dlfilter_sample sample;
	struct fargs_dlfilter_event theirs;

	if (ev->kind == FARGS_EVENT_ERROR)
		return 0;
	event = &pt->events[fargs_dlfilter_pt_kind_of(&from)];
	sample = (struct fargs_dlfilter_sample){
		.size = sizeof(sample), .ip = from.from, .addr = addr, .pid = ev->tgid,
		.tid = ev->tid, .time = ev->time_ns, .id = event->id, .stream_id = event->id,
		.period = ev->sample->period, .insn_cnt = ev->sample->nr_insns,
		.cyc_cnt = ev->sample->nr_cycles, .flags = fargs_dlfilter_pt_flags(&from),
		.cpu = ev->has_no_cpu ? -1 : (int32_t)ev->cpu,
		.cpumode = mode_of(from.from ? from.from : addr, ev->is_guest),
		.addr_correlates_sym = fargs_perf_event_has_code_addr(&event->attr),
		.event = event->name, .machine_pid = ev->machine_pid,
		.vcpu = (int32_t)ev->vcpu,
	};
	theirs = (struct fargs_dlfilter_event){
		.sample = &sample, .attr = &event->attr, .comm = ev->comm,
		.is_left_out = !is_wanted, .source = &source, .arg = pt,
	};
	pt->tid = ev->host_tid;
	pt->is_of_guest_task = ev->machine_pid;
	pt->is_guest = ev->is_guest;
	pt->pid = ev->tgid;
	pt->ns = ev->time_ns;
	if (from.kind == FARGS_PT_PEBS)
		set_pebs(d, ev, &pt->in->pebs_events[from.insn], &theirs, &sample);
	if (!is_branch)
		set_rest(pt, d, ev, &from, &sample);
	return pt->pass(pt->arg, &theirs);
}
