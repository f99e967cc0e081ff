// SPDX-License-Identifier: GPL-2.0-only
#include "sink/summary/vcpus.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

#define FIRST_SLOTS	16
#define NO_ROW		SIZE_MAX

static void deinit_table(struct fargs_exit_table *t)
{
	while (t->nr)
		free(t->rows[--t->nr].name);
	free(t->rows);
	free(t->slots);
}

static void deinit_stats(struct fargs_vcpu_stats *s)
{
	fargs_quantiles_deinit(&s->host_ns);
	deinit_table(&s->reasons);
	deinit_table(&s->functions);
}

void fargs_vcpus_deinit(struct fargs_vcpus *all)
{
	struct fargs_vm *vm;

	while (all->nr) {
		vm = &all->vms[--all->nr];
		while (vm->nr)
			deinit_stats(&vm->vcpus[--vm->nr].stats);
		deinit_stats(&vm->total);
		free(vm->vcpus);
		free(vm->name);
	}
	free(all->vms);
	memset(all, 0, sizeof(*all));
}

/* An unknown address may be where a function begins in another table of symbols. */
static bool is_row(const struct fargs_exits *row, uint64_t key, bool has_name)
{
	return row->key == key && !row->name == !has_name;
}

/* The slot of a row, or where it belongs. */
static size_t slot_of(const struct fargs_exit_table *t, uint64_t key, bool has_name)
{
	size_t i = (key * 0x9e3779b97f4a7c15ull >> 32) & (t->nr_slots - 1);

	while (t->slots[i] && !is_row(&t->rows[t->slots[i] - 1], key, has_name))
		i = (i + 1) & (t->nr_slots - 1);
	return i;
}

/* At most half of the slots are used. */
static int make_slots(struct fargs_exit_table *t)
{
	size_t nr = t->nr_slots ? 2 * t->nr_slots : FIRST_SLOTS, i;

	if (2 * (t->nr + 1) <= t->nr_slots)
		return 0;
	while (nr < 2 * (t->nr + 1))
		nr *= 2;
	if (nr > UINT32_MAX)
		return -ENOMEM;
	free(t->slots);
	t->slots = calloc(nr, sizeof(*t->slots));
	t->nr_slots = t->slots ? nr : 0;
	if (!t->slots)
		return -ENOMEM;
	for (i = 0; i < t->nr; i++)
		t->slots[slot_of(t, t->rows[i].key, t->rows[i].name)] = i + 1;
	return 0;
}

/* Its number, or NO_ROW: there is no memory. */
static size_t row_of(struct fargs_exit_table *t, uint64_t key, const char *name)
{
	struct fargs_exits *rows;
	size_t slot;

	if (make_slots(t))
		return NO_ROW;
	slot = slot_of(t, key, name);
	if (t->slots[slot])
		return t->slots[slot] - 1;
	rows = fargs_grow(t->rows, t->nr, sizeof(*rows));
	if (!rows)
		return NO_ROW;
	t->rows = rows;
	rows[t->nr] = (struct fargs_exits){ .key = key, .name = name ? strdup(name) : NULL };
	if (name && !rows[t->nr].name)
		return NO_ROW;
	t->slots[slot] = ++t->nr;
	return t->nr - 1;
}

static struct fargs_vm *vm_of(struct fargs_vcpus *all, const struct fargs_vcpu_moment *m)
{
	struct fargs_vm *vms;
	size_t i;

	for (i = 0; i < all->nr; i++)
		if (all->vms[i].pid == m->vm)
			return &all->vms[i];
	vms = fargs_grow(all->vms, all->nr, sizeof(*vms));
	if (!vms)
		return NULL;
	all->vms = vms;
	vms[all->nr] = (struct fargs_vm){ .pid = m->vm, .name = strdup(m->name ? m->name : "") };
	return vms[all->nr].name ? &vms[all->nr++] : NULL;
}

/* Where one is not known, it is the only one of its thread. */
static bool is_id(struct fargs_vcpu *vcpu, unsigned int id)
{
	if (vcpu->id == FARGS_VCPU_ANY)
		vcpu->id = id;
	return vcpu->id == id || id == FARGS_VCPU_ANY;
}

static struct fargs_vcpu *vcpu_of(struct fargs_vcpus *all, const struct fargs_vcpu_moment *m)
{
	struct fargs_vm *vm = vm_of(all, m);
	struct fargs_vcpu *vcpus;
	size_t i;

	/* A process may have several VMs: a thread runs one of them. */
	for (i = 0; vm && i < vm->nr; i++)
		if (vm->vcpus[i].tid == m->tid && is_id(&vm->vcpus[i], m->id))
			return &vm->vcpus[i];
	vcpus = vm ? fargs_grow(vm->vcpus, vm->nr, sizeof(*vcpus)) : NULL;
	if (!vcpus)
		return NULL;
	vm->vcpus = vcpus;
	vcpus[vm->nr] = (struct fargs_vcpu){ .id = m->id, .tid = m->tid };
	return &vcpus[vm->nr++];
}

/* Nothing is missing since the last event of @vcpu, which has left it in @state. */
static bool is_sure(const struct fargs_vcpus *all, const struct fargs_vcpu *vcpu, int state,
		    const struct fargs_vcpu_moment *m)
{
	return (int)vcpu->state == state && vcpu->nr_losses == all->nr_losses &&
	       m->ns >= vcpu->since_ns;
}

static void set_state(const struct fargs_vcpus *all, struct fargs_vcpu *vcpu, int state,
		      const struct fargs_vcpu_moment *m)
{
	vcpu->state = state;
	vcpu->since_ns = m->ns;
	vcpu->cpu = m->cpu;
	vcpu->nr_losses = all->nr_losses;
}

static void add_time(struct fargs_exits *row, uint64_t ns)
{
	row->nr_timed++;
	row->host_ns += ns;
	if (ns > row->max_ns)
		row->max_ns = ns;
}

int fargs_vcpus_enter(struct fargs_vcpus *all, const struct fargs_vcpu_moment *m)
{
	struct fargs_vcpu *vcpu = vcpu_of(all, m);
	struct fargs_vcpu_stats *s;
	uint64_t ns;

	if (!vcpu)
		return -ENOMEM;
	s = &vcpu->stats;
	s->entries++;
	if (is_sure(all, vcpu, FARGS_VCPU_IN_HOST, m)) {
		ns = m->ns - vcpu->since_ns;
		if (fargs_quantiles_add(&s->host_ns, ns))
			return -ENOMEM;
		add_time(&s->reasons.rows[vcpu->reason], ns);
		add_time(&s->functions.rows[vcpu->function], ns);
	}
	set_state(all, vcpu, FARGS_VCPU_IN_GUEST, m);
	return 0;
}

int fargs_vcpus_leave(struct fargs_vcpus *all, const struct fargs_vcpu_moment *m,
		      const struct fargs_vcpu_exit *why)
{
	struct fargs_vcpu *vcpu = vcpu_of(all, m);
	struct fargs_vcpu_stats *s;

	if (!vcpu)
		return -ENOMEM;
	s = &vcpu->stats;
	vcpu->reason = row_of(&s->reasons, why->reason, why->reason_name);
	vcpu->function = row_of(&s->functions, why->function, why->function_name);
	if (vcpu->reason == NO_ROW || vcpu->function == NO_ROW)
		return -ENOMEM;
	s->exits++;
	s->reasons.rows[vcpu->reason].nr++;
	s->functions.rows[vcpu->function].nr++;
	/* It stays on its CPU while it is in the guest. */
	if (is_sure(all, vcpu, FARGS_VCPU_IN_GUEST, m) && vcpu->cpu == m->cpu) {
		s->guest_ns += m->ns - vcpu->since_ns;
		s->nr_guest++;
	}
	set_state(all, vcpu, FARGS_VCPU_IN_HOST, m);
	return 0;
}

void fargs_vcpus_lose(struct fargs_vcpus *all)
{
	all->nr_losses++;
}

static int merge_table(struct fargs_exit_table *to, const struct fargs_exit_table *from)
{
	const struct fargs_exits *row;
	struct fargs_exits *sum;
	size_t i, n;

	for (i = 0; i < from->nr; i++) {
		row = &from->rows[i];
		n = row_of(to, row->key, row->name);
		if (n == NO_ROW)
			return -ENOMEM;
		sum = &to->rows[n];
		sum->nr += row->nr;
		sum->nr_timed += row->nr_timed;
		sum->host_ns += row->host_ns;
		if (row->max_ns > sum->max_ns)
			sum->max_ns = row->max_ns;
	}
	return 0;
}

static int merge(struct fargs_vcpu_stats *to, const struct fargs_vcpu_stats *from)
{
	to->entries += from->entries;
	to->exits += from->exits;
	to->guest_ns += from->guest_ns;
	to->nr_guest += from->nr_guest;
	return fargs_quantiles_merge(&to->host_ns, &from->host_ns) ||
	       merge_table(&to->reasons, &from->reasons) ||
	       merge_table(&to->functions, &from->functions) ? -ENOMEM : 0;
}

/* The most frequent first; of the same number by time, then by key: an order of its own. */
static int compare_rows(const void *a, const void *b)
{
	const struct fargs_exits *x = a, *y = b;

	if (x->nr != y->nr)
		return x->nr > y->nr ? -1 : 1;
	if (x->host_ns != y->host_ns)
		return x->host_ns > y->host_ns ? -1 : 1;
	return x->key < y->key ? -1 : x->key > y->key;
}

static int compare_vcpus(const void *a, const void *b)
{
	const struct fargs_vcpu *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

static int compare_vms(const void *a, const void *b)
{
	const struct fargs_vm *x = a, *y = b;

	return x->pid < y->pid ? -1 : x->pid > y->pid;
}

/* Slots hold the numbers of rows no more. */
static void sort_table(struct fargs_exit_table *t)
{
	if (t->nr)
		qsort(t->rows, t->nr, sizeof(*t->rows), compare_rows);
	free(t->slots);
	t->slots = NULL;
	t->nr_slots = 0;
}

static void sort_stats(struct fargs_vcpu_stats *s)
{
	sort_table(&s->reasons);
	sort_table(&s->functions);
}

int fargs_vcpus_finish(struct fargs_vcpus *all)
{
	struct fargs_vm *vm;
	size_t i, j;

	for (i = 0; i < all->nr; i++) {
		vm = &all->vms[i];
		for (j = 0; j < vm->nr; j++)
			if (merge(&vm->total, &vm->vcpus[j].stats))
				return -ENOMEM;
		sort_stats(&vm->total);
		for (j = 0; j < vm->nr; j++)
			sort_stats(&vm->vcpus[j].stats);
		qsort(vm->vcpus, vm->nr, sizeof(*vm->vcpus), compare_vcpus);
	}
	if (all->nr)
		qsort(all->vms, all->nr, sizeof(*all->vms), compare_vms);
	return 0;
}
