// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/sym/ftrace_avail.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/strindex.h"

/*
 * Size of the instruction endbr64. In a kernel with IBT, functions begin with it, and ftrace lists
 * the address after it.
 */
#define ENDBR_BYTES	4

struct fargs_avail {
	char *text;		/* the file's contents, which hold the names */
	const char **names;
	const char **modules;	/* module of each function; NULL: vmlinux */
	size_t nr;
	struct fargs_strindex by_name;
	/* The functions' addresses, ascending; NULL: the file has only names. */
	uint64_t *addrs;
};

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Parses a NUL-terminated @line, "[address ]name[ [module]]". Returns false if it is malformed. */
static bool parse_line(char *line, bool has_addr, uint64_t *addr, char **name, char **module)
{
	char *rest;

	if (has_addr) {
		errno = 0;
		*addr = strtoull(line, &rest, 16);
		if (rest == line || *rest != ' ' || errno)
			return false;
		line = rest + 1;
	}
	*name = line;
	*module = NULL;
	rest = line + strcspn(line, " \t");
	if (rest == line)
		return false;
	if (*rest) {
		*rest++ = '\0';
		rest += strspn(rest, " \t[");
		rest[strcspn(rest, "]")] = '\0';
		*module = rest;
	}
	return true;
}

static bool is_addr_line(const char *line)
{
	size_t digits = strspn(line, "0123456789abcdef");

	/*
	 * Without addresses, a line begins with a function's name, which may look like hex digits.
	 * Only a module in brackets can follow it.
	 */
	return digits >= 8 && line[digits] == ' ' && line[digits + 1] != '[';
}

static int parse(struct fargs_avail *avail, size_t size)
{
	bool has_addr = is_addr_line(avail->text);
	char *line, *end = avail->text + size;
	size_t nr_lines = 1, i;

	for (line = avail->text; (line = memchr(line, '\n', end - line)); line++)
		nr_lines++;
	avail->names = calloc(nr_lines, sizeof(*avail->names));
	avail->modules = calloc(nr_lines, sizeof(*avail->modules));
	if (has_addr)
		avail->addrs = calloc(nr_lines, sizeof(*avail->addrs));
	if (!avail->names || !avail->modules || (has_addr && !avail->addrs))
		return -ENOMEM;

	for (line = avail->text; line < end;) {
		char *eol = memchr(line, '\n', end - line);
		char *name, *module;
		uint64_t addr = 0;

		if (eol)
			*eol = '\0';
		if (parse_line(line, has_addr, &addr, &name, &module)) {
			i = avail->nr++;
			avail->names[i] = name;
			avail->modules[i] = module;
			if (has_addr)
				avail->addrs[i] = addr;
		}
		line = eol ? eol + 1 : end;
	}
	if (has_addr) {
		qsort(avail->addrs, avail->nr, sizeof(*avail->addrs), compare_u64);
		return 0;
	}
	return fargs_strindex_init(&avail->by_name, avail->names, avail->nr);
}

static struct fargs_avail *create(char *text, size_t size, struct fargs_error_text *err)
{
	struct fargs_avail *avail = calloc(1, sizeof(*avail));

	if (!avail) {
		free(text);
		fargs_fail(err, ENOMEM, "no memory for the list of traceable functions");
		return NULL;
	}
	avail->text = text;
	if (parse(avail, size)) {
		fargs_fail(err, ENOMEM, "no memory for the list of traceable functions");
		fargs_avail_destroy(avail);
		return NULL;
	}
	return avail;
}

struct fargs_avail *fargs_avail_load(struct fargs_error_text *err)
{
	static const char *const paths[] = {
		"/sys/kernel/tracing/available_filter_functions_addrs",
		"/sys/kernel/debug/tracing/available_filter_functions_addrs",
		"/sys/kernel/tracing/available_filter_functions",
		"/sys/kernel/debug/tracing/available_filter_functions",
	};
	const char *hint = "";
	int why = ENOENT;
	size_t i;

	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		size_t size;
		char *text = fargs_file_read(paths[i], &size);

		/*
		 * If addresses are hidden, the file with addresses is empty or has only zeroes;
		 * available_filter_functions may still list names.
		 */
		if (text && size && strncmp(text, "0000000000000000 ", 17))
			return create(text, size, err);
		if (!text && errno != ENOENT)
			why = errno;
		free(text);
	}
	if (why == EACCES)
		hint = ": run as root, or mount -o remount,gid=GROUP,mode=750 /sys/kernel/tracing";
	else if (why == EPERM)
		hint = ": the kernel may be locked down to confidentiality";
	if (why == ENOENT)
		fargs_fail(err, why,
			   "tracefs is not mounted: mount -t tracefs nodev /sys/kernel/tracing");
	else
		fargs_fail(err, why, "cannot read '%s': %s%s", paths[2], strerror(why), hint);
	return NULL;
}

struct fargs_avail *fargs_avail_parse(const char *text, size_t size, struct fargs_error_text *err)
{
	char *copy = malloc(size + 1);

	if (!copy) {
		fargs_fail(err, ENOMEM, "no memory for the list of traceable functions");
		return NULL;
	}
	memcpy(copy, text, size);
	copy[size] = '\0';
	return create(copy, size, err);
}

struct fargs_avail *fargs_avail_create(const uint64_t *addrs, size_t nr)
{
	struct fargs_avail *avail = calloc(1, sizeof(*avail));

	if (!avail)
		return NULL;
	avail->addrs = calloc(nr + 1, sizeof(*avail->addrs));
	if (!avail->addrs) {
		free(avail);
		return NULL;
	}
	memcpy(avail->addrs, addrs, nr * sizeof(*addrs));
	avail->nr = nr;
	qsort(avail->addrs, nr, sizeof(*avail->addrs), compare_u64);
	return avail;
}

void fargs_avail_destroy(struct fargs_avail *avail)
{
	if (!avail)
		return;
	fargs_strindex_deinit(&avail->by_name);
	free(avail->addrs);
	free(avail->names);
	free(avail->modules);
	free(avail->text);
	free(avail);
}

static bool has_addr(const struct fargs_avail *avail, uint64_t addr)
{
	return bsearch(&addr, avail->addrs, avail->nr, sizeof(addr), compare_u64);
}

bool fargs_avail_has(const struct fargs_avail *avail, const struct fargs_ksym *sym)
{
	const uint32_t *first;
	size_t i, nr;

	if (avail->addrs)
		return has_addr(avail, sym->addr) || has_addr(avail, sym->addr + ENDBR_BYTES);

	nr = fargs_strindex_find(&avail->by_name, sym->name, &first);
	for (i = 0; i < nr; i++) {
		const char *module = avail->modules[first[i]];

		if (!module == !sym->module && (!module || !strcmp(module, sym->module)))
			return true;
	}
	return false;
}

size_t fargs_avail_count(const struct fargs_avail *avail)
{
	return avail->nr;
}
