// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/sqlite/places.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/machine.h"
#include "base/put.h"
#include "kernel/sym/ksyms.h"
#include "model/event_record.h"
#include "model/formats.h"
#include "sink/export/named.h"

/* The number of possible ids of formatted events. */
#define NR_FORMATS	(1 << 16)

/* perf's name of the kernel's image. */
#define KERNEL		"[kernel.kallsyms]"

/* A row of table "functions". */
struct function {
	const char *name;
	const char *module;	/* module, program or library; NULL: none */
	bool is_kernel_module;
	bool is_kernel;		/* @addr is in the kernel or in a module of it */
	uint64_t addr;		/* where the function begins; only in the kernel */
};

int fargs_db_places_init(struct fargs_db_places *p, struct fargs_db *db,
			 const struct fargs_meta *meta)
{
	*p = (struct fargs_db_places){ .db = db, .meta = meta };
	p->traced = calloc(meta->nr_funcs + 1, sizeof(*p->traced));
	p->formatted = calloc(NR_FORMATS, sizeof(*p->formatted));
	return p->traced && p->formatted ? 0 : -ENOMEM;
}

void fargs_db_places_deinit(struct fargs_db_places *p)
{
	fargs_intern_deinit(&p->functions);
	fargs_intern_deinit(&p->dsos);
	fargs_call_paths_deinit(&p->paths);
	fargs_buf_deinit(&p->text);
	free(p->traced);
	free(p->formatted);
	*p = (struct fargs_db_places){ };
}

int fargs_db_places_prepare(struct fargs_db_places *p)
{
	int ret = fargs_db_prepare(p->db, "INSERT INTO functions VALUES (?,?,?,?,?)",
				   &p->function);

	if (!ret)
		ret = fargs_db_prepare(p->db, "INSERT INTO dsos VALUES (?,?,?)", &p->dso);
	return ret ? ret : fargs_db_prepare(p->db, "INSERT INTO call_paths VALUES (?,?,?)",
					    &p->path);
}

void fargs_db_places_finalize(struct fargs_db_places *p)
{
	fargs_db_finalize(p->db, p->function);
	fargs_db_finalize(p->db, p->dso);
	fargs_db_finalize(p->db, p->path);
	p->function = NULL;
	p->dso = NULL;
	p->path = NULL;
}

/* Adds the interned text in p->text to @to. Sets *@id, and *@is_new. Returns 0 or -ENOMEM. */
static int intern(struct fargs_db_places *p, struct fargs_intern *to, int64_t *id, bool *is_new)
{
	uint32_t number, nr = to->nr;
	int ret = p->text.is_short ? -ENOMEM :
		  fargs_intern_add(to, p->text.text, p->text.n, &number);

	if (ret)
		return ret;
	*id = (int64_t)number + 1;
	*is_new = to->nr != nr;
	return 0;
}

/* Finds the module, program or library of a function, or the kernel's image. */
static int find_dso(struct fargs_db_places *p, const struct function *f, int64_t *id)
{
	const char *base;
	bool is_new;
	int ret;

	p->text.n = 0;
	if (f->module && f->is_kernel_module) {
		fargs_put_char(&p->text, '[');
		fargs_put(&p->text, f->module);
		fargs_put_char(&p->text, ']');
	} else if (f->module || f->is_kernel) {
		fargs_put(&p->text, f->module ? f->module : KERNEL);
	} else {
		return 0;
	}
	ret = intern(p, &p->dsos, id, &is_new);
	if (ret || !is_new)
		return ret;
	fargs_put_char(&p->text, 0);
	if (p->text.is_short)
		return -ENOMEM;
	base = strrchr(p->text.text, '/');
	p->db->sql.bind_int64(p->dso, 1, *id);
	fargs_db_bind_text(p->db, p->dso, 2, base ? base + 1 : p->text.text);
	fargs_db_bind_text(p->db, p->dso, 3, p->text.text);
	return fargs_db_step(p->db, p->dso);
}

static int add_function(struct fargs_db_places *p, const struct function *f, int64_t id)
{
	int64_t dso = 0;
	int ret = find_dso(p, f, &dso);

	if (ret)
		return ret;
	p->db->sql.bind_int64(p->function, 1, id);
	fargs_db_bind_text(p->db, p->function, 2, f->name);
	fargs_db_bind_text(p->db, p->function, 3, f->module);
	fargs_db_bind_id(p->db, p->function, 4, dso);
	/* Addresses are signed, as in perf's databases: SQLite has no unsigned numbers. */
	fargs_db_bind_id(p->db, p->function, 5, (int64_t)f->addr);
	return fargs_db_step(p->db, p->function);
}

/*
 * Functions are the same if their names, modules and, in the kernel, addresses are: programs are at
 * other addresses in each process.
 */
static int find_function(struct fargs_db_places *p, const struct function *f, int64_t *id)
{
	bool is_new;
	int ret;

	p->text.n = 0;
	fargs_buf_add(&p->text, &f->addr, sizeof(f->addr));
	fargs_buf_add(&p->text, f->name, strlen(f->name) + 1);
	if (f->module)
		fargs_put(&p->text, f->module);
	ret = intern(p, &p->functions, id, &is_new);
	return ret || !is_new ? ret : add_function(p, f, *id);
}

int fargs_db_places_function(struct fargs_db_places *p, const struct fargs_event_place *place,
			     int64_t *id)
{
	bool is_kernel = fargs_machine_is_kernel(place->addr);
	const char *file = place->file && strcmp(place->file, KERNEL) ? place->file : NULL;
	const struct function f = {
		.name = place->symbol, .module = place->module ? place->module : file,
		.is_kernel_module = place->module, .is_kernel = is_kernel,
		.addr = is_kernel ? place->addr - place->offset : 0,
	};

	*id = 0;
	return place->symbol ? find_function(p, &f, id) : 0;
}

/* Finds the function at @addr, which is in the kernel. */
static int find_shown(struct fargs_db_places *p, struct fargs_decoder *d, uint64_t addr,
		      int64_t *id)
{
	const struct fargs_ksym *sym = fargs_decoder_symbol(d, addr);
	const struct fargs_event_place place = {
		.addr = addr, .symbol = sym ? sym->name : NULL,
		.offset = sym ? addr - sym->addr : 0, .module = sym ? sym->module : NULL,
	};

	return fargs_db_places_function(p, &place, id);
}

static int find_formatted(struct fargs_db_places *p, struct fargs_decoder *d,
			  const struct fargs_event *ev, int64_t *id)
{
	char buf[FARGS_NAMED_MAX];
	struct fargs_format_head head;
	int64_t *known;

	fargs_formats_head(fargs_decoder_formats(d), &ev->formatted, &head);
	known = &p->formatted[head.id % NR_FORMATS];
	if (!*known) {
		const struct function f = { .name = fargs_named(d, ev, buf) };
		int ret = find_function(p, &f, known);

		if (ret)
			return ret;
	}
	*id = *known;
	return 0;
}

static int find_traced(struct fargs_db_places *p, const struct fargs_event *ev, int64_t *id)
{
	int64_t *known = &p->traced[ev->func - p->meta->funcs];
	bool is_function = ev->kind != FARGS_KIND_TPOINT;

	if (!*known) {
		const struct function f = {
			.name = ev->func->name, .module = ev->func->module,
			.is_kernel_module = ev->func->module, .is_kernel = is_function,
			.addr = is_function ? ev->func->addr : 0,
		};
		int ret = find_function(p, &f, known);

		if (ret)
			return ret;
	}
	*id = *known;
	return 0;
}

int fargs_db_places_event(struct fargs_db_places *p, struct fargs_decoder *d,
			  const struct fargs_event *ev, int64_t *id)
{
	*id = 0;
	if (ev->kind == FARGS_KIND_EVENT)
		return find_formatted(p, d, ev, id);
	if (ev->sample)
		return ev->sample->has_place ?
		       fargs_db_places_function(p, &ev->sample->place, id) : 0;
	if (ev->func)
		return find_traced(p, ev, id);
	return ev->trace ? find_shown(p, d, ev->trace->addr, id) : 0;
}

int fargs_db_places_extend(struct fargs_db_places *p, int64_t function, int64_t *path)
{
	int64_t parent = *path;
	bool is_new;
	int ret = fargs_call_paths_add(&p->paths, parent, function, path, &is_new);

	if (ret || !is_new)
		return ret;
	p->db->sql.bind_int64(p->path, 1, *path);
	fargs_db_bind_id(p->db, p->path, 2, parent);
	fargs_db_bind_id(p->db, p->path, 3, function);
	return fargs_db_step(p->db, p->path);
}

int fargs_db_places_path(struct fargs_db_places *p, struct fargs_decoder *d,
			 const struct fargs_event *ev, int64_t function, int64_t *path)
{
	const uint8_t *stack = ev->stack;
	unsigned int i = ev->nr_stack;
	int64_t caller;
	uint64_t addr;
	int ret = 0;

	*path = 0;
	if (!i)
		return 0;
	while (i-- && !ret) {
		memcpy(&addr, stack + 8 * i, sizeof(addr));
		ret = find_shown(p, d, addr, &caller);
		if (!ret)
			ret = fargs_db_places_extend(p, caller, path);
	}
	return ret ? ret : fargs_db_places_extend(p, function, path);
}
