// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/code/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "source/pt/input/guests.h"
#include "source/pt/input/spaces.h"

struct mapped {
	void *map;			/* NULL: code is missing, or is in the map of another one */
	size_t map_bytes;
	const uint8_t *code;
	uint64_t bytes;			/* bytes of code that are in the file */
};

struct fargs_pt_memory {
	const struct fargs_pt_input *in;
	struct mapped *codes;		/* of each of in->codes */
	size_t nr_kernel;		/* number of elements with code of the kernel */
	const struct fargs_pt_poke **pokes;	/* sorted by address, then time */
	uint16_t most_poke_bytes;	/* size of the largest poke */
	struct fargs_pt_change *changes;	/* of the kernel's code */
	size_t nr_changes;
	struct fargs_pt_memory **guests;	/* of each of in->guests, and an empty one */
};

/* The code of a guest of which nothing is known. */
static const struct fargs_pt_input nothing = { .is_guest = true, .kernel_fd = -1 };

/* Maps the part of the file that contains @code. Code that cannot be mapped is missing. */
static void map_code(struct mapped *to, const struct fargs_pt_code *code)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), before = code->at % page;
	uint64_t bytes = code->bytes;
	struct stat st;
	int fd = open(code->path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && (uint64_t)st.st_size > code->at) {
		if (bytes > (uint64_t)st.st_size - code->at)
			bytes = (uint64_t)st.st_size - code->at;
		to->map_bytes = before + bytes;
		to->map = mmap(NULL, to->map_bytes, PROT_READ, MAP_PRIVATE, fd,
			       (off_t)(code->at - before));
		if (to->map == MAP_FAILED)
			to->map = NULL;
		if (to->map) {
			to->code = (const uint8_t *)to->map + before;
			to->bytes = bytes;
		}
	}
	close(fd);
}

/*
 * Maps the code of all files. A dump of a JIT compiler, which has the code of many functions, is
 * mapped once: the number of maps of a process is limited.
 */
static void map_codes(struct fargs_pt_memory *m)
{
	const struct fargs_pt_code *code = m->in->codes, *end = code + m->in->nr_codes;
	const struct fargs_pt_code *last = NULL;
	struct mapped dump = { }, *to = m->codes;
	struct fargs_pt_code whole;

	for (; code < end; code++, to++) {
		if (!code->name) {
			map_code(to, code);
			continue;
		}
		if (!last || last->file != code->file) {
			whole = (struct fargs_pt_code){ .path = code->path, .bytes = UINT64_MAX };
			dump = (struct mapped){ };
			map_code(&dump, &whole);
			/* The first of its functions owns the map. */
			to->map = dump.map;
			to->map_bytes = dump.map_bytes;
		}
		last = code;
		if (code->at >= dump.bytes)
			continue;
		to->code = dump.code + code->at;
		to->bytes = dump.bytes - code->at;
		if (to->bytes > code->bytes)
			to->bytes = code->bytes;
	}
}

static int compare_pokes(const void *a, const void *b)
{
	const struct fargs_pt_poke *x = *(const struct fargs_pt_poke *const *)a;
	const struct fargs_pt_poke *y = *(const struct fargs_pt_poke *const *)b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	/* in->pokes are sorted by time. */
	return x < y ? -1 : x > y;
}

static int sort_pokes(struct fargs_pt_memory *m)
{
	const struct fargs_pt_input *in = m->in;
	const struct fargs_pt_poke *poke;
	size_t i;

	m->pokes = calloc(in->nr_pokes + 1, sizeof(*m->pokes));
	if (!m->pokes)
		return -ENOMEM;
	for (i = 0; i < in->nr_pokes; i++) {
		poke = &in->pokes[i];
		m->pokes[i] = poke;
		if (poke->old_bytes > m->most_poke_bytes)
			m->most_poke_bytes = poke->old_bytes;
		if (poke->new_bytes > m->most_poke_bytes)
			m->most_poke_bytes = poke->new_bytes;
	}
	qsort(m->pokes, in->nr_pokes, sizeof(*m->pokes), compare_pokes);
	return 0;
}

static int compare_changes(const void *a, const void *b)
{
	const struct fargs_pt_change *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static void add_change(struct fargs_pt_memory *m, uint64_t ns, uint64_t addr, uint64_t bytes,
		       bool is_poke)
{
	if (!ns)
		return;
	m->changes[m->nr_changes++] = (struct fargs_pt_change){
		.ns = ns, .addr = addr, .bytes = bytes, .is_poke = is_poke,
	};
}

static int find_changes(struct fargs_pt_memory *m)
{
	const struct fargs_pt_input *in = m->in;
	uint64_t bytes;
	size_t i;

	m->changes = calloc(2 * (m->nr_kernel + in->nr_pokes) + 1, sizeof(*m->changes));
	if (!m->changes)
		return -ENOMEM;
	for (i = 0; i < m->nr_kernel; i++) {
		add_change(m, in->codes[i].from_ns, in->codes[i].addr, in->codes[i].bytes, false);
		add_change(m, in->codes[i].until_ns, in->codes[i].addr, in->codes[i].bytes, false);
	}
	for (i = 0; i < in->nr_pokes; i++) {
		bytes = in->pokes[i].old_bytes > in->pokes[i].new_bytes ? in->pokes[i].old_bytes :
									  in->pokes[i].new_bytes;
		add_change(m, in->pokes[i].ns, in->pokes[i].addr, bytes, true);
		add_change(m, in->pokes[i].until_ns, in->pokes[i].addr, bytes, false);
	}
	qsort(m->changes, m->nr_changes, sizeof(*m->changes), compare_changes);
	return 0;
}

static int create_guests(struct fargs_pt_memory *m, struct fargs_error_text *err)
{
	const struct fargs_pt_input *in = m->in;
	size_t i;

	m->guests = calloc(in->nr_guests + 1, sizeof(*m->guests));
	for (i = 0; m->guests && i <= in->nr_guests; i++) {
		m->guests[i] = fargs_pt_memory_create(i < in->nr_guests ? &in->guests[i].in :
						      &nothing, err);
		if (!m->guests[i])
			return -ENOMEM;
	}
	return m->guests ? 0 : -ENOMEM;
}

const struct fargs_pt_memory *fargs_pt_memory_guest(const struct fargs_pt_memory *m, size_t guest)
{
	return m->guests[guest < m->in->nr_guests ? guest : m->in->nr_guests];
}

struct fargs_pt_memory *fargs_pt_memory_create(const struct fargs_pt_input *in,
					       struct fargs_error_text *err)
{
	struct fargs_pt_memory *m = calloc(1, sizeof(*m));

	if (!m) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	m->in = in;
	m->nr_kernel = fargs_pt_spaces_nr_kernel(in);
	m->codes = calloc(in->nr_codes + 1, sizeof(*m->codes));
	if (!m->codes || sort_pokes(m) || find_changes(m) ||
	    (!in->is_guest && create_guests(m, err))) {
		fargs_fail(err, ENOMEM, "no memory for the code");
		fargs_pt_memory_destroy(m);
		return NULL;
	}
	map_codes(m);
	return m;
}

void fargs_pt_memory_destroy(struct fargs_pt_memory *m)
{
	size_t i;

	if (!m)
		return;
	for (i = 0; m->guests && i <= m->in->nr_guests; i++)
		fargs_pt_memory_destroy(m->guests[i]);
	free(m->guests);
	for (i = 0; m->codes && i < m->in->nr_codes; i++)
		if (m->codes[i].map)
			munmap(m->codes[i].map, m->codes[i].map_bytes);
	free(m->codes);
	free(m->pokes);
	free(m->changes);
	free(m);
}

struct found {
	struct fargs_pt_view *view;
	size_t *codes;			/* indexes in in->codes */
	size_t nr, room;
	bool is_short;
};

static int note_code(void *arg, size_t code)
{
	struct found *f = arg;
	size_t room = f->room ? 2 * f->room : 16;
	size_t *larger;

	if (f->nr == f->room) {
		larger = realloc(f->codes, room * sizeof(*larger));
		if (!larger)
			return -ENOMEM;
		f->codes = larger;
		f->room = room;
	}
	f->codes[f->nr++] = code;
	return 0;
}

/* Sets v->changes to when the space's code is mapped. */
static int find_space_changes(struct fargs_pt_view *v)
{
	const struct fargs_pt_input *in = v->memory->in;
	struct found f = { .view = v };
	const struct fargs_pt_code *code;
	size_t i;
	int ret = fargs_pt_spaces_each(in, v->space, note_code, &f);

	if (!ret) {
		v->owned = calloc(f.nr + 1, sizeof(*v->owned));
		ret = v->owned ? 0 : -ENOMEM;
	}
	for (i = 0; !ret && i < f.nr; i++) {
		code = &in->codes[f.codes[i]];
		if (code->from_ns)
			v->owned[v->nr_changes++] = (struct fargs_pt_change){
				.ns = code->from_ns, .addr = code->addr, .bytes = code->bytes,
			};
	}
	free(f.codes);
	if (ret)
		return ret;
	qsort(v->owned, v->nr_changes, sizeof(*v->owned), compare_changes);
	v->changes = v->owned;
	return 0;
}

int fargs_pt_view_init(struct fargs_pt_view *v, const struct fargs_pt_memory *memory, int32_t space)
{
	*v = (struct fargs_pt_view){
		.memory = memory, .space = space, .is_stale = true,
		.has_pokes = space < 0 && memory->in->nr_pokes,
	};
	if (space >= 0)
		return find_space_changes(v);
	v->changes = memory->changes;
	v->nr_changes = memory->nr_changes;
	return 0;
}

void fargs_pt_view_deinit(struct fargs_pt_view *v)
{
	free(v->owned);
	free(v->extents);
	*v = (struct fargs_pt_view){ };
}

size_t fargs_pt_view_move(struct fargs_pt_view *v, uint64_t ns,
			  void (*changed)(void *arg, uint64_t addr, uint64_t bytes), void *arg)
{
	size_t from = v->nr_done, to = from, i;

	while (to < v->nr_changes && v->changes[to].ns <= ns)
		to++;
	while (to && v->changes[to - 1].ns > ns)
		to--;
	v->ns = ns;
	v->nr_done = to;
	if (to < from) {
		i = to;
		to = from;
		from = i;
	}
	for (i = from; i < to; i++) {
		v->is_stale |= !v->changes[i].is_poke;
		if (changed)
			changed(arg, v->changes[i].addr, v->changes[i].bytes);
	}
	return to - from;
}

static bool holds_at(uint64_t from_ns, uint64_t until_ns, uint64_t ns)
{
	return from_ns <= ns && (!until_ns || ns < until_ns);
}

/* Returns the index of the first extent that ends after @addr. */
static size_t find_extent(const struct fargs_pt_view *v, uint64_t addr)
{
	size_t low = 0, high = v->nr_extents, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (v->extents[mid].addr + (v->extents[mid].bytes - 1) < addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static int insert_extent(struct fargs_pt_view *v, size_t *room, size_t at, uint64_t addr,
			 uint64_t bytes, const uint8_t *code)
{
	struct fargs_pt_extent *larger;

	if (v->nr_extents == *room) {
		*room = *room ? 2 * *room : 16;
		larger = realloc(v->extents, *room * sizeof(*larger));
		if (!larger)
			return -ENOMEM;
		v->extents = larger;
	}
	memmove(v->extents + at + 1, v->extents + at, (v->nr_extents - at) * sizeof(*v->extents));
	v->extents[at] = (struct fargs_pt_extent){ .addr = addr, .bytes = bytes, .code = code };
	v->nr_extents++;
	return 0;
}

/* Adds those parts of code @nr that no extent covers yet. */
static int cover(struct fargs_pt_view *v, size_t *room, size_t nr)
{
	const struct mapped *mapped = &v->memory->codes[nr];
	uint64_t addr = v->memory->in->codes[nr].addr, left = mapped->bytes, bytes;
	const uint8_t *code = mapped->code;
	size_t i;

	if (left && addr + (left - 1) < addr)
		left = -addr;
	for (i = find_extent(v, addr); left; i++) {
		bytes = left;
		if (i < v->nr_extents && v->extents[i].addr - addr < bytes)
			bytes = v->extents[i].addr > addr ? v->extents[i].addr - addr : 0;
		if (i < v->nr_extents && v->extents[i].addr <= addr)
			bytes = 0;
		if (bytes && insert_extent(v, room, i++, addr, bytes, code))
			return -ENOMEM;
		addr += bytes;
		code += bytes;
		left -= bytes;
		if (!left || i >= v->nr_extents)
			continue;
		/* Skip what extents[i] covers. */
		bytes = v->extents[i].bytes - (addr - v->extents[i].addr);
		bytes = bytes < left ? bytes : left;
		addr += bytes;
		code += bytes;
		left -= bytes;
	}
	return 0;
}

/* Finds the extents: from the code with the highest precedence to that with the lowest. */
static int find_extents(struct fargs_pt_view *v)
{
	const struct fargs_pt_input *in = v->memory->in;
	struct found f = { .view = v };
	const struct fargs_pt_code *code;
	size_t room = 0, i;
	int ret = 0;

	free(v->extents);
	v->extents = NULL;
	v->nr_extents = 0;
	v->last = 0;
	if (v->space >= 0)
		ret = fargs_pt_spaces_each(in, v->space, note_code, &f);
	else
		for (i = 0; !ret && i < v->memory->nr_kernel; i++)
			ret = note_code(&f, i);
	for (i = f.nr; !ret && i; i--) {
		code = &in->codes[f.codes[i - 1]];
		if (v->space >= 0 ? code->from_ns <= v->ns :
				    holds_at(code->from_ns, code->until_ns, v->ns))
			ret = cover(v, &room, f.codes[i - 1]);
	}
	free(f.codes);
	v->is_stale = ret;
	return ret;
}

/* Returns the index of the first poke, by address, at @addr or later. */
static size_t find_poke(const struct fargs_pt_memory *m, uint64_t addr)
{
	size_t low = 0, high = m->in->nr_pokes, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (m->pokes[mid]->addr < addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Which pokes determine each byte that is read; NULL: none. */
struct overlay {
	/* The last one before the time that wrote the byte; the first after it that found it. */
	const struct fargs_pt_poke *done[FARGS_PT_VIEW_READ_MAX];
	const struct fargs_pt_poke *open[FARGS_PT_VIEW_READ_MAX];
	/*
	 * The last one before the time that removed the byte, because it found more than it wrote,
	 * and the first after it that created the byte.
	 */
	const struct fargs_pt_poke *removed[FARGS_PT_VIEW_READ_MAX];
	const struct fargs_pt_poke *created[FARGS_PT_VIEW_READ_MAX];
};

/* in->pokes are sorted by time, so of two pokes the earlier one has the lower address. */
static void consider_poke(struct overlay *o, const struct fargs_pt_poke *p, bool is_done,
			  uint64_t addr, size_t bytes)
{
	size_t size = p->new_bytes > p->old_bytes ? p->new_bytes : p->old_bytes, i, at;

	for (i = p->addr > addr ? p->addr - addr : 0; i < bytes; i++) {
		at = addr + i - p->addr;
		if (at >= size)
			break;
		if (is_done && at >= p->new_bytes)
			o->removed[i] = p > o->removed[i] ? p : o->removed[i];
		else if (is_done)
			o->done[i] = p > o->done[i] ? p : o->done[i];
		else if (at >= p->old_bytes)
			o->created[i] = !o->created[i] || p < o->created[i] ? p : o->created[i];
		else
			o->open[i] = !o->open[i] || p < o->open[i] ? p : o->open[i];
	}
}

/* Sets @o, which is all zero, for the bytes at @addr. Returns whether any poke has one of them. */
static bool find_overlay(const struct fargs_pt_view *v, struct overlay *o, uint64_t addr,
			 size_t bytes)
{
	const struct fargs_pt_memory *m = v->memory;
	size_t first = find_poke(m, addr > m->most_poke_bytes ? addr - m->most_poke_bytes : 0);
	/* The code may extend to the last address. */
	size_t end = addr + bytes ? find_poke(m, addr + bytes) : m->in->nr_pokes, i;
	const struct fargs_pt_poke *p;

	for (i = first; i < end; i++) {
		p = m->pokes[i];
		if (holds_at(p->from_ns, p->until_ns, v->ns))
			consider_poke(o, p, p->ns <= v->ns, addr, bytes);
	}
	return first < end;
}

/*
 * Sets *@byte, the one at @addr, which is byte @i of those that were read. @has_code: it contains
 * the byte of a file. Returns false if there is none.
 */
static bool overlay_byte(const struct overlay *o, unsigned int i, uint64_t addr, bool has_code,
			 uint8_t *byte)
{
	const struct fargs_pt_poke *done = o->done[i], *open = o->open[i];

	/* Where a file has code, there was some before it was created, or after it was removed. */
	if (done && (has_code || done > o->removed[i]))
		*byte = done->code[done->old_bytes + addr - done->addr];
	else if (open && (has_code || (!o->removed[i] && (!o->created[i] || open < o->created[i]))))
		*byte = open->code[addr - open->addr];
	else
		return has_code;
	return true;
}

static size_t copy_code(struct fargs_pt_view *v, uint64_t addr, uint8_t *buf, size_t bytes)
{
	const struct fargs_pt_extent *e;
	size_t done = 0, i = v->last, part;

	if (i >= v->nr_extents || addr - v->extents[i].addr >= v->extents[i].bytes)
		i = find_extent(v, addr);
	for (; done < bytes && i < v->nr_extents; i++) {
		e = &v->extents[i];
		if (addr - e->addr >= e->bytes)
			break;
		v->last = i;
		part = e->bytes - (addr - e->addr);
		part = part < bytes - done ? part : bytes - done;
		memcpy(buf + done, e->code + (addr - e->addr), part);
		done += part;
		addr += part;
	}
	return done;
}

/*
 * Overrides code by what pokes wrote: each byte is what the last poke before the time of the view
 * wrote, or else what the first poke after it found there. Pokes also create code where no file has
 * any: trampolines. @done: the number of bytes in @buf. Returns this number, which may be larger.
 */
static size_t overlay_pokes(struct fargs_pt_view *v, uint64_t addr, uint8_t *buf, size_t done,
			    size_t bytes)
{
	struct overlay o = { };
	size_t i;

	/* No byte follows the last address. */
	if (addr && bytes > -addr)
		bytes = -addr;
	if (!find_overlay(v, &o, addr, bytes))
		return done;
	for (i = 0; i < bytes; i++) {
		if (i == done)
			done += copy_code(v, addr + i, buf + i, bytes - i);
		if (!overlay_byte(&o, i, addr + i, i < done, &buf[i]))
			break;
		done = i < done ? done : i + 1;
	}
	return i;
}

size_t fargs_pt_view_read(struct fargs_pt_view *v, uint64_t addr, uint8_t *buf, size_t bytes)
{
	size_t done;

	if (v->is_stale && find_extents(v))
		return 0;
	done = copy_code(v, addr, buf, bytes);
	return v->has_pokes ? overlay_pokes(v, addr, buf, done, bytes) : done;
}
