/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A perf.data file made by hand, according to perf's description of the format and without fargs's
 * structs: two events (intel_pt, dummy), traces of two CPUs, and sideband records.
 */
#ifndef SELFTESTS_PERF_WORLD_H
#define SELFTESTS_PERF_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A growing array of bytes. */
struct world {
	uint8_t bytes[65536];
	size_t n;
};

__attribute__((unused)) static void put_bytes(struct world *w, const void *bytes, size_t n)
{
	memcpy(w->bytes + w->n, bytes, n);
	w->n += n;
}

__attribute__((unused)) static void put32(struct world *w, uint32_t v)
{
	put_bytes(w, &v, sizeof(v));
}

__attribute__((unused)) static void put64(struct world *w, uint64_t v)
{
	put_bytes(w, &v, sizeof(v));
}

__attribute__((unused)) static void set64(struct world *w, size_t at, uint64_t v)
{
	memcpy(w->bytes + at, &v, sizeof(v));
}

/* Adds @text with a NUL, padded with zeroes to a multiple of eight bytes. */
__attribute__((unused)) static void put_text(struct world *w, const char *text)
{
	size_t n = strlen(text) + 1;

	put_bytes(w, text, n);
	for (; n % 8; n++)
		w->bytes[w->n++] = 0;
}

/* Adds the header of a record. Returns its offset for end_record(), which sets the size. */
__attribute__((unused)) static size_t begin_record(struct world *w, uint32_t type, uint16_t misc)
{
	size_t at = w->n;

	put32(w, type);
	put32(w, misc);
	return at;
}

__attribute__((unused)) static void end_record(struct world *w, size_t at)
{
	uint16_t size = w->n - at;

	memcpy(w->bytes + at + 6, &size, sizeof(size));
}

enum { ID_PT = 100, ID_SIDE = 200 };
enum { SAMPLE_TID = 2, SAMPLE_TIME = 4, SAMPLE_CPU = 128, SAMPLE_IDENTIFIER = 1 << 16 };
#define SAMPLE_TYPE	(SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU | SAMPLE_IDENTIFIER)

/* The id of sideband records; another one than ID_SIDE: they are of a guest (put_guest_id()). */
static uint64_t side_id = ID_SIDE;

/* Adds a sample id: TID, TIME, CPU, IDENTIFIER. */
__attribute__((unused)) static void put_sample(struct world *w, uint32_t pid, uint32_t tid,
					       uint64_t ns, uint32_t cpu, uint64_t id)
{
	put32(w, pid);
	put32(w, tid);
	put64(w, ns);
	put32(w, cpu);
	put32(w, 0);
	put64(w, id == ID_SIDE ? side_id : id);
}

/*
 * Adds ID_INDEX with one id, which is that of an event of virtual CPU @vcpu of the hypervisor @pid,
 * whose thread @tid executes this CPU.
 */
__attribute__((unused)) static void put_guest_id(struct world *w, uint64_t id, uint32_t pid,
						 uint32_t tid, uint32_t vcpu)
{
	size_t at = begin_record(w, 69, 0);

	put64(w, 1);
	put64(w, id);
	put64(w, 1);
	put64(w, 0);
	put64(w, tid);
	put64(w, pid);
	put64(w, vcpu);
	end_record(w, at);
}

enum { PT_TYPE = 8, TSC_BIT = 0x400, MTC_BIT = 0x200, MTC_FREQ_BITS = 0x3c000 };

/* Adds a perf_event_attr of 128 bytes, with sample_id_all. */
__attribute__((unused)) static void put_attr(struct world *w, uint32_t type, uint64_t config,
					     uint64_t flags)
{
	size_t at = w->n;

	put32(w, type);
	put32(w, 128);
	put64(w, config);
	put64(w, 1);
	put64(w, SAMPLE_TYPE);
	put64(w, 0);
	put64(w, flags | 1 << 18);
	memset(w->bytes + w->n, 0, 128 - (w->n - at));
	w->n = at + 128;
}

__attribute__((unused)) static void put_auxtrace_info(struct world *w, bool is_per_cpu)
{
	const uint64_t values[] = {
		PT_TYPE, 10, 512, 1000, 1, TSC_BIT, 0x800, 3, 0, is_per_cpu, MTC_BIT, MTC_FREQ_BITS,
		84, 2, 2, 21, 0,
	};
	size_t at = begin_record(w, 70, 0);

	put32(w, 1);
	put32(w, 0);
	put_bytes(w, values, sizeof(values));
	end_record(w, at);
}

__attribute__((unused)) static void put_auxtrace(struct world *w, uint32_t cpu, uint64_t offset,
						 const void *bytes, size_t n)
{
	size_t at = begin_record(w, 71, 0);

	put64(w, (n + 7) & ~7ul);
	put64(w, offset);
	put64(w, 0);
	put32(w, cpu);
	put32(w, -1);
	put32(w, cpu);
	put32(w, 0);
	end_record(w, at);
	put_bytes(w, bytes, n);
	for (; n % 8; n++)
		w->bytes[w->n++] = 0;
}

__attribute__((unused)) static void put_aux(struct world *w, uint32_t cpu, uint64_t offset,
					    uint64_t bytes, uint64_t flags)
{
	size_t at = begin_record(w, 11, 0);

	put64(w, offset);
	put64(w, bytes);
	put64(w, flags);
	put_sample(w, 7, 7, 2000, cpu, ID_PT);
	end_record(w, at);
}

__attribute__((unused)) static void put_itrace_start(struct world *w, uint32_t tid, uint32_t cpu,
						     uint64_t ns)
{
	size_t at = begin_record(w, 12, 0);

	put32(w, tid);
	put32(w, tid);
	put_sample(w, tid, tid, ns, cpu, ID_PT);
	end_record(w, at);
}

__attribute__((unused)) static void put_comm(struct world *w, uint32_t tid, const char *comm,
					     uint64_t ns)
{
	size_t at = begin_record(w, 3, 0);

	put32(w, tid);
	put32(w, tid);
	put_text(w, comm);
	put_sample(w, ns ? tid : 0, ns ? tid : 0, ns, 0, ns ? ID_SIDE : 0);
	end_record(w, at);
}

__attribute__((unused)) static void put_fork(struct world *w, uint32_t tid, uint32_t parent,
					     uint64_t ns)
{
	size_t at = begin_record(w, 7, 0);

	put32(w, tid);
	put32(w, parent);
	put32(w, tid);
	put32(w, parent);
	put64(w, ns);
	put_sample(w, parent, parent, ns, 0, ID_SIDE);
	end_record(w, at);
}

__attribute__((unused)) static void put_switch(struct world *w, uint32_t cpu, uint32_t from,
					       uint32_t to, uint64_t ns)
{
	size_t at = begin_record(w, 15, 1 << 13);

	put32(w, to);
	put32(w, to);
	put_sample(w, from, from, ns, cpu, ID_SIDE);
	end_record(w, at);
	at = begin_record(w, 15, 0);
	put32(w, from);
	put32(w, from);
	put_sample(w, to, to, ns + 1, cpu, ID_SIDE);
	end_record(w, at);
}

/* Adds PERF_RECORD_MMAP2 for a program's code: PROT_EXEC, MAP_PRIVATE. */
__attribute__((unused)) static void put_mmap2(struct world *w, uint32_t pid, uint64_t addr,
					      uint64_t bytes, const char *path, uint64_t ns)
{
	size_t at = begin_record(w, 10, side_id == ID_SIDE ? 2 : 5);

	put32(w, pid);
	put32(w, pid);
	put64(w, addr);
	put64(w, bytes);
	put64(w, 0);
	put64(w, 0);
	put64(w, 0);
	put64(w, 0);
	put32(w, 4);
	put32(w, 2);
	put_text(w, path);
	put_sample(w, pid, pid, ns, 0, ID_SIDE);
	end_record(w, at);
}

/* Adds PERF_RECORD_COMM with the flag for an exec. */
__attribute__((unused)) static void put_exec(struct world *w, uint32_t pid, uint64_t ns)
{
	size_t at = begin_record(w, 3, 1 << 13);

	put32(w, pid);
	put32(w, pid);
	put_text(w, "exec");
	put_sample(w, pid, pid, ns, 0, ID_SIDE);
	end_record(w, at);
}

/* Adds PERF_RECORD_SWITCH, which has no body, for a task that is switched out or in. */
__attribute__((unused)) static void put_task_switch(struct world *w, uint32_t cpu, uint32_t tid,
						    bool is_out, uint64_t ns)
{
	size_t at = begin_record(w, 14, is_out ? 1 << 13 : 0);

	put_sample(w, tid, tid, ns, cpu, ID_PT);
	end_record(w, at);
}

__attribute__((unused)) static void put_ksymbol(struct world *w, uint64_t addr, uint32_t bytes,
						const char *name, bool is_removed, uint64_t ns)
{
	size_t at = begin_record(w, 17, 0);

	put64(w, addr);
	put32(w, bytes);
	put32(w, 1 | (uint32_t)is_removed << 16);
	put_text(w, name);
	put_sample(w, 7, 7, ns, 0, ID_SIDE);
	end_record(w, at);
}

__attribute__((unused)) static void put_text_poke(struct world *w, uint64_t addr, uint64_t ns)
{
	static const uint8_t code[16] = { 0x0f, 0x1f, 0x44, 0, 0, 0xe8, 1, 2, 3, 4 };
	size_t at = begin_record(w, 20, 0);

	put64(w, addr);
	put32(w, 5 | 5 << 16);
	put_bytes(w, code, 12);
	put_sample(w, 7, 7, ns, 0, ID_SIDE);
	end_record(w, at);
}

/* Adds the text of a feature: its length, the text, and padding. */
__attribute__((unused)) static void put_feature_text(struct world *w, const char *text)
{
	size_t n = (strlen(text) + 1 + 63) & ~63ul;

	put32(w, n);
	memset(w->bytes + w->n, 0, n);
	strcpy((char *)w->bytes + w->n, text);
	w->n += n;
}

/* Begins a file with both events. Returns the offset of the records, for finish_file(). */
__attribute__((unused)) static size_t begin_file(struct world *w)
{
	size_t ids, attrs;

	w->n = 0;
	put_bytes(w, "PERFILE2", 8);
	put64(w, 104);
	put64(w, 128 + 16);
	memset(w->bytes + w->n, 0, 104 - w->n);
	w->n = 104;
	ids = w->n;
	put64(w, ID_PT);
	put64(w, ID_SIDE);
	attrs = w->n;
	put_attr(w, PT_TYPE, 0x2000 | TSC_BIT | MTC_BIT | 3 << 14, 1 << 4);	/* exclude_user */
	put64(w, ids);
	put64(w, 8);
	put_attr(w, 1, 9, 0);
	put64(w, ids + 8);
	put64(w, 8);
	set64(w, 24, attrs);
	set64(w, 32, 2 * (128 + 16));
	set64(w, 40, w->n);
	return w->n;
}

/* Ends the records, which begin at @data, and adds the feature that identifies the CPU. */
__attribute__((unused)) static void finish_file(struct world *w, size_t data)
{
	size_t table = w->n;

	set64(w, 48, w->n - data);
	w->bytes[72 + 9 / 8] |= 1 << 9 % 8;	/* feature CPUID */
	put64(w, w->n + 16);
	put64(w, 0);
	put_feature_text(w, "GenuineIntel,6,142,9");
	set64(w, table + 8, w->n - table - 16);
}

/* Adds PSB, TSC, CBR, MODE.Exec, FUP if @ip is not 0, PSBEND: 44 bytes, or 37 without FUP. */
__attribute__((unused)) static void put_psb(struct world *w, uint64_t tsc, uint64_t ip)
{
	uint64_t word = 0x19 | tsc << 8;	/* TSC packet: opcode and seven bytes */
	int i;

	for (i = 0; i < 8; i++)
		put_bytes(w, "\x02\x82", 2);
	put_bytes(w, &word, 8);
	put_bytes(w, "\x02\x03\x10\x00", 4);
	put_bytes(w, "\x99\x01", 2);
	if (ip) {
		w->bytes[w->n++] = 0x7d;	/* FUP with 48 bits of the address */
		put_bytes(w, &ip, 6);
	}
	put_bytes(w, "\x02\x23", 2);
}

#endif
