/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The module's rings (kmod/ring), built for user space, and as much of a kernel as they need: CPUS
 * CPUs, which the including file defines, and memory. One program may include this file once.
 */
#ifndef UNIT_RING_MACHINE_H
#define UNIT_RING_MACHINE_H

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Replace headers of the module that depend on the kernel's configuration. */
#define FARGS_KMOD_COMPAT_FEATURES_H
#define FARGS_KMOD_COMPAT_PREEMPT_H
#define ALIGN(n, to)	(((n) + (to) - 1) & ~((__typeof__(n))(to) - 1))
#include <asm/page.h>
#include <linux/build_bug.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/thread_info.h>
#define PAGE_ALIGN(n)	ALIGN(n, PAGE_SIZE)
#define BUILD_BUG_ON(cond)	static_assert(!(cond))
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))
#define round_down(n, to)	((n) & ~((__typeof__(n))(to) - 1))
#define min(a, b)		min_t(__typeof__(a), a, b)

#include "../../kmod/arch/cpu.h"

/* The following macros replace those of kmod/compat/preempt.h. */
#define fargs_compat_preempt()	fargs_arch_preempt()
#define fargs_compat_tif(task)	((u16)made_up_thread.flags)

#include "../../kmod/ring/over.c"
#include "../../kmod/ring/publish.c"
#include "../../kmod/ring/record.c"
#include "../../kmod/ring/ring.c"

#ifndef PAGES
#define PAGES		256
#endif

unsigned int made_up_cpus = CPUS;
struct cpumask made_up_online = { (1ul << CPUS) - 1 }, made_up_possible = { (1ul << CPUS) - 1 };
_Thread_local int made_up_cpu;
struct thread_info made_up_thread;
static struct task_struct idle_task = { .comm = "test" };
struct task_struct *current = &idle_task;

struct page {
	unsigned int nr;
	bool is_used;
};

static struct page pages[PAGES];
static uint8_t *memory;
static int memory_fd;
static unsigned long nr_wakes;

bool irq_work_queue(struct irq_work *work)
{
	work->func(work);
	return true;
}

void irq_work_sync(struct irq_work *work)
{
}

void wake_up_interruptible(wait_queue_head_t *wait)
{
	__atomic_fetch_add(&nr_wakes, 1, __ATOMIC_RELAXED);
}

void *page_address(const struct page *page)
{
	return memory + page->nr * PAGE_SIZE;
}

struct page *alloc_pages_node(int node, gfp_t gfp, unsigned int order)
{
	unsigned int i;

	for (i = 0; i < PAGES && pages[i].is_used; i++)
		;
	if (i == PAGES)
		return NULL;
	pages[i] = (struct page){ .nr = i, .is_used = true };
	memset(page_address(&pages[i]), 0, PAGE_SIZE);
	return &pages[i];
}

void __free_page(struct page *page)
{
	page->is_used = false;
}

static size_t map_bytes;

void *vmap(struct page **list, unsigned int nr, unsigned long flags, int protection)
{
	uint8_t *map;
	unsigned int i;

	map_bytes = nr * PAGE_SIZE;
	map = mmap(NULL, map_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (i = 0; map != MAP_FAILED && i < nr; i++) {
		if (mmap(map + i * PAGE_SIZE, PAGE_SIZE, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_FIXED, memory_fd, list[i]->nr * PAGE_SIZE) == MAP_FAILED)
			abort();
	}
	return map == MAP_FAILED ? NULL : map;
}

void vunmap(const void *map)
{
	munmap((void *)map, map_bytes);
}

static void make_memory(void)
{
	memory_fd = memfd_create("pages", MFD_CLOEXEC);
	if (memory_fd < 0 || ftruncate(memory_fd, PAGES * PAGE_SIZE))
		abort();
	memory = mmap(NULL, PAGES * PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, memory_fd, 0);
	if (memory == MAP_FAILED)
		abort();
}

#endif
