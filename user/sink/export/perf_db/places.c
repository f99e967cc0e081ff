// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/perf_db/places.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/machine.h"
#include "base/array.h"
#include "base/put.h"

/* perf's name of the kernel. */
#define KERNEL		"[kernel.kallsyms]"
/* perf's name of symbols that it does not know. */
#define UNKNOWN		"unknown"
#define HOST		1	/* the id of the only machine */
#define BUILD_ID_MAX	32

void fargs_pdb_places_deinit(struct fargs_pdb_places *p)
{
	fargs_intern_deinit(&p->dsos);
	fargs_intern_deinit(&p->symbols);
	fargs_intern_deinit(&p->keys);
	fargs_buf_deinit(&p->key);
	free(p->paths);
	p->paths = NULL;
}

/* Interns p->key. Sets *@id to @first for the first one, and *@is_new. Returns 0 or -ENOMEM. */
static int intern(struct fargs_pdb_places *p, struct fargs_intern *to, int64_t first, int64_t *id,
		  bool *is_new)
{
	uint32_t number, nr = to->nr;
	int ret = p->key.is_short ? -ENOMEM :
		  fargs_intern_add(to, p->key.text, p->key.n, &number);

	if (ret)
		return ret;
	*id = first + number;
	*is_new = to->nr != nr;
	return 0;
}

/* Sets p->key to the name of the file. Returns false if there is none. */
static bool put_dso(struct fargs_pdb_places *p, const struct fargs_event_place *place)
{
	p->key.n = 0;
	if (place->module) {
		fargs_put_char(&p->key, '[');
		fargs_put(&p->key, place->module);
		fargs_put_char(&p->key, ']');
	} else if (place->file || fargs_machine_is_kernel(place->addr)) {
		fargs_put(&p->key, place->file ? place->file : KERNEL);
	} else {
		return false;
	}
	/* The end of the text, for the row. */
	fargs_put_char(&p->key, '\0');
	return true;
}

static int find_dso(struct fargs_pdb_places *p, const struct fargs_event_place *place, int64_t *id)
{
	char build_id[2 * BUILD_ID_MAX + 1] = "";
	unsigned int i;
	const char *slash;
	bool is_new;
	int ret;

	*id = 0;
	if (!put_dso(p, place))
		return 0;
	ret = intern(p, &p->dsos, 1, id, &is_new);
	if (ret || !is_new)
		return ret;
	for (i = 0; i < place->build_id_bytes && i < BUILD_ID_MAX; i++)
		snprintf(build_id + 2 * i, 3, "%02x", place->build_id[i]);
	/* The name of the kernel has no slash. */
	slash = strrchr(p->key.text, '/');
	return fargs_pdb_row(p->w, FARGS_PDB_DSOS, (struct fargs_pdb_value []){
		FARGS_PDB_N(*id), FARGS_PDB_N(HOST), FARGS_PDB_T(slash ? slash + 1 : p->key.text),
		FARGS_PDB_T(place->code_file ? place->code_file : p->key.text),
		FARGS_PDB_T(build_id),
	});
}

int fargs_pdb_place_find(struct fargs_pdb_places *p, const struct fargs_event_place *place,
			 struct fargs_pdb_place *to)
{
	const char *name;
	uint64_t start;
	bool is_new;
	int ret;

	*to = (struct fargs_pdb_place){ .addr = place ? place->addr : 0 };
	if (!to->addr)
		return 0;
	ret = find_dso(p, place, &to->dso);
	if (ret || !to->dso)
		return ret;
	name = place->symbol ? place->symbol : UNKNOWN;
	/* As in perf, each unknown address is a symbol by itself. */
	start = place->symbol ? place->symbol_start : place->file_at ? place->file_at : place->addr;
	to->offset = place->symbol ? place->offset : 0;
	to->is_begin = !to->offset;
	to->is_thunk = !strncmp(name, "__x86_indirect_thunk_", 21) ||
		       !strcmp(name, "__indirect_thunk_start");
	p->key.n = 0;
	fargs_buf_add(&p->key, &to->dso, sizeof(to->dso));
	fargs_buf_add(&p->key, &start, sizeof(start));
	fargs_put(&p->key, name);
	ret = intern(p, &p->symbols, 1, &to->symbol, &is_new);
	if (ret || !is_new)
		return ret;
	return fargs_pdb_row(p->w, FARGS_PDB_SYMBOLS, (struct fargs_pdb_value []){
		FARGS_PDB_N(to->symbol), FARGS_PDB_N(to->dso), FARGS_PDB_N(start),
		FARGS_PDB_N(place->symbol ? place->symbol_end : start),
		FARGS_PDB_N(place->symbol ? place->symbol_binding : 0), FARGS_PDB_T(name),
	});
}

static int add_path(struct fargs_pdb_places *p, int64_t id, const struct fargs_pdb_path *path,
		    uint64_t addr)
{
	struct fargs_pdb_path *to = fargs_array_push(p->paths, p->nr_paths, p->room);

	if (!to)
		return -ENOMEM;
	*to = *path;
	return fargs_pdb_row(p->w, FARGS_PDB_CALL_PATHS, (struct fargs_pdb_value []){
		FARGS_PDB_N(id), FARGS_PDB_N(path->parent), FARGS_PDB_N(path->symbol),
		FARGS_PDB_N(addr),
	});
}

/* The path without functions has a row if there are others. */
static int add_root(struct fargs_pdb_places *p)
{
	const struct fargs_pdb_path none = { };

	/* The row with id 0 was added with the table. */
	if (!fargs_array_push(p->paths, p->nr_paths, p->room))
		return -ENOMEM;
	p->paths[0] = none;
	return add_path(p, FARGS_PDB_ROOT, &none, 0);
}

int fargs_pdb_path_find(struct fargs_pdb_places *p, int64_t parent,
			const struct fargs_pdb_place *place, int64_t *path)
{
	/* Functions are told apart by their symbols; without one, by the address. */
	const uint64_t addr = place->symbol ? 0 : place->addr;
	const struct fargs_pdb_path own = {
		.parent = parent, .symbol = place->symbol,
		.is_kernel = fargs_machine_is_kernel(place->addr), .is_thunk = place->is_thunk,
	};
	bool is_new;
	int ret = p->nr_paths ? 0 : add_root(p);

	if (ret)
		return ret;
	p->key.n = 0;
	fargs_buf_add(&p->key, &parent, sizeof(parent));
	fargs_buf_add(&p->key, &place->symbol, sizeof(place->symbol));
	fargs_buf_add(&p->key, &addr, sizeof(addr));
	ret = intern(p, &p->keys, FARGS_PDB_ROOT + 1, path, &is_new);
	return ret || !is_new ? ret : add_path(p, *path, &own, addr);
}
