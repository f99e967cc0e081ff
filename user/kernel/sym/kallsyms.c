// SPDX-License-Identifier: GPL-2.0-only
/* Reads and writes kernel symbols as text in the format of /proc/kallsyms. */
#include "kernel/sym/ksyms_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/sym/kallsyms_line.h"
#include "kernel/sym/module_spans.h"

/* Is a symbol of @type absolute or per-CPU, so that its value is not an address? */
static bool is_absolute(char type)
{
	return type == 'a' || type == 'A';
}

/* Symbols of a new array: the kernel has about 50,000 functions, and as many objects. */
#define FIRST_ROOM	65536

static __attribute__((noinline)) int grow(struct fargs_ksym **syms, size_t *room)
{
	size_t more = *room ? 2 * *room : FIRST_ROOM;
	struct fargs_ksym *larger = realloc(*syms, more * sizeof(*larger));

	if (!larger)
		return -ENOMEM;
	*syms = larger;
	*room = more;
	return 0;
}

static inline int append(struct fargs_ksym **syms, size_t *nr, size_t *room,
			 const struct fargs_ksym *sym)
{
	if (*nr == *room && grow(syms, room))
		return -ENOMEM;
	(*syms)[(*nr)++] = *sym;
	return 0;
}

/* State of parsing. */
struct parsing {
	size_t room, bounds_room, data_room;	/* capacity of ks->syms, ks->bounds and ks->data */
	/* A data symbol of vmlinux was added to bounds since the last text symbol. */
	bool is_amid_data;
	struct fargs_module_spans spans;
	size_t freed, nr_freed;	/* index of the first freed function, and their number */
	uint64_t data_start, data_end;	/* addresses of _sdata and _edata; 0: not listed as code */
};

/* Notes the bounds of the data section, if @name is that of one of them. */
static void note_bound(struct parsing *p, const char *name, uint64_t addr)
{
	if (name[1] == 's' && !p->data_start && !strcmp(name, "_sdata"))
		p->data_start = addr;
	else if (name[1] == 'e' && !p->data_end && !strcmp(name, "_edata"))
		p->data_end = addr;
}

/* Adds a function of a module. */
static __attribute__((noinline)) int add_module_text(struct fargs_ksyms *ks, struct parsing *p,
						     const struct fargs_ksym *sym)
{
	bool is_freed;
	int ret = fargs_module_spans_add(&p->spans, sym->module, sym->addr, &is_freed);

	if (ret)
		return ret;
	if (is_freed) {
		if (!p->nr_freed)
			p->freed = ks->nr;
		p->nr_freed = ks->nr - p->freed + 1;
	}
	return append(&ks->syms, &ks->nr, &p->room, sym);
}

static inline int add_text(struct fargs_ksyms *ks, struct parsing *p, const struct fargs_ksym *sym)
{
	struct fargs_ksym copy;
	int ret;

	p->is_amid_data = false;
	if (sym->module) {
		copy = *sym;
		return add_module_text(ks, p, &copy);
	}
	ret = append(&ks->syms, &ks->nr, &p->room, sym);
	if (ret || sym->name[0] != '_')
		return ret;
	note_bound(p, sym->name, sym->addr);
	return fargs_ksyms_is_end_name(sym->name) ?
	       append(&ks->bounds, &ks->nr_bounds, &p->bounds_room, sym) : 0;
}

/* Drops functions that the kernel freed, if their addresses now belong to another module. */
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

static inline int add_data(struct fargs_ksyms *ks, struct parsing *p, const struct fargs_ksym *sym)
{
	if (append(&ks->data, &ks->nr_data, &p->data_room, sym))
		return -ENOMEM;
	if (!sym->module) {
		/*
		 * Of consecutive data symbols of vmlinux, which are sorted by address, only the
		 * first one is needed, as the end of the preceding function.
		 */
		if (p->is_amid_data && ks->bounds[ks->nr_bounds - 1].addr <= sym->addr)
			return 0;
		p->is_amid_data = true;
	}
	return append(&ks->bounds, &ks->nr_bounds, &p->bounds_room, sym);
}

/*
 * Moves to ks->data what the kernel lists as code, but is in its data section. In some builds, as
 * of 7.2, that section is executable as far as nm is concerned.
 */
static int drop_data(struct fargs_ksyms *ks, struct parsing *p)
{
	uint64_t start = p->data_start, end = p->data_end;
	size_t i, nr = 0;
	int ret = 0;

	for (i = 0; start && i < ks->nr && !ret; i++) {
		const struct fargs_ksym *sym = &ks->syms[i];

		if (!sym->module && sym->addr >= start && sym->addr < end)
			ret = append(&ks->data, &ks->nr_data, &p->data_room, sym);
		else
			ks->syms[nr++] = *sym;
	}
	if (start && !ret)
		ks->nr = nr;
	return ret;
}

static int fail_line(size_t number, struct fargs_error_text *err)
{
	return fargs_fail(err, EINVAL, "kernel symbols: line %zu is not in the format of "
			  "/proc/kallsyms", number);
}

static int parse_lines(struct fargs_ksyms *ks, size_t size, struct parsing *p,
		       struct fargs_error_text *err)
{
	char *line = ks->text, *end = ks->text + size;
	struct fargs_ksym sym;
	size_t number = 0;
	uint64_t any = 0;	/* not 0: an address is not hidden */
	int ret;

	while (line < end) {
		number++;
		ret = fargs_kallsyms_next(&line, end, &sym);
		if (ret < 0)
			return fail_line(number, err);
		if (!ret)
			continue;
		if (fargs_ksyms_is_code(sym.type)) {
			any |= sym.addr;
			ret = add_text(ks, p, &sym);
		} else {
			ret = is_absolute(sym.type) ? 0 : add_data(ks, p, &sym);
		}
		if (ret)
			return fargs_fail(err, ENOMEM, "no memory for kernel symbols");
	}
	if (!ks->nr)
		return fargs_fail(err, ENOENT,
				  "there are no kernel symbols: boot a kernel with "
				  "CONFIG_KALLSYMS");
	if (!any)
		return fargs_fail(err, EPERM,
				  "the addresses of kernel symbols are hidden: they need "
				  "CAP_SYSLOG (run as root), and kernel.kptr_restrict must be less "
				  "than 2");
	return 0;
}

int fargs_kallsyms_parse(struct fargs_ksyms *ks, size_t size, bool is_live,
			 struct fargs_error_text *err)
{
	struct parsing p = { };
	int ret = parse_lines(ks, size, &p, err);

	if (!ret && is_live)
		drop_freed(ks, &p);
	if (!ret && drop_data(ks, &p))
		ret = fargs_fail(err, ENOMEM, "no memory for kernel symbols");
	fargs_module_spans_deinit(&p.spans);
	return ret;
}

/* Lines of the output: "0123456789abcdef T name\n", or "0123456789abcdef T name\t[module]\n". */
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

/* Writes data symbols from index *@at on, up to @addr. */
static char *put_data(char *to, const struct fargs_ksyms *ks, size_t *at, uint64_t addr)
{
	const struct fargs_ksym *data = fargs_ksyms_data(ks);

	for (; *at < ks->nr_data && data[*at].addr <= addr; ++*at)
		to = put_line(to, &data[*at]);
	return to;
}

char *fargs_ksyms_text(const struct fargs_ksyms *ks, size_t *size)
{
	size_t i, at = 0;
	char *text, *to;

	*size = 0;
	for (i = 0; i < ks->nr; i++)
		*size += line_bytes(&ks->syms[i]);
	for (i = 0; i < ks->nr_data; i++)
		*size += line_bytes(&ks->data[i]);
	text = malloc(*size + 1);
	if (!text)
		return NULL;
	for (i = 0, to = text; i < ks->nr; i++) {
		to = put_data(to, ks, &at, ks->syms[i].addr);
		to = put_line(to, &ks->syms[i]);
	}
	to = put_data(to, ks, &at, UINT64_MAX);
	*to = '\0';
	return text;
}
