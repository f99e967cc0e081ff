/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of addresses at a time of the trace: kernel symbols, and those registered or unregistered
 * during the trace (BPF programs, trampolines).
 */
#ifndef FARGS_SOURCE_PT_DECODE_NAMES_H
#define FARGS_SOURCE_PT_DECODE_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "source/pt/input/input.h"

/* Properties of a function that matter for finding calls: bits. */
enum fargs_pt_name_kind {
	/*
	 * Not a function of its own: a part moved away by the compiler, or a thunk to which
	 * functions jump for their return (__x86_return_thunk, its_return_thunk …).
	 */
	FARGS_PT_NAME_PART = 1,
	FARGS_PT_NAME_THUNK = 2,	/* continues to another function: a retpoline */
	/* Tracers redirect returns here: kretprobe and fprobe, function graph. */
	FARGS_PT_NAME_HOOK = 4,
	/* Functions call this for tracers; copies of trampolines may have no name. */
	FARGS_PT_NAME_FTRACE = 8,
	FARGS_PT_NAME_TRACER = 16,	/* the code of fargs */
};

struct fargs_pt_name {
	const char *name;	/* NULL: unknown */
	const char *module;	/* NULL: none */
	uint64_t addr;		/* address of its beginning */
	bool has_come;		/* it was registered during the trace */
	bool is_lasting;	/* the address has no other name at any time */
	uint8_t kinds;		/* enum fargs_pt_name_kind, derived from the name alone */
};

/* Alignment of most functions. */
#define FARGS_PT_NAMES_ALIGN	16
/* Bits in the table of aligned functions: one per alignment unit of 16 MiB of code. */
#define FARGS_PT_NAMES_EVEN	(1u << 20)
/* Bits in the table of other functions; small enough for the cache. */
#define FARGS_PT_NAMES_ODD	(1u << 16)

/* Private; shared by all threads, read only. */
struct fargs_pt_names {
	const struct fargs_pt_input *in;
	const struct fargs_pt_symbol **came;	/* symbols with a time, sorted by addr, then ns */
	size_t nr_came;
	uint64_t most_bytes;			/* size of the largest of them */
	/* Each function sets its bit in one of both; bits may collide. */
	uint64_t even[FARGS_PT_NAMES_EVEN / 64];
	uint64_t odd[FARGS_PT_NAMES_ODD / 64];
};

/* @in must outlive the result. NULL: out of memory. */
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

/* May a function begin at @addr at any time? False is certain. */
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

/* Does a function begin at @addr at some time? */
bool fargs_pt_names_begins(const struct fargs_pt_names *names, uint64_t addr);

/* Results of previous lookups, one cache per thread. Zero-initialized: empty. */
#define FARGS_PT_NAMES_KEPT	4096

struct fargs_pt_names_cache {
	struct {
		uint64_t addr;
		uint64_t ns;	/* time of the name; irrelevant if it is lasting */
		struct fargs_pt_name name;
	} kept[FARGS_PT_NAMES_KEPT];
};

const struct fargs_pt_name *fargs_pt_names_find_anew(const struct fargs_pt_names *names,
						     struct fargs_pt_names_cache *cache, size_t i,
						     uint64_t addr, uint64_t ns);

/* fargs_pt_names_find() with @cache. Many branches have the same time. */
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
