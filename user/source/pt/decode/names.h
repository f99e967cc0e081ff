/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of addresses at a time of the trace: kernel symbols, and those that came and went
 * meanwhile (BPF programs, trampolines).
 */
#ifndef FARGS_PT_NAMES_H
#define FARGS_PT_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "source/pt/input/input.h"

/* What a function is, to who makes calls of branches: bits. */
enum fargs_pt_name_kind {
	/*
	 * None of its own: what the compiler has moved away, and what a function jumps to for
	 * its return (__x86_return_thunk, its_return_thunk …).
	 */
	FARGS_PT_NAME_PART = 1,
	FARGS_PT_NAME_THUNK = 2,	/* it leads on to another one: a retpoline */
	/* Where tracers have returns go first: kretprobe and fprobe, function graph. */
	FARGS_PT_NAME_HOOK = 4,
	/* What functions call for tracers; copies of trampolines may have no name. */
	FARGS_PT_NAME_FTRACE = 8,
	FARGS_PT_NAME_TRACER = 16,	/* our own code */
};

struct fargs_pt_name {
	const char *name;	/* NULL: nobody knows */
	const char *module;	/* NULL: none */
	uint64_t addr;		/* of its beginning */
	bool has_come;		/* it was not there all the time */
	bool is_lasting;	/* of that address there is no other, at any time */
	uint8_t kinds;		/* enum fargs_pt_name_kind, by the names alone */
};

/* Functions are aligned to that, but for a few. */
#define FARGS_PT_NAMES_ALIGN	16
/* Bits of their table: one for each such place in 16 MiB of code. */
#define FARGS_PT_NAMES_EVEN	(1u << 20)
/* Bits of the table of the others, which stays in the cache. */
#define FARGS_PT_NAMES_ODD	(1u << 16)

/* Shared by all threads; none of it is for others. */
struct fargs_pt_names {
	const struct fargs_pt_input *in;
	const struct fargs_pt_symbol **came;	/* by addr, then ns */
	size_t nr_came;
	uint64_t most_bytes;			/* that one of them has */
	/* Of each function its bit is set in one of both, and others' may be the same. */
	uint64_t even[FARGS_PT_NAMES_EVEN / 64];
	uint64_t odd[FARGS_PT_NAMES_ODD / 64];
};

/* NULL: no memory. @in must outlive it. */
struct fargs_pt_names *fargs_pt_names_create(const struct fargs_pt_input *in);
void fargs_pt_names_destroy(struct fargs_pt_names *names);

void fargs_pt_names_find(const struct fargs_pt_names *names, uint64_t addr, uint64_t ns,
			 struct fargs_pt_name *name);

static inline size_t fargs_pt_names_even(uint64_t addr)
{
	return addr / FARGS_PT_NAMES_ALIGN % FARGS_PT_NAMES_EVEN;
}

static inline size_t fargs_pt_names_odd(uint64_t addr)
{
	return (addr ^ addr >> 16) % FARGS_PT_NAMES_ODD;
}

/* May a function begin at @addr? False is sure, at any time. */
static inline bool fargs_pt_names_may_begin(const struct fargs_pt_names *names, uint64_t addr)
{
	size_t i;

	if (addr % FARGS_PT_NAMES_ALIGN) {
		i = fargs_pt_names_odd(addr);
		return names->odd[i / 64] >> i % 64 & 1;
	}
	i = fargs_pt_names_even(addr);
	return names->even[i / 64] >> i % 64 & 1;
}

/* Does one, at some time? */
bool fargs_pt_names_begins(const struct fargs_pt_names *names, uint64_t addr);

/* What a thread has found before. All zeroes: nothing. */
#define FARGS_PT_NAMES_KEPT	4096

struct fargs_pt_names_cache {
	struct {
		uint64_t addr;
		uint64_t ns;	/* then; at any time, if the name is lasting */
		struct fargs_pt_name name;
	} kept[FARGS_PT_NAMES_KEPT];
};

const struct fargs_pt_name *fargs_pt_names_find_anew(const struct fargs_pt_names *names,
						     struct fargs_pt_names_cache *cache, size_t i,
						     uint64_t addr, uint64_t ns);

/* As fargs_pt_names_find, out of @cache. Times of many branches are the same. */
static inline const struct fargs_pt_name *fargs_pt_names_get(const struct fargs_pt_names *names,
							     struct fargs_pt_names_cache *cache,
							     uint64_t addr, uint64_t ns)
{
	size_t i = (addr ^ addr >> 12) % FARGS_PT_NAMES_KEPT;

	if (cache->kept[i].addr != addr || !addr ||
	    (cache->kept[i].ns != ns && !cache->kept[i].name.is_lasting))
		return fargs_pt_names_find_anew(names, cache, i, addr, ns);
	return &cache->kept[i].name;
}

/* "name+0x1f [module]", or "[unknown]". */
void fargs_pt_names_put(struct fargs_buf *out, const struct fargs_pt_name *name, uint64_t addr);

#endif
