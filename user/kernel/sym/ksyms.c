// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/sym/ksyms.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/sym/module_list.h"
#include "kernel/sym/module_spans.h"
#include "base/file.h"
#include "base/strindex.h"

#define KALLSYMS	"/proc/kallsyms"

/*
 * kallsyms has no sizes: a function ends where the next symbol begins, be it code or data, or
 * where its section ends. What limits it where neither is known: no function is larger.
 */
#define SYMBOL_MAX_BYTES	(1u << 20)

/*
 * After the last function of a module the code of another module may follow, which was loaded
 * after the symbols were read: only the rest of the page surely belongs to this module.
 */
#define PAGE_BYTES		4096

struct fargs_ksyms {
	char *text;				/* holds the names */
	struct fargs_ksym *syms;		/* by address, then as in the file */
	size_t nr;
	struct fargs_ksym *bounds;		/* where code ends, by address */
	size_t nr_bounds;
	const char **names;			/* of syms, for @by_name */
	struct fargs_strindex by_name;
	const struct fargs_ksym **named;	/* as by_name.order has them */
	struct fargs_module_list *modules;	/* NULL: not known */
	struct fargs_ksym *module_syms;		/* of each */
};

/* Reads hexadecimal digits at *@p up to @end; false if there is none or too many. */
static bool scan_hex(const char **p, const char *end, uint64_t *value)
{
	const char *s = *p;
	uint64_t v = 0;

	for (; s < end; s++) {
		unsigned char c = *s;
		unsigned int digit;

		if (c >= '0' && c <= '9')
			digit = c - '0';
		else if (c >= 'a' && c <= 'f')
			digit = c - 'a' + 10;
		else if (c >= 'A' && c <= 'F')
			digit = c - 'A' + 10;
		else
			break;
		v = v << 4 | digit;
	}
	if (s == *p || s - *p > 16)
		return false;
	*p = s;
	*value = v;
	return true;
}

static bool is_text(char type)
{
	return type == 't' || type == 'T' || type == 'w' || type == 'W';
}

/* A number, or an offset in each CPU's data: no place in memory. */
static bool is_absolute(char type)
{
	return type == 'a' || type == 'A';
}

/*
 * The kernel's linker script puts these at the ends of sections, and nm counts some of them among
 * the code. Others of its names, such as __sched_text_end, are between two functions.
 */
static bool is_section_end(const struct fargs_ksym *sym)
{
	static const char *const names[] = {
		"_etext", "_einittext", "__inittext_end", "__end_rodata", "_edata", "__init_end",
		"__bss_stop", "_end",
	};
	size_t i;

	if (sym->module || sym->name[0] != '_')
		return false;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(sym->name, names[i]))
			return true;
	return false;
}

/*
 * One line, "address type name" or "address type name\t[module]", from @line to
 * @end, where a newline or NUL can be overwritten. -EINVAL: it is none.
 */
static int parse_line(char *line, char *end, struct fargs_ksym *sym)
{
	const char *p = line;
	char *name, *rest;

	if (!scan_hex(&p, end, &sym->addr) || end - p < 4 || p[0] != ' ' || p[2] != ' ')
		return -EINVAL;
	sym->type = p[1];
	name = line + (p - line) + 3;
	*end = '\0';
	rest = name + strcspn(name, " \t");
	if (rest == name || rest - name >= FARGS_KSYM_NAME_LEN)
		return -EINVAL;
	sym->name = name;
	sym->module = NULL;
	if (rest == end)
		return 0;
	*rest++ = '\0';
	rest += strspn(rest, " \t");
	if (*rest != '[' || end - rest < 3 || end[-1] != ']')
		return -EINVAL;
	end[-1] = '\0';
	sym->module = rest + 1;
	return fargs_ksym_name_fits(sym->module) ? 0 : -EINVAL;
}

static int append(struct fargs_ksym **syms, size_t *nr, size_t *room,
		  const struct fargs_ksym *sym)
{
	if (*nr == *room) {
		size_t more = *room ? 2 * *room : 65536;
		struct fargs_ksym *larger = realloc(*syms, more * sizeof(*larger));

		if (!larger)
			return -ENOMEM;
		*syms = larger;
		*room = more;
	}
	(*syms)[(*nr)++] = *sym;
	return 0;
}

/* Of what is being read. */
struct parsing {
	size_t room, bounds_room;	/* of both arrays */
	bool is_amid_data;		/* of vmlinux; a bound is there already */
	struct fargs_module_spans spans;
	size_t freed, nr_freed;		/* the functions that were freed: they lie in a row */
};

static int add_text(struct fargs_ksyms *ks, struct parsing *p, const struct fargs_ksym *sym)
{
	bool is_freed = false;
	int ret = sym->module ? fargs_module_spans_add(&p->spans, sym->module, sym->addr,
						       &is_freed) : 0;

	if (is_freed) {
		if (!p->nr_freed)
			p->freed = ks->nr;
		p->nr_freed = ks->nr - p->freed + 1;
	}
	return ret ?: append(&ks->syms, &ks->nr, &p->room, sym);
}

/* Functions that were freed do not name what is there now. */
static void drop_freed(struct fargs_ksyms *ks, const struct parsing *p)
{
	size_t i, end = p->freed + p->nr_freed, nr = p->freed;

	if (!p->nr_freed)
		return;
	for (i = p->freed; i < ks->nr; i++)
		if (i >= end || !fargs_module_spans_have(&p->spans, ks->syms[i].addr))
			ks->syms[nr++] = ks->syms[i];
	ks->nr = nr;
}

static int add(struct fargs_ksyms *ks, struct parsing *p, const struct fargs_ksym *sym)
{
	int ret = 0;

	if (is_text(sym->type)) {
		p->is_amid_data = false;
		ret = add_text(ks, p, sym);
		if (ret || !is_section_end(sym))
			return ret;
	} else if (is_absolute(sym->type)) {
		return 0;
	} else if (!sym->module) {
		/* vmlinux comes in the order of addresses: half of its symbols need no sorting. */
		if (p->is_amid_data && ks->bounds[ks->nr_bounds - 1].addr <= sym->addr)
			return 0;
		p->is_amid_data = true;
	}
	return append(&ks->bounds, &ks->nr_bounds, &p->bounds_room, sym);
}

static int parse_lines(struct fargs_ksyms *ks, size_t size, struct parsing *p,
		       struct fargs_error_text *err)
{
	char *line = ks->text, *end = ks->text + size;
	bool is_hidden = true;
	size_t number = 0;

	for (; line < end; number++) {
		char *eol = memchr(line, '\n', end - line), *last;
		struct fargs_ksym sym;

		if (!eol)
			eol = end;
		/* A copy may have come through a machine that ends lines otherwise. */
		last = eol > line && eol[-1] == '\r' ? eol - 1 : eol;
		if (last != line) {
			if (parse_line(line, last, &sym))
				return fargs_fail(err, EINVAL,
						  "kernel symbols: line %zu is not one of kallsyms",
						  number + 1);
			is_hidden &= !is_text(sym.type) || !sym.addr;
			if (add(ks, p, &sym))
				return fargs_fail(err, ENOMEM, "no memory for kernel symbols");
		}
		line = eol + 1;
	}
	if (!ks->nr)
		return fargs_fail(err, ENOENT,
				  "there are no kernel symbols: this needs CONFIG_KALLSYMS");
	if (is_hidden)
		return fargs_fail(err, EPERM,
				  "the addresses of kernel symbols are hidden "
				  "(kernel.kptr_restrict): run as root");
	return 0;
}

static int compare_addr(const void *a, const void *b)
{
	const struct fargs_ksym *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	/* Aliases in the order of the file: the names lie in it. */
	return x->name < y->name ? -1 : x->name > y->name;
}

static void sort(struct fargs_ksym *syms, size_t nr)
{
	size_t i;

	for (i = 1; i < nr && syms[i - 1].addr <= syms[i].addr; i++)
		;
	if (i < nr)
		qsort(syms, nr, sizeof(*syms), compare_addr);
}

/* Leaves those that functions come before: of the data between them the first. */
static void keep_first_bounds(struct fargs_ksyms *ks)
{
	struct fargs_ksym *kept;
	size_t i, at = 0, nr = 0;
	bool is_first = false;

	for (i = 0; i < ks->nr_bounds; i++) {
		/* What begins where data begins does not come before it. */
		for (; at < ks->nr && ks->syms[at].addr < ks->bounds[i].addr; at++)
			is_first = true;
		/* An end of a section stays: it is a symbol of code itself. */
		if (is_first || is_text(ks->bounds[i].type))
			ks->bounds[nr++] = ks->bounds[i];
		is_first = false;
	}
	ks->nr_bounds = nr;
	kept = nr ? realloc(ks->bounds, nr * sizeof(*kept)) : NULL;
	if (kept)
		ks->bounds = kept;
}

static int build_index(struct fargs_ksyms *ks, struct fargs_error_text *err)
{
	size_t i;

	sort(ks->syms, ks->nr);
	sort(ks->bounds, ks->nr_bounds);
	keep_first_bounds(ks);
	ks->names = calloc(ks->nr, sizeof(*ks->names));
	ks->named = calloc(ks->nr, sizeof(*ks->named));
	if (!ks->names || !ks->named)
		return fargs_fail(err, ENOMEM, "no memory for kernel symbols");
	for (i = 0; i < ks->nr; i++)
		ks->names[i] = ks->syms[i].name;
	if (fargs_strindex_init(&ks->by_name, ks->names, ks->nr))
		return fargs_fail(err, ENOMEM, "no memory for kernel symbols");
	for (i = 0; i < ks->nr; i++)
		ks->named[i] = &ks->syms[ks->by_name.order[i]];
	return 0;
}

/*
 * Takes @text, of which the byte after @size can be written. @is_live: modules come one after the
 * other, as the kernel lists them. In a recording they may be mixed, since one may have come to
 * where another one was.
 */
static struct fargs_ksyms *create(char *text, size_t size, bool is_live,
				  struct fargs_error_text *err)
{
	struct fargs_ksyms *ks = calloc(1, sizeof(*ks));
	struct parsing p = { };
	int ret;

	if (!ks) {
		free(text);
		fargs_fail(err, ENOMEM, "no memory for kernel symbols");
		errno = ENOMEM;
		return NULL;
	}
	ks->text = text;
	ret = parse_lines(ks, size, &p, err);
	if (!ret) {
		if (is_live)
			drop_freed(ks, &p);
		ret = build_index(ks, err);
	}
	fargs_module_spans_deinit(&p.spans);
	if (ret) {
		fargs_ksyms_destroy(ks);
		errno = -ret;
		return NULL;
	}
	return ks;
}

struct fargs_ksyms *fargs_ksyms_load(struct fargs_error_text *err)
{
	size_t size;
	char *text = fargs_file_read(KALLSYMS, &size);

	if (!text && !fargs_file_has_proc()) {
		fargs_fail(err, ENOENT, "procfs is not mounted: mount -t proc none /proc");
		return NULL;
	}
	if (!text) {
		fargs_fail(err, errno, "cannot read " KALLSYMS ": %s", strerror(errno));
		return NULL;
	}
	return create(text, size, true, err);
}

static struct fargs_ksyms *parse_copy(const char *text, size_t size, bool is_live,
				      struct fargs_error_text *err)
{
	char *copy = malloc(size + 1);

	if (!copy) {
		fargs_fail(err, ENOMEM, "no memory for kernel symbols");
		return NULL;
	}
	memcpy(copy, text, size);
	copy[size] = '\0';
	return create(copy, size, is_live, err);
}

struct fargs_ksyms *fargs_ksyms_parse(const char *text, size_t size, struct fargs_error_text *err)
{
	return parse_copy(text, size, false, err);
}

struct fargs_ksyms *fargs_ksyms_parse_live(const char *text, size_t size,
					   struct fargs_error_text *err)
{
	return parse_copy(text, size, true, err);
}

void fargs_ksyms_destroy(struct fargs_ksyms *ks)
{
	if (!ks)
		return;
	fargs_module_list_destroy(ks->modules);
	free(ks->module_syms);
	fargs_strindex_deinit(&ks->by_name);
	free(ks->named);
	free(ks->names);
	free(ks->bounds);
	free(ks->syms);
	free(ks->text);
	free(ks);
}

int fargs_ksyms_set_modules(struct fargs_ksyms *ks, struct fargs_module_list *modules)
{
	size_t nr = fargs_module_list_count(modules), i;
	struct fargs_ksym *syms = calloc(nr + 1, sizeof(*syms));

	if (!syms) {
		fargs_module_list_destroy(modules);
		return -ENOMEM;
	}
	for (i = 0; i < nr; i++) {
		const struct fargs_module_place *place = fargs_module_list_at(modules, i);

		syms[i] = (struct fargs_ksym){ .addr = place->addr, .name = place->label,
					       .module = place->name, .type = 't' };
	}
	fargs_module_list_destroy(ks->modules);
	free(ks->module_syms);
	ks->modules = modules;
	ks->module_syms = syms;
	return 0;
}

const struct fargs_module_list *fargs_ksyms_modules(const struct fargs_ksyms *ks)
{
	return ks->modules;
}

size_t fargs_ksyms_find_name(const struct fargs_ksyms *ks, const char *name,
			     const struct fargs_ksym *const **first)
{
	const uint32_t *order;
	size_t nr = fargs_strindex_find(&ks->by_name, name, &order);

	*first = nr ? ks->named + (order - ks->by_name.order) : NULL;
	return nr;
}

/* The first of @syms after @addr: its number, or @nr. */
static size_t find_after(const struct fargs_ksym *syms, size_t nr, uint64_t addr)
{
	size_t low = 0, high = nr, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (syms[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static uint64_t min_of(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Where @sym ends at the latest: @next is the number of the first symbol of code after it. */
static uint64_t end_of(const struct fargs_ksyms *ks, const struct fargs_ksym *sym, size_t next)
{
	size_t bound = find_after(ks->bounds, ks->nr_bounds, sym->addr);
	uint64_t end = UINT64_MAX;
	bool is_next_ours = false;

	if (bound < ks->nr_bounds)
		end = ks->bounds[bound].addr;
	if (next < ks->nr && ks->syms[next].addr <= end) {
		end = ks->syms[next].addr;
		is_next_ours = sym->module && ks->syms[next].module &&
			       !strcmp(ks->syms[next].module, sym->module);
	}
	if (sym->module && !is_next_ours)
		return min_of(end, (sym->addr / PAGE_BYTES + 1) * PAGE_BYTES);
	return min_of(end, sym->addr + min_of(SYMBOL_MAX_BYTES, UINT64_MAX - sym->addr));
}

/* By the symbols alone. */
static const struct fargs_ksym *find_symbol(const struct fargs_ksyms *ks, uint64_t addr)
{
	size_t next = find_after(ks->syms, ks->nr, addr);
	const struct fargs_ksym *sym = ks->syms + next;

	if (!next || addr >= end_of(ks, sym - 1, next))
		return NULL;
	/* Of several names for an address the first one, as the kernel itself prints it. */
	for (sym--; !is_section_end(sym); sym--)
		if (sym == ks->syms || sym[-1].addr != sym->addr)
			return sym;
	return NULL;
}

static bool is_listed(const struct fargs_module_list *l, const char *name)
{
	size_t i;

	for (i = 0; i < fargs_module_list_count(l); i++)
		if (!strcmp(fargs_module_list_at(l, i)->name, name))
			return true;
	return false;
}

const struct fargs_ksym *fargs_ksyms_find_addr(const struct fargs_ksyms *ks, uint64_t addr)
{
	const struct fargs_ksym *sym = find_symbol(ks, addr);
	const struct fargs_module_place *place;

	if (!ks->modules)
		return sym;
	place = fargs_module_list_find(ks->modules, addr);
	if (place && (!sym || sym->addr < place->addr))
		return &ks->module_syms[place - fargs_module_list_at(ks->modules, 0)];
	/* Behind the end of a module that is known to have one. */
	if (!place && sym && sym->module && is_listed(ks->modules, sym->module))
		return NULL;
	return sym;
}

static bool is_in(const struct fargs_ksym *sym, const struct fargs_ksym *syms, size_t nr)
{
	return sym >= syms && sym < syms + nr;
}

uint64_t fargs_ksyms_end(const struct fargs_ksyms *ks, const struct fargs_ksym *sym)
{
	const struct fargs_module_place *place;
	uint64_t end;

	place = ks->modules ? fargs_module_list_find(ks->modules, sym->addr) : NULL;
	if (!is_in(sym, ks->syms, ks->nr))
		return place ? place->addr + place->bytes : sym->addr;
	end = end_of(ks, sym, find_after(ks->syms, ks->nr, sym->addr));
	return place ? min_of(end, place->addr + place->bytes) : end;
}

size_t fargs_ksyms_count(const struct fargs_ksyms *ks)
{
	return ks->nr;
}

const struct fargs_ksym *fargs_ksyms_at(const struct fargs_ksyms *ks, size_t i)
{
	return i < ks->nr ? &ks->syms[i] : NULL;
}

/* "0123456789abcdef T name\n", or "... name\t[module]\n". */
#define DIGITS		16
#define LINE_BYTES	(DIGITS + 4)
#define MODULE_BYTES	3

static char *put_line(char *to, const struct fargs_ksym *sym)
{
	int shift;

	for (shift = 4 * (DIGITS - 1); shift >= 0; shift -= 4)
		*to++ = "0123456789abcdef"[sym->addr >> shift & 0xf];
	*to++ = ' ';
	*to++ = sym->type;
	*to++ = ' ';
	to = stpcpy(to, sym->name);
	if (sym->module) {
		*to++ = '\t';
		*to++ = '[';
		to = stpcpy(to, sym->module);
		*to++ = ']';
	}
	*to++ = '\n';
	return to;
}

static size_t line_bytes(const struct fargs_ksym *sym)
{
	return LINE_BYTES + strlen(sym->name) +
	       (sym->module ? MODULE_BYTES + strlen(sym->module) : 0);
}

/* Those from *@bound on up to @addr; the ones of code are among the symbols. */
static char *put_bounds(char *to, const struct fargs_ksyms *ks, size_t *bound, uint64_t addr)
{
	for (; *bound < ks->nr_bounds && ks->bounds[*bound].addr <= addr; ++*bound)
		if (!is_text(ks->bounds[*bound].type))
			to = put_line(to, &ks->bounds[*bound]);
	return to;
}

char *fargs_ksyms_text(const struct fargs_ksyms *ks, size_t *size)
{
	size_t i, bound = 0;
	char *text, *to;

	*size = 0;
	for (i = 0; i < ks->nr; i++)
		*size += line_bytes(&ks->syms[i]);
	for (i = 0; i < ks->nr_bounds; i++)
		if (!is_text(ks->bounds[i].type))
			*size += line_bytes(&ks->bounds[i]);
	text = malloc(*size + 1);
	if (!text)
		return NULL;
	for (i = 0, to = text; i < ks->nr; i++) {
		to = put_bounds(to, ks, &bound, ks->syms[i].addr);
		to = put_line(to, &ks->syms[i]);
	}
	to = put_bounds(to, ks, &bound, UINT64_MAX);
	*to = '\0';
	return text;
}
