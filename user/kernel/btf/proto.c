// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/btf/proto.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct fargs_proto {
	const struct btf *btf;
	struct btf_dump *dump;
	FILE *out;		/* current destination of the dumper's output */
	char *text;
};

static void print(void *ctx, const char *fmt, va_list args)
{
	struct fargs_proto *p = ctx;

	vfprintf(p->out, fmt, args);
}

struct fargs_proto *fargs_proto_create(const struct btf *btf)
{
	struct fargs_proto *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->btf = btf;
	p->dump = btf_dump__new(btf, print, p, NULL);
	if (!p->dump) {
		free(p);
		return NULL;
	}
	return p;
}

void fargs_proto_destroy(struct fargs_proto *p)
{
	if (!p)
		return;
	btf_dump__free(p->dump);
	free(p->text);
	free(p);
}

/* Joins the lines of @s, because libbpf writes unnamed types over several lines. */
static void squeeze(char *s)
{
	char *to = s;
	bool is_blank = false;

	for (; *s; s++) {
		if (isspace((unsigned char)*s)) {
			is_blank = true;
			continue;
		}
		if (is_blank && to != s)
			*to++ = ' ';
		is_blank = false;
		*to++ = *s;
	}
	*to = '\0';
}

/*
 * Names of integer types in GCC's debug information, and the usual names for them. All words of
 * these names are C keywords, so no identifier in a prototype can match.
 */
static const char *const spellings[][2] = {
	{ "long long unsigned int", "unsigned long long" },
	{ "long unsigned int", "unsigned long" },
	{ "long long int", "long long" },
	{ "long int", "long" },
	{ "short unsigned int", "unsigned short" },
	{ "short int", "short" },
	{ "__int128 unsigned", "unsigned __int128" },
};

#define NR_SPELLINGS	(sizeof(spellings) / sizeof(spellings[0]))

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Replaces GCC's names of types by the usual ones, which are never longer. */
static void respell(char *s)
{
	char *to = s, before = ' ';
	size_t i;

	while (*s) {
		for (i = 0; i < NR_SPELLINGS; i++) {
			size_t len = strlen(spellings[i][0]);

			if (!is_word(before) && !strncmp(s, spellings[i][0], len) &&
			    !is_word(s[len]))
				break;
		}
		if (i < NR_SPELLINGS) {
			memcpy(to, spellings[i][1], strlen(spellings[i][1]));
			to += strlen(spellings[i][1]);
			s += strlen(spellings[i][0]);
			before = 't';
			continue;
		}
		before = *s;
		*to++ = *s++;
	}
	*to = '\0';
}

/* Prints "name(type a, type b)", without the return type and the first @first parameters. */
static int print_declarator(struct fargs_proto *p, const struct btf_type *proto, const char *name,
			    int first)
{
	const struct btf_param *params = btf_params(proto);
	int i, ret, nr = btf_vlen(proto);

	fprintf(p->out, "%s(", name);
	if (nr <= first)
		fputs("void", p->out);
	for (i = first; i < nr; i++) {
		LIBBPF_OPTS(btf_dump_emit_type_decl_opts, opts,
			.field_name = btf__name_by_offset(p->btf, params[i].name_off));

		if (i != first)
			fputs(", ", p->out);
		if (!params[i].type && i == nr - 1) {
			fputs("...", p->out);
			continue;
		}
		ret = btf_dump__emit_type_decl(p->dump, params[i].type, &opts);
		if (ret)
			return ret;
	}
	putc(')', p->out);
	return 0;
}

/*
 * Returns a declaration of @declarator with type @type_id. If @declarator is NULL, returns the
 * declarator of function @name with type @proto, without its first @first parameters. The caller
 * frees the string.
 */
static char *print_string(struct fargs_proto *p, const struct btf_type *proto, const char *name,
			  int first, uint32_t type_id, const char *declarator)
{
	LIBBPF_OPTS(btf_dump_emit_type_decl_opts, opts, .field_name = declarator);
	char *text = NULL;
	size_t size;
	int ret;

	p->out = open_memstream(&text, &size);
	if (!p->out)
		return NULL;
	ret = declarator ? btf_dump__emit_type_decl(p->dump, type_id, &opts)
			 : print_declarator(p, proto, name, first);
	if (fclose(p->out))
		ret = -ENOMEM;
	p->out = NULL;
	if (ret) {
		errno = -ret;
		free(text);
		return NULL;
	}
	return text;
}

/* Returns the FUNC_PROTO of @func_id. If *@name is NULL, sets it to the function's name in BTF. */
static const struct btf_type *find_proto(const struct fargs_proto *p, uint32_t func_id,
					 const char **name)
{
	const struct btf_type *func = btf__type_by_id(p->btf, func_id);
	const struct btf_type *proto;

	proto = func && btf_is_func(func) ? btf__type_by_id(p->btf, func->type) : NULL;
	if (!proto || !btf_is_func_proto(proto)) {
		errno = EINVAL;
		return NULL;
	}
	if (!*name)
		*name = btf__name_by_offset(p->btf, func->name_off);
	return proto;
}

/* Reformats @text, which may be NULL, and takes ownership of it. Returns @text. */
static const char *finish(struct fargs_proto *p, char *text)
{
	free(p->text);
	p->text = text;
	if (text) {
		squeeze(text);
		respell(text);
	}
	return text;
}

const char *fargs_proto_text(struct fargs_proto *p, uint32_t func_id, const char *name)
{
	const struct btf_type *proto = find_proto(p, func_id, &name);
	char *declarator, *text;

	if (!proto)
		return NULL;
	declarator = print_string(p, proto, name, 0, 0, NULL);
	if (!declarator)
		return finish(p, NULL);
	text = print_string(p, NULL, NULL, 0, proto->type, declarator);
	free(declarator);
	return finish(p, text);
}

const char *fargs_proto_tpoint_text(struct fargs_proto *p, uint32_t func_id, const char *name)
{
	const struct btf_type *proto = find_proto(p, func_id, &name);

	return proto ? finish(p, print_string(p, proto, name, 1, 0, NULL)) : NULL;
}

const char *fargs_proto_decl(struct fargs_proto *p, uint32_t type_id, const char *name)
{
	return finish(p, print_string(p, NULL, NULL, 0, type_id, name));
}
