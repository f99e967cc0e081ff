// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests the records of mappings of running programs: those of this process, which it also finds in
 * its /proc/self/maps. The layout of MMAP2 is that of perf_event_open(2).
 */
#include "ktap.h"

#include <elf.h>
#include <inttypes.h>
#include <link.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file/pt_file.h"
#include "source/pt/capture/maps.h"

static char records[1 << 20];
static size_t nr_bytes;
static struct fargs_error_text err;

/* Keeps the records, without the head of each chunk. */
static int keep(void *arg, unsigned int kind, unsigned int cpu, const struct iovec iov[2],
		bool is_lagging, struct fargs_error_text *e)
{
	const struct fargs_file_pt_sideband *head = iov[0].iov_base;

	(void)arg;
	(void)cpu;
	(void)is_lagging;
	(void)e;
	CHECK_INT(kind, FARGS_CHUNK_PT_SIDEBAND);
	CHECK_INT(head->ring, FARGS_PT_RING_SIDE);
	if (nr_bytes + iov[1].iov_len > sizeof(records))
		abort();
	memcpy(records + nr_bytes, iov[1].iov_base, iov[1].iov_len);
	nr_bytes += iov[1].iov_len;
	return 0;
}

static const struct fargs_pt_sink sink = { .chunk = keep };

static uint64_t u64_at(const char *record, size_t at)
{
	uint64_t value;

	memcpy(&value, record + at, sizeof(value));
	return value;
}

static uint32_t u32_at(const char *record, size_t at)
{
	uint32_t value;

	memcpy(&value, record + at, sizeof(value));
	return value;
}

/* Returns the record of the mapping of process @pid that contains @addr; NULL: none. */
static const char *find(uint32_t pid, uint64_t addr)
{
	const struct perf_event_header *head;
	const char *found = NULL;
	size_t at;

	for (at = 0; at < nr_bytes; at += head->size) {
		head = (const void *)(records + at);
		if (head->size < 72 + 24 || head->size % 8 || head->type != PERF_RECORD_MMAP2 ||
		    (head->misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_USER)
			abort();
		if (u32_at(records + at, 8) == pid &&
		    addr - u64_at(records + at, 16) < u64_at(records + at, 24))
			found = records + at;
	}
	return found;
}

/* Checks the record against the line of /proc/self/maps that contains @addr. */
static void check_mapping(const char *record, uint64_t addr)
{
	const struct perf_event_header *head = (const void *)record;
	uint64_t begin, end, offset;
	char line[4096 + 128], path[4096];
	FILE *maps = fopen("/proc/self/maps", "r");
	bool is_there = false;

	while (fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %4095s", &begin,
			   &end, &offset, path) != 4 || addr < begin || addr >= end)
			continue;
		CHECK(u64_at(record, 16) == begin);
		CHECK(u64_at(record, 24) == end - begin);
		CHECK(u64_at(record, 32) == offset);
		CHECK_STR(record + 72, path);
		is_there = true;
	}
	fclose(maps);
	CHECK(is_there);
	/* The sample id: process and thread, time 0, CPU. */
	CHECK_INT(u32_at(record, head->size - 24), getpid());
	CHECK(u64_at(record, head->size - 16) == 0);
}

/* Finds the note with this program's build ID in memory, where ld.so has put it. */
static int find_note(struct dl_phdr_info *info, size_t size, void *arg)
{
	const Elf64_Nhdr *note;
	size_t i, at;

	(void)size;
	for (i = 0; i < info->dlpi_phnum; i++) {
		const Elf64_Phdr *phdr = &info->dlpi_phdr[i];
		const char *notes = (const char *)info->dlpi_addr + phdr->p_vaddr;

		for (at = 0; phdr->p_type == PT_NOTE && at < phdr->p_memsz;
		     at += sizeof(*note) + ((note->n_namesz + 3) & -4) +
			   ((note->n_descsz + 3) & -4)) {
			note = (const void *)(notes + at);
			if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4)
				*(const Elf64_Nhdr **)arg = note;
		}
	}
	/* The first object is the program. */
	return 1;
}

static void has_build_ids(void)
{
	const pid_t tids[] = { getpid() };
	const struct fargs_pt_tasks tasks = { .ids = tids, .nr = 1 };
	const Elf64_Nhdr *note = NULL;
	const char *record;

	nr_bytes = 0;
	CHECK_INT(fargs_pt_maps_write(&tasks, &sink, &err), 0);
	record = find(getpid(), (uint64_t)(uintptr_t)has_build_ids);
	dl_iterate_phdr(find_note, &note);
	if (!record || !note) {
		ktap_fail(__FILE__, __LINE__, "no mapping, or no build ID");
		return;
	}
	CHECK(((const struct perf_event_header *)record)->misc & PERF_RECORD_MISC_MMAP_BUILD_ID);
	CHECK_INT(record[40], note->n_descsz);
	CHECK(!memcmp(record + 44, (const char *)(note + 1) + 4, note->n_descsz));
}

static void has_this_process(void)
{
	const pid_t tids[] = { getpid() };
	const struct fargs_pt_tasks tasks = { .ids = tids, .nr = 1 };
	const uint64_t own = (uint64_t)(uintptr_t)has_this_process;
	const uint64_t library = (uint64_t)(uintptr_t)memcpy;
	int on_stack;

	nr_bytes = 0;
	CHECK_INT(fargs_pt_maps_write(&tasks, &sink, &err), 0);
	CHECK(find(getpid(), own));
	if (find(getpid(), own))
		check_mapping(find(getpid(), own), own);
	if (find(getpid(), library))
		check_mapping(find(getpid(), library), library);
	CHECK(!find(getpid(), (uint64_t)(uintptr_t)&on_stack));
}

static void has_all_processes(void)
{
	const struct fargs_pt_tasks none = { .nr = 0 };

	nr_bytes = 0;
	CHECK_INT(fargs_pt_maps_write(&none, &sink, &err), 0);
	CHECK(find(getpid(), (uint64_t)(uintptr_t)has_this_process));
}

static void leaves_out_those_that_have_exited(void)
{
	/* Greater than any pid that the kernel gives. */
	const pid_t tids[] = { 1 << 30 };
	const struct fargs_pt_tasks tasks = { .ids = tids, .nr = 1 };

	nr_bytes = 0;
	CHECK_INT(fargs_pt_maps_write(&tasks, &sink, &err), 0);
	CHECK_INT(nr_bytes, 0);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "the mappings of a process", has_this_process },
		{ "build IDs of files", has_build_ids },
		{ "the mappings of all processes", has_all_processes },
		{ "processes that have exited", leaves_out_those_that_have_exited },
	};

	printf("# row A35\n");
	return KTAP_RUN(tests);
}
