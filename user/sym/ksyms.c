// SPDX-License-Identifier: GPL-2.0-only
#include "sym/ksyms.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sym/module_list.h"
#include "util/file.h"
#include "util/strindex.h"

#define KALLSYMS	"/proc/kallsyms"

/*
 * A symbol has no size; it ends where the next one begins. Behind the last one
 * of vmlinux there may be nothing for a long way, and no function is larger than this.
 */
#define SYMBOL_MAX_BYTES	(1u << 20)

/*
 * Behind the last one of a module there may be another module, which came later than
 * the symbols were read: what is sure to be of the module is the rest of its page.
 */
#define PAGE_BYTES		4096

struct fargs_ksyms {
	char *text;				/* holds the names */
	struct fargs_ksym *syms;		/* by address, then as in the file */
	size_t nr;
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

static int append(struct fargs_ksyms *ks, size_t *room, const struct fargs_ksym *sym)
{
	if (ks->nr == *room) {
		size_t more = *room ? 2 * *room : 65536;
		struct fargs_ksym *larger = realloc(ks->syms, more * sizeof(*larger));

		if (!larger)
			return -ENOMEM;
		ks->syms = larger;
		*room = more;
	}
	ks->syms[ks->nr++] = *sym;
	return 0;
}

static int parse_lines(struct fargs_ksyms *ks, size_t size, struct fargs_error_text *err)
{
	char *line = ks->text, *end = ks->text + size;
	bool is_hidden = true;
	size_t room = 0, number = 0;

	for (; line < end; number++) {
		char *eol = memchr(line, '\n', end - line);
		struct fargs_ksym sym;

		if (!eol)
			eol = end;
		if (eol != line) {
			if (parse_line(line, eol, &sym))
				return fargs_fail(err, EINVAL,
						  "kernel symbols: line %zu is not one of kallsyms",
						  number + 1);
			is_hidden &= !is_text(sym.type) || !sym.addr;
			if (is_text(sym.type) && append(ks, &room, &sym))
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

static int build_index(struct fargs_ksyms *ks, struct fargs_error_text *err)
{
	size_t i;

	for (i = 1; i < ks->nr && ks->syms[i - 1].addr <= ks->syms[i].addr; i++)
		;
	if (i < ks->nr)
		qsort(ks->syms, ks->nr, sizeof(*ks->syms), compare_addr);

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

/* Takes @text, of which the byte behind @size can be written. */
static struct fargs_ksyms *create(char *text, size_t size, struct fargs_error_text *err)
{
	struct fargs_ksyms *ks = calloc(1, sizeof(*ks));
	int ret;

	if (!ks) {
		free(text);
		fargs_fail(err, ENOMEM, "no memory for kernel symbols");
		errno = ENOMEM;
		return NULL;
	}
	ks->text = text;
	ret = parse_lines(ks, size, err);
	if (!ret)
		ret = build_index(ks, err);
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
	return create(text, size, err);
}

struct fargs_ksyms *fargs_ksyms_parse(const char *text, size_t size, struct fargs_error_text *err)
{
	char *copy = malloc(size + 1);

	if (!copy) {
		fargs_fail(err, ENOMEM, "no memory for kernel symbols");
		return NULL;
	}
	memcpy(copy, text, size);
	copy[size] = '\0';
	return create(copy, size, err);
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

/* Where symbol @i ends at the latest: addresses behind it may be of something else. */
static uint64_t end_of(const struct fargs_ksyms *ks, size_t i)
{
	const struct fargs_ksym *sym = &ks->syms[i], *next = sym + 1;

	if (!sym->module)
		return sym->addr + SYMBOL_MAX_BYTES;
	if (i + 1 < ks->nr && next->module && !strcmp(next->module, sym->module))
		return next->addr;
	return (sym->addr / PAGE_BYTES + 1) * PAGE_BYTES;
}

/* By the symbols alone. */
static const struct fargs_ksym *find_symbol(const struct fargs_ksyms *ks, uint64_t addr)
{
	size_t low = 0, high = ks->nr;
	const struct fargs_ksym *sym;

	/* The first symbol behind @addr. */
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (ks->syms[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low)
		return NULL;
	sym = &ks->syms[low - 1];
	if (addr >= end_of(ks, low - 1))
		return NULL;
	/* Of several names for an address the first one, as the kernel itself prints it. */
	while (sym > ks->syms && sym[-1].addr == sym->addr)
		sym--;
	return sym;
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

char *fargs_ksyms_text(const struct fargs_ksyms *ks, size_t *size)
{
	char *text, *to;
	size_t i;

	*size = 0;
	for (i = 0; i < ks->nr; i++) {
		const struct fargs_ksym *sym = &ks->syms[i];

		*size += LINE_BYTES + strlen(sym->name);
		if (sym->module)
			*size += MODULE_BYTES + strlen(sym->module);
	}
	text = malloc(*size + 1);
	if (!text)
		return NULL;
	for (i = 0, to = text; i < ks->nr; i++)
		to = put_line(to, &ks->syms[i]);
	*to = '\0';
	return text;
}
