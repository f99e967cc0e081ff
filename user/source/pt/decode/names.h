/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the function at an address and a time of the trace: kernel symbols, symbols that were
 * registered or unregistered during the trace (BPF programs, trampolines), and functions of user
 * space (user_names.h).
 */
#ifndef FARGS_SOURCE_PT_DECODE_NAMES_H
#define FARGS_SOURCE_PT_DECODE_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "source/pt/input/guests.h"
#include "source/pt/input/input.h"

/* Properties of a function that matter for finding calls, as bit flags. */
enum fargs_pt_name_kind {
	/*
	 * Not a separate function: a part of a function that the compiler moved (".cold"), or a
	 * thunk to which functions jump in order to return (__x86_return_thunk,
	 * its_return_thunk …).
	 */
	FARGS_PT_NAME_PART = 1,
	FARGS_PT_NAME_THUNK = 2,	/* only jumps to another function, like a retpoline */
	/* Tracers redirect returns to this function: kretprobes, fprobe, function graph. */
	FARGS_PT_NAME_HOOK = 4,
	/*
	 * A function that traced functions may call at entry: code of ftrace, or a nameless
	 * trampoline.
	 */
	FARGS_PT_NAME_FTRACE = 8,
	FARGS_PT_NAME_TRACER = 16,	/* a function of the kernel module fargs */
};

struct fargs_pt_name {
	const char *name;	/* NULL: unknown */
	const char *module;	/* NULL: none */
	/* The file with the code is number @file_nr of @files; NULL: of the kernel, or unknown. */
	struct fargs_pt_files *files;
	uint32_t file_nr;
	uint64_t file_at;	/* offset of the looked-up address in the file */
	uint64_t addr;		/* address of the function's beginning */
	bool is_registered;	/* the symbol was registered during the trace */
	bool is_user;		/* the result is valid in one space */
	bool is_lasting;	/* the address has this name at all times */
	bool is_guest;		/* the address is in a guest */
	uint8_t kinds;		/* enum fargs_pt_name_kind, derived from the name alone */
};

/* Alignment of most functions. */
#define FARGS_PT_NAMES_ALIGN	16
/* Bits in the table of aligned functions: one for each 16 bytes in 16 MiB of code. */
#define FARGS_PT_NAMES_EVEN	(1u << 20)
/* Bits in the table of other functions; small enough for the CPU's cache. */
#define FARGS_PT_NAMES_ODD	(1u << 16)

struct fargs_pt_user_names;

/*
 * The members are private. They do not change after creation and fargs_pt_names_note_begins(), so
 * threads may share the struct.
 */
struct fargs_pt_names {
	const struct fargs_pt_input *in;
	struct fargs_pt_user_names *user;	/* NULL: there is no code of user space */
	struct fargs_pt_names **guests;		/* of each of in->guests */
	const struct fargs_pt_symbol **added;	/* symbols with a time, sorted by addr, then ns */
	size_t nr_added;
	uint64_t most_bytes;			/* size of the largest symbol in @added */
	/*
	 * Each function has a bit set in one of these tables; functions may share a bit. All are 0
	 * before fargs_pt_names_note_begins().
	 */
	uint64_t even[FARGS_PT_NAMES_EVEN / 64];
	uint64_t odd[FARGS_PT_NAMES_ODD / 64];
};

/* Returns the recorded path of the file with the code; NULL: of the kernel, or unknown. */
const char *fargs_pt_name_file(const struct fargs_pt_name *name);

/* @in must outlive the result. Returns NULL if out of memory. */
struct fargs_pt_names *fargs_pt_names_create(const struct fargs_pt_input *in);
void fargs_pt_names_destroy(struct fargs_pt_names *names);

/* Fills the tables that fargs_pt_names_may_begin() uses. Call before @names is shared. */
void fargs_pt_names_note_begins(struct fargs_pt_names *names);

/*
 * @space: the space of the task that runs (index in in->spaces); -1: unknown; below -1: of a guest
 * (guests.h).
 */
void fargs_pt_names_find(const struct fargs_pt_names *names, int32_t space, uint64_t addr,
			 uint64_t ns, struct fargs_pt_name *name);

/*
 * Same as fargs_pt_names_find(), but without name->kinds, and sets *@begin and *@end (exclusive) to
 * a range that contains @addr. If name->is_lasting, the result is the same for all of the range, at
 * all times.
 */
void fargs_pt_names_find_range(const struct fargs_pt_names *names, int32_t space, uint64_t addr,
			       uint64_t ns, struct fargs_pt_name *name, uint64_t *begin,
			       uint64_t *end);

static inline size_t fargs_pt_names_even(uint64_t addr)
{
	return addr / FARGS_PT_NAMES_ALIGN % FARGS_PT_NAMES_EVEN;
}

static inline size_t fargs_pt_names_odd(uint64_t addr)
{
	return (addr ^ addr >> 16) % FARGS_PT_NAMES_ODD;
}

/* Returns false if no function ever begins at @addr; true if a function may begin there. */
static inline bool fargs_pt_names_may_begin(const struct fargs_pt_names *names, uint64_t addr)
{
	size_t i;

	/* The tables are too small for the functions of all programs. */
	if (names->user && !(addr >> 63))
		return true;
	if (addr % FARGS_PT_NAMES_ALIGN) {
		i = fargs_pt_names_odd(addr);
		return names->odd[i / 64] >> i % 64 & 1;
	}
	i = fargs_pt_names_even(addr);
	return names->even[i / 64] >> i % 64 & 1;
}

/* Returns whether a function begins at @addr at some time. */
bool fargs_pt_names_begins(const struct fargs_pt_names *names, uint64_t addr);
/* Returns the names of in->guests[@guest] alone; NULL if there is no such guest. */
const struct fargs_pt_names *fargs_pt_names_guest(const struct fargs_pt_names *names,
						  size_t guest);

/* Number of lookups whose results a cache keeps. */
#define FARGS_PT_NAMES_KEPT	4096

/* Each thread has its own cache. Initialize with zeroes. */
struct fargs_pt_names_cache {
	struct {
		uint64_t addr;
		uint64_t ns;	/* time of the lookup; irrelevant if @name.is_lasting */
		int32_t space;	/* of the lookup; irrelevant unless @name.is_user */
		struct fargs_pt_name name;
	} kept[FARGS_PT_NAMES_KEPT];
};

const struct fargs_pt_name *fargs_pt_names_find_anew(const struct fargs_pt_names *names,
						     struct fargs_pt_names_cache *cache, size_t i,
						     int32_t space, uint64_t addr, uint64_t ns);

/*
 * Same as fargs_pt_names_find(), but uses @cache, because many branches have the same target and
 * time.
 */
static inline const struct fargs_pt_name *fargs_pt_names_get(const struct fargs_pt_names *names,
							     struct fargs_pt_names_cache *cache,
							     int32_t space, uint64_t addr,
							     uint64_t ns)
{
	size_t i = (addr ^ addr >> 12) % FARGS_PT_NAMES_KEPT;

	if (cache->kept[i].addr != addr || !addr ||
	    (cache->kept[i].ns != ns && !cache->kept[i].name.is_lasting) ||
	    (cache->kept[i].space != space &&
	     (cache->kept[i].name.is_user || fargs_pt_guests_is_space(space))))
		return fargs_pt_names_find_anew(names, cache, i, space, addr, ns);
	return &cache->kept[i].name;
}

/* Writes "name+0x1f [module]", or "[unknown]". */
void fargs_pt_names_put(struct fargs_buf *out, const struct fargs_pt_name *name, uint64_t addr);

#endif
