// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests the module's page-table walk (kmod/arch/x86/mem.h), built for user space, on generated
 * tables. The result must follow from the tables according to the SDM. Whatever the tables contain,
 * the walk must read only the direct map, with interrupts disabled.
 */
#define MADE_UP_TABLES
#include <stdlib.h>
#include <string.h>

#include <linux/compiler.h>
#include <linux/types.h>

#include "fuzz/random.h"
#include "unit/ktap.h"

#include <linux/uaccess.h>

/* The module's header. */
#include "../../kmod/arch/x86/mem.h"

/* number of levels; one table each, in pages 1 to 4 of physical memory */
#define TABLES		4
#define PAGES		64	/* pages of physical memory */
#define PRESENT		0x1ull
#define LARGE		0x80ull
#define ROUNDS		200000

static u64 tables[TABLES][512];
static struct mm_struct mm;
static struct task_struct task = { .mm = &mm };
struct task_struct *current = &task;
void *high_memory = (void *)(PAGE_OFFSET + PAGES * PAGE_SIZE);
unsigned long made_up_irqs = 1;

static unsigned long nr_reads, nr_outside, nr_interruptible;
static struct fuzz_random state = { 20261123 };
static bool is_garbage;

static u64 rnd(void)
{
	return (u64)fuzz_random(&state) << 32 | fuzz_random(&state);
}

/* Returns an entry of a page that is no longer a table. It often looks like a valid entry. */
static u64 garbage(void)
{
	u64 entry = rnd();

	switch (fuzz_below(&state, 8)) {
	case 0:
		return entry | PRESENT;
	case 1:		/* an address that wraps around to user space */
		return ((u64)-PAGE_OFFSET + (entry & 0xffffff000)) | PRESENT;
	case 2:		/* an address near the end of memory */
		return ((PAGES - 1 + fuzz_below(&state, 3)) * PAGE_SIZE) | PRESENT;
	case 3:
		return entry;
	default:
		return fuzz_below(&state, PAGES) * PAGE_SIZE | PRESENT;
	}
}

bool made_up_read(void *to, unsigned long addr, size_t bytes)
{
	unsigned long page = (addr - PAGE_OFFSET) / PAGE_SIZE;
	u64 entry;

	nr_reads++;
	nr_interruptible += made_up_irqs;
	if (addr < PAGE_OFFSET || addr + bytes > (unsigned long)high_memory) {
		nr_outside++;
		return false;
	}
	if (is_garbage)
		entry = garbage();
	else if (page >= 1 && page <= TABLES)
		entry = tables[page - 1][addr % PAGE_SIZE / 8];
	else
		return false;
	memcpy(to, &entry, bytes);
	return true;
}

/* Walks the tables for ADDR with the given entries of the four levels. */
#define ADDR	(VMALLOC_START + 0x123456789000ul)

static bool walk(u64 entry_4, u64 entry_3, u64 entry_2, u64 entry_1)
{
	const u64 entries[TABLES] = { entry_4, entry_3, entry_2, entry_1 };
	int i;

	memset(tables, 0, sizeof(tables));
	for (i = 0; i < TABLES; i++)
		tables[i][ADDR >> (39 - 9 * i) & 511] = entries[i];
	mm.pgd = (void *)(PAGE_OFFSET + PAGE_SIZE);
	return fargs_arch_is_mapped_memory(ADDR);
}

#define TABLE_3		(2 * PAGE_SIZE | PRESENT)
#define TABLE_2		(3 * PAGE_SIZE | PRESENT)
#define TABLE_1		(4 * PAGE_SIZE | PRESENT)
/* An entry for a page far above memory: the walk must not read mapped pages. */
#define FRAME		(0xfe000000ul | PRESENT)

static void answers(void)
{
	CHECK(walk(TABLE_3, TABLE_2, TABLE_1, FRAME));
	CHECK(walk(TABLE_3, TABLE_2, FRAME | LARGE, 0));
	CHECK(walk(TABLE_3, FRAME | LARGE, 0, 0));
	/* Bits that do not matter: no execution, dirty, accessed, global. */
	CHECK(walk(TABLE_3, TABLE_2, TABLE_1, 1ull << 63 | 0x163 | FRAME));
	/* Nothing is mapped if an entry is not present. */
	CHECK(!walk(0, TABLE_2, TABLE_1, FRAME));
	CHECK(!walk(TABLE_3, 0, TABLE_1, FRAME));
	CHECK(!walk(TABLE_3, TABLE_2, 0, FRAME));
	CHECK(!walk(TABLE_3, TABLE_2, TABLE_1, FRAME & ~PRESENT));
	/* Mappings that are uncached or write-through, or have the PAT bit, are refused. */
	CHECK(!walk(TABLE_3, TABLE_2, TABLE_1, FRAME | 0x10));
	CHECK(!walk(TABLE_3, TABLE_2, TABLE_1, FRAME | 0x08));
	CHECK(!walk(TABLE_3, TABLE_2, TABLE_1, FRAME | 0x80));
	CHECK(!walk(TABLE_3, TABLE_2, FRAME | LARGE | 0x10, 0));
	CHECK(!walk(TABLE_3, TABLE_2, FRAME | LARGE | 0x1000, 0));
	CHECK(!walk(TABLE_3, FRAME | LARGE | 0x08, 0, 0));
	CHECK(nr_reads && !nr_outside && !nr_interruptible && made_up_irqs == 1);
}

/* Tests a table that was freed, and whose page has other contents. */
static void stale(void)
{
	const u64 end = PAGES * PAGE_SIZE;
	/* PAGE_OFFSET + this number wraps around to an address in user space. */
	const u64 wraps = -PAGE_OFFSET + 0x7f0000000000;

	nr_reads = 0;
	nr_outside = 0;
	CHECK(!walk(end | PRESENT, TABLE_2, TABLE_1, FRAME));
	CHECK(!walk(wraps | PRESENT, TABLE_2, TABLE_1, FRAME));
	CHECK(!walk(TABLE_3, 0xffffffffff000 | PRESENT, TABLE_1, FRAME));
	CHECK(!walk(TABLE_3, TABLE_2, wraps | PRESENT, FRAME));
	CHECK(nr_reads == 1 + 1 + 2 + 3 && !nr_outside);
}

static void tables_of(void)
{
	const unsigned long end = (unsigned long)high_memory;

	CHECK(fargs_arch_table_of(0, end) == PAGE_OFFSET);
	CHECK(fargs_arch_table_of((end - PAGE_OFFSET - PAGE_SIZE) | 0xfff, end) == end - PAGE_SIZE);
	CHECK(!fargs_arch_table_of(end - PAGE_OFFSET, end));
	CHECK(!fargs_arch_table_of(-PAGE_OFFSET, end));
	CHECK(!fargs_arch_table_of(~0ul, end));
	/* Bits above the address must be ignored. */
	CHECK(fargs_arch_table_of(0xfff0000000003067, end) == PAGE_OFFSET + 0x3000);
}

static void random_tables(void)
{
	unsigned int i;

	is_garbage = true;
	nr_reads = 0;
	nr_outside = 0;
	nr_interruptible = 0;
	for (i = 0; i < ROUNDS; i++) {
		mm.pgd = (void *)(PAGE_OFFSET + fuzz_below(&state, PAGES) * PAGE_SIZE);
		fargs_arch_is_mapped_memory(VMALLOC_START + rnd() % (VMALLOC_END - VMALLOC_START));
		REQUIRE(made_up_irqs == 1);
	}
	printf("# %lu reads in %u walks, %lu of them outside of the direct map\n", nr_reads, ROUNDS,
	       nr_outside);
	CHECK(nr_reads > ROUNDS);
	CHECK(!nr_outside);
	CHECK(!nr_interruptible);
}

static const struct ktap_test tests[] = {
	{ "reports whether and how an address is mapped", answers },
	{ "does not follow entries that are not tables", stale },
	{ "reads tables in the direct map only", tables_of },
	{ "reads nothing else with random tables", random_tables },
};

int main(void)
{
	return KTAP_RUN(tests);
}
