// SPDX-License-Identifier: GPL-2.0-only
/*
 * Context: same as the capture paths: any context, NMI included. Not traced (Kbuild).
 *
 * Lifetime: session/tracers.c replaces the template of a member when its session stops, and frees
 * the session only after a wait for all sections with preemption disabled, such as the walk of the
 * members. So a walk may still record a call in a session that is about to stop.
 */
#include "probe/several.h"

#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/gfp.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/threads.h>
#include <linux/vmalloc.h>

#include "arch/cpu.h"
#include "probe/fetch.h"
#include "probe/guard.h"
#include "probe/plain.h"
#include "probe/scope.h"

extern const char fargs_seq_site_several_plain[], fargs_seq_site_several_fetch[];

#define NR_PAGES	DIV_ROUND_UP(BITS_TO_LONGS(PID_MAX_LIMIT) * sizeof(long), PAGE_SIZE)

struct fargs_capture fargs_several_nobody;
struct fargs_template fargs_several_none = { .capture = &fargs_several_nobody };

static struct page *zeroes;
static DEFINE_PER_CPU(u32, programs_guard);

unsigned long fargs_several_site(enum fargs_path path)
{
	return (unsigned long)(path == FARGS_PATH_PLAIN ? fargs_seq_site_several_plain :
							  fargs_seq_site_several_fetch);
}

/* The bitmap is one page of zeroes, mapped as often as the bitmap has pages. */
int fargs_several_init(void)
{
	struct page **pages = kmalloc_array(NR_PAGES, sizeof(*pages), GFP_KERNEL);
	size_t i;

	zeroes = alloc_page(GFP_KERNEL | __GFP_ZERO);
	if (pages && zeroes) {
		for (i = 0; i < NR_PAGES; i++)
			pages[i] = zeroes;
		fargs_several_nobody.tids = vmap(pages, NR_PAGES, VM_MAP, PAGE_KERNEL_RO);
	}
	kfree(pages);
	if (fargs_several_nobody.tids)
		return 0;
	fargs_several_exit();
	return -ENOMEM;
}

void fargs_several_exit(void)
{
	if (fargs_several_nobody.tids)
		vunmap(fargs_several_nobody.tids);
	if (zeroes)
		__free_page(zeroes);
}

/*
 * Records a call by a session whose layout has programs. The programs of all sessions run under one
 * guard besides their own (probe/guard.h): otherwise the programs of each session could cause calls
 * for which those of all others run, and so on.
 */
static notrace noinline void capture_fetch(unsigned long ip, unsigned long parent_ip,
					   const struct fargs_template *t, struct pt_regs *regs)
{
	struct fargs_ring *ring = this_cpu_ptr(t->capture->rings);
	u64 seq = fargs_arch_next_seq(&ring->seq, fargs_seq_site_several_fetch);
	const struct fargs_programs *programs = fargs_template_programs(t);
	u32 *guard = this_cpu_ptr(&programs_guard), before;

	if (!programs->is_guarded[0]) {
		fargs_fetch_nested(ip, parent_ip, programs, regs, ring, seq);
	} else if (likely(fargs_guard_enter(guard, &before))) {
		fargs_fetch_nested(ip, parent_ip, programs, regs, ring, seq);
		fargs_guard_leave(guard, before);
	} else {
		local_inc(&ring->lost);
		local_inc(&ring->lost_pending);
	}
}

void notrace fargs_several_capture(unsigned long ip, unsigned long parent_ip,
				   const struct fargs_several *several, struct pt_regs *regs)
{
	const struct fargs_several_member *m = several->members, *end = m + several->nr;
	const unsigned long tid = current->pid;

	do {
		const struct fargs_template *t = READ_ONCE(m->template);
		const struct fargs_capture *capture = t->capture;
		struct fargs_ring *ring;
		u64 seq;

		if (unlikely(!test_bit(tid, capture->tids)))
			continue;
		if (unlikely(capture->scope) && !fargs_scope_is_inside(capture->scope))
			continue;
		if (unlikely(!t->fast_len)) {
			capture_fetch(ip, parent_ip, t, regs);
			continue;
		}
		ring = this_cpu_ptr(capture->rings);
		seq = fargs_arch_next_seq(&ring->seq, fargs_seq_site_several_plain);
		if (unlikely(!fargs_plain_record(ring, t, regs, ip, parent_ip, seq)))
			fargs_plain_record_slow(ring, t, regs, ip, parent_ip, seq);
	} while (++m < end);
	preempt_enable_notrace();
}
