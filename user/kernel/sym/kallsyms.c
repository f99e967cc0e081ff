// SPDX-License-Identifier: GPL-2.0-only
/* Reads and writes kernel symbols as text in the format of /proc/kallsyms. */
#include "kernel/sym/ksyms_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/sym/module_spans.h"

/*
 * Reads the hexadecimal number at *@p, which ends before @end, and moves *@p past it. Returns false
 * if there are no digits or too many.
 */
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

/* Is a symbol of @type absolute or per-CPU, so that its value is not an address? */
static bool is_absolute(char type)
{
	return type == 'a' || type == 'A';
}

/*
 * Parses the line from @line to @end: "address type name" or "address type name\t[module]".
 * Overwrites the newline or NUL at @end. Returns 0, or -EINVAL if the line is malformed.
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

/* State of parsing. */
struct parsing {
	size_t room, bounds_room, data_room;	/* capacity of ks->syms, ks->bounds and ks->data */
	/* A data symbol of vmlinux was added to bounds since the last text symbol. */
	bool is_amid_data;
	struct fargs_module_spans spans;
	size_t freed, nr_freed;	/* index of the first freed function, and their number */
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

static int add(struct fargs_ksyms *ks, struct parsing *p, const struct fargs_ksym *sym)
{
	int ret = 0;

	if (fargs_ksyms_is_code(sym->type)) {
		p->is_amid_data = false;
		ret = add_text(ks, p, sym);
		if (ret || !fargs_ksyms_is_section_end(sym))
			return ret;
	} else if (is_absolute(sym->type)) {
		return 0;
	} else {
		ret = append(&ks->data, &ks->nr_data, &p->data_room, sym);
	}
	if (!ret && !fargs_ksyms_is_code(sym->type) && !sym->module) {
		/*
		 * Of consecutive data symbols of vmlinux, which are sorted by address, only the
		 * first one is needed, as the end of the preceding function.
		 */
		if (p->is_amid_data && ks->bounds[ks->nr_bounds - 1].addr <= sym->addr)
			return 0;
		p->is_amid_data = true;
	}
	return ret ?: append(&ks->bounds, &ks->nr_bounds, &p->bounds_room, sym);
}

static uint64_t mark_of(const struct fargs_ksyms *ks, const char *name)
{
	size_t i;

	for (i = 0; i < ks->nr; i++)
		if (!ks->syms[i].module && !strcmp(ks->syms[i].name, name))
			return ks->syms[i].addr;
	return 0;
}

/*
 * Moves to ks->data what the kernel lists as code, but is in its data section. In some builds, as
 * of 7.2, that section is executable as far as nm is concerned.
 */
static int drop_data(struct fargs_ksyms *ks, struct parsing *p)
{
	uint64_t start = mark_of(ks, "_sdata"), end = mark_of(ks, "_edata");
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
		/* A copied file may have CR LF line ends. */
		last = eol > line && eol[-1] == '\r' ? eol - 1 : eol;
		if (last != line) {
			if (parse_line(line, last, &sym))
				return fargs_fail(err, EINVAL,
						  "kernel symbols: line %zu is not in the format "
						  "of /proc/kallsyms",
						  number + 1);
			is_hidden &= !fargs_ksyms_is_code(sym.type) || !sym.addr;
			if (add(ks, p, &sym))
				return fargs_fail(err, ENOMEM, "no memory for kernel symbols");
		}
		line = eol + 1;
	}
	if (!ks->nr)
		return fargs_fail(err, ENOENT,
				  "there are no kernel symbols: boot a kernel with "
				  "CONFIG_KALLSYMS");
	if (is_hidden)
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
	for (; *at < ks->nr_data && ks->data[*at].addr <= addr; ++*at)
		to = put_line(to, &ks->data[*at]);
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
