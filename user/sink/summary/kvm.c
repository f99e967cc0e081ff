// SPDX-License-Identifier: GPL-2.0-only
#include "sink/summary/kvm.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "kernel/sym/ksyms.h"
#include "model/event_record.h"
#include "model/formats.h"
#include "model/kvm_plugin.h"

/* The fields of kvm_entry and kvm_exit events that are used. */
struct fields {
	uint64_t vcpu_id, rip, reason, isa;
	unsigned int has;	/* which fields the event has (flags of enum has) */
};

enum has {
	HAS_VCPU = 1 << 0,
	HAS_RIP = 1 << 1,
	HAS_REASON = 1 << 2,
};

static int take_field(void *arg, const struct fargs_field *field)
{
	struct fields *f = arg;
	uint64_t *to = NULL;
	unsigned int has = 0;

	if (!strcmp(field->name, "vcpu_id")) {
		to = &f->vcpu_id;
		has = HAS_VCPU;
	} else if (!strcmp(field->name, "rip") || !strcmp(field->name, "guest_rip")) {
		to = &f->rip;
		has = HAS_RIP;
	} else if (!strcmp(field->name, "exit_reason")) {
		to = &f->reason;
		has = HAS_REASON;
	} else if (!strcmp(field->name, "isa")) {
		to = &f->isa;
	}
	if (!to || field->is_array || field->kind == FARGS_FIELD_STRING ||
	    field->kind == FARGS_FIELD_BYTES)
		return 0;
	*to = fargs_field_number(field, 0);
	f->has |= has;
	return 0;
}

void fargs_kvm_deinit(struct fargs_kvm *kvm)
{
	while (kvm->nr_reasons)
		free(kvm->reasons[--kvm->nr_reasons].name);
	free(kvm->reasons);
	fargs_vcpus_deinit(&kvm->vcpus);
	memset(kvm, 0, sizeof(*kvm));
}

/*
 * Returns the exit reason's name from the event's text, or its number in hexadecimal. The caller
 * frees the result with free().
 */
static char *name_reason(struct fargs_decoder *d, const struct fargs_event *ev, uint64_t reason)
{
	const char *text, *words = NULL;
	size_t n, length = 0;
	char *name;

	text = fargs_formats_text(fargs_decoder_formats(d), &ev->formatted, NULL, false, &n);
	if (text)
		length = fargs_kvm_plugin_reason(text, n, &words);
	if (length)
		return strndup(words, length);
	return asprintf(&name, "0x%llx", (unsigned long long)reason) < 0 ? NULL : name;
}

/*
 * Returns the exit reason's name, or NULL if out of memory. A linear search suffices: there are a
 * few dozen reasons, and only few are frequent.
 */
static const char *reason_of(struct fargs_kvm *kvm, struct fargs_decoder *d,
			     const struct fargs_event *ev, const struct fields *f, uint64_t key)
{
	struct fargs_kvm_reason *reasons;
	size_t i;

	for (i = 0; i < kvm->nr_reasons; i++)
		if (kvm->reasons[i].key == key)
			return kvm->reasons[i].name;
	reasons = fargs_grow(kvm->reasons, kvm->nr_reasons, sizeof(*reasons));
	if (!reasons)
		return NULL;
	kvm->reasons = reasons;
	reasons[i].key = key;
	reasons[i].name = name_reason(d, ev, f->reason);
	if (!reasons[i].name)
		return NULL;
	kvm->nr_reasons++;
	return reasons[i].name;
}

static int leave(struct fargs_kvm *kvm, struct fargs_decoder *d, const struct fargs_event *ev,
		 const struct fields *f, const struct fargs_vcpu_moment *m)
{
	const struct fargs_ksym *sym = ev->guest ? fargs_ksyms_find_addr(ev->guest, f->rip) : NULL;
	struct fargs_vcpu_exit why = {
		/*
		 * The same number means different reasons on AMD and Intel: combine it with the
		 * ISA.
		 */
		.reason = f->isa << 32 ^ f->reason,
		.function = sym ? sym->addr : f->rip,
		.function_name = sym ? sym->name : NULL,
	};

	why.reason_name = reason_of(kvm, d, ev, f, why.reason);
	return why.reason_name ? fargs_vcpus_leave(&kvm->vcpus, m, &why) : -ENOMEM;
}

/* Returns the name of the leader of the thread group of @ev's task, or NULL. */
static const char *process_of(struct fargs_decoder *d, const struct fargs_event *ev)
{
	const struct fargs_record leader = { .tid = ev->tgid, .tsc = ev->tsc };
	const struct fargs_task *task = ev->tgid > 0 ? fargs_decoder_task(d, &leader) : NULL;

	return task ? task->comm : NULL;
}

int fargs_kvm_event(struct fargs_kvm *kvm, struct fargs_decoder *d, const struct fargs_event *ev)
{
	struct fargs_formats *formats = fargs_decoder_formats(d);
	struct fargs_format_head head;
	struct fargs_vcpu_moment m;
	struct fields f = { };
	bool is_exit;

	if (ev->kind == FARGS_KIND_LOST && ev->is_event)
		fargs_vcpus_lose(&kvm->vcpus);
	if (ev->kind != FARGS_KIND_EVENT)
		return 0;
	fargs_formats_head(formats, &ev->formatted, &head);
	if (!head.name || strcmp(head.system, "kvm"))
		return 0;
	is_exit = !strcmp(head.name, "kvm_exit");
	if (!is_exit && strcmp(head.name, "kvm_entry"))
		return 0;
	if (fargs_formats_fields(formats, &ev->formatted, take_field, &f) ||
	    !(f.has & HAS_RIP) || (is_exit && !(f.has & HAS_REASON)))
		return 0;
	/* Kernels before 5.10 do not report the vcpu's id in kvm_exit: use FARGS_VCPU_ANY. */
	m = (struct fargs_vcpu_moment){
		.vm = ev->tgid > 0 ? ev->tgid : ev->tid, .name = process_of(d, ev),
		.tid = ev->tid, .id = f.has & HAS_VCPU ? f.vcpu_id : FARGS_VCPU_ANY,
		.cpu = ev->cpu, .ns = ev->time_ns,
	};
	return is_exit ? leave(kvm, d, ev, &f, &m) : fargs_vcpus_enter(&kvm->vcpus, &m);
}
