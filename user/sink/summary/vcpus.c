// SPDX-License-Identifier: GPL-2.0-only
#include "sink/summary/vcpus.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"

static void deinit_table(struct fargs_exit_table *t)
{
	while (t->nr)
		free(t->rows[--t->nr].name);
	free(t->rows);
	fargs_hash_deinit(&t->by_key);
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

/*
 * Is this the row of @key? An address without a name may equal the key of a function in another
 * symbol table, so a row with a name differs from a row without one.
 */
static bool is_row(const struct fargs_exits *row, uint64_t key, bool has_name)
{
	return row->key == key && !row->name == !has_name;
}

/* Adds a row. Returns its number, or FARGS_HASH_NONE if out of memory. */
static uint32_t add_row(struct fargs_exit_table *t, uint64_t key, const char *name)
{
	__cleanup_free char *copy = name ? strdup(name) : NULL;
	struct fargs_exits *row;

	if (!copy != !name || fargs_hash_reserve(&t->by_key, t->nr + 1))
		return FARGS_HASH_NONE;
	row = fargs_array_add(t->rows, t->nr);
	if (!row)
		return FARGS_HASH_NONE;
	*row = (struct fargs_exits){ .key = key, .name = fargs_take_ptr(copy) };
	fargs_hash_add(&t->by_key, fargs_hash_u64(key), t->nr - 1);
	return t->nr - 1;
}

/*
 * Returns the number of the row of @key, adding the row if it is new; FARGS_HASH_NONE if out of
 * memory.
 */
static uint32_t row_of(struct fargs_exit_table *t, uint64_t key, const char *name)
{
	uint32_t at, i;

	fargs_hash_for_each(i, at, &t->by_key, fargs_hash_u64(key))
		if (is_row(&t->rows[i], key, name))
			return i;
	return add_row(t, key, name);
}

static struct fargs_vm *vm_of(struct fargs_vcpus *all, const struct fargs_vcpu_moment *m)
{
	__cleanup_free char *name = NULL;
	struct fargs_vm *vm;
	size_t i;

	for (i = 0; i < all->nr; i++)
		if (all->vms[i].pid == m->vm)
			return &all->vms[i];
	name = strdup(m->name ? m->name : "");
	vm = name ? fargs_array_add(all->vms, all->nr) : NULL;
	if (vm)
		*vm = (struct fargs_vm){ .pid = m->vm, .name = fargs_take_ptr(name) };
	return vm;
}

/*
 * Is this the vcpu @id of its thread? If either id is unknown, the thread is assumed to have only
 * one vcpu.
 */
static bool is_id(struct fargs_vcpu *vcpu, unsigned int id)
{
	if (vcpu->id == FARGS_VCPU_ANY)
		vcpu->id = id;
	return vcpu->id == id || id == FARGS_VCPU_ANY;
}

static struct fargs_vcpu *vcpu_of(struct fargs_vcpus *all, const struct fargs_vcpu_moment *m)
{
	struct fargs_vm *vm = vm_of(all, m);
	struct fargs_vcpu *vcpu;
	size_t i;

	/*
	 * A process may have several VMs, but all vcpus that a thread runs belong to the same VM.
	 */
	for (i = 0; vm && i < vm->nr; i++)
		if (vm->vcpus[i].tid == m->tid && is_id(&vm->vcpus[i], m->id))
			return &vm->vcpus[i];
	vcpu = vm ? fargs_array_add(vm->vcpus, vm->nr) : NULL;
	if (vcpu)
		*vcpu = (struct fargs_vcpu){ .id = m->id, .tid = m->tid };
	return vcpu;
}

/* Returns true if the vcpu's last event left it in @state, and no event was lost since then. */
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
	if (vcpu->reason == FARGS_HASH_NONE || vcpu->function == FARGS_HASH_NONE)
		return -ENOMEM;
	s->exits++;
	s->reasons.rows[vcpu->reason].nr++;
	s->functions.rows[vcpu->function].nr++;
	/*
	 * A vcpu stays on its CPU while it is in the guest: if the CPUs differ, an event is
	 * missing.
	 */
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
	uint32_t n;
	size_t i;

	for (i = 0; i < from->nr; i++) {
		row = &from->rows[i];
		n = row_of(to, row->key, row->name);
		if (n == FARGS_HASH_NONE)
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

/*
 * Compares by frequency, then by time (largest first), then by key, so that the order is
 * deterministic.
 */
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

/* Sorts the rows, which changes their numbers: nothing can be added afterwards. */
static void sort_table(struct fargs_exit_table *t)
{
	if (t->nr)
		qsort(t->rows, t->nr, sizeof(*t->rows), compare_rows);
	fargs_hash_deinit(&t->by_key);
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
