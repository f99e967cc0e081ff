/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tables "dsos", "symbols" and "call_paths". Rows are added when they are first used. Memory
 * use: the names of all files and symbols, and the call paths, that occur.
 */
#ifndef FARGS_SINK_EXPORT_PERF_DB_PLACES_H
#define FARGS_SINK_EXPORT_PERF_DB_PLACES_H

#include "base/intern.h"
#include "model/event.h"
#include "sink/export/perf_db/writer.h"

/* The path of which all others are continuations. */
#define FARGS_PDB_ROOT	1

struct fargs_pdb_path {
	int64_t parent;
	int64_t symbol;		/* 0: unknown */
	bool is_kernel;
	bool is_thunk;		/* see struct fargs_pdb_place */
};

struct fargs_pdb_places {
	struct fargs_pdb_writer *w;
	struct fargs_intern dsos, symbols;	/* entry @n has id @n + 1 */
	struct fargs_intern keys;		/* of paths: entry @n has id @n + 2 */
	struct fargs_pdb_path *paths;		/* by id */
	size_t nr_paths, room;
	struct fargs_buf key;
};

/* A place as rows have it. */
struct fargs_pdb_place {
	int64_t dso, symbol;	/* 0: unknown */
	uint64_t offset;	/* from the begin of the symbol */
	uint64_t addr;
	bool is_begin;		/* @addr is the begin of the symbol */
	bool is_thunk;		/* the symbol is one through which the kernel jumps indirectly */
};

/* Initialize with the writer and zeroes. */
void fargs_pdb_places_deinit(struct fargs_pdb_places *p);

/* The following functions return 0 or -errno. @place: NULL: unknown. */
int fargs_pdb_place_find(struct fargs_pdb_places *p, const struct fargs_event_place *place,
			 struct fargs_pdb_place *to);
/* Sets *@path to the path that continues @parent at @place. */
int fargs_pdb_path_find(struct fargs_pdb_places *p, int64_t parent,
			const struct fargs_pdb_place *place, int64_t *path);

static inline const struct fargs_pdb_path *fargs_pdb_path(const struct fargs_pdb_places *p,
							  int64_t path)
{
	return &p->paths[path];
}

#endif
