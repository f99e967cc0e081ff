// SPDX-License-Identifier: GPL-2.0-only
#include "select/typing/typename.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Maximum length of a chain of types: longer chains are loops, or unreadable. */
#define CHAIN_MAX	16

static const char *kind_word(const struct btf_type *t)
{
	switch (btf_kind(t)) {
	case BTF_KIND_STRUCT:
		return "struct ";
	case BTF_KIND_UNION:
		return "union ";
	case BTF_KIND_FWD:
		return btf_kflag(t) ? "union " : "struct ";
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return "enum ";
	default:
		return "";
	}
}

/* Inserts @text before the contents of @buf if it fits. */
static void prepend(char *buf, const char *text)
{
	size_t old = strlen(buf), len = strlen(text);

	if (old + len >= FARGS_TYPENAME_MAX)
		return;
	memmove(buf + len, buf, old + 1);
	memcpy(buf, text, len);
}

static void name_innermost(const struct btf *btf, const struct btf_type *t, char *buf)
{
	const char *name = btf__name_by_offset(btf, t->name_off);

	if (btf_is_func_proto(t))
		name = "function";
	prepend(buf, name && *name ? name : "{...}");
	prepend(buf, kind_word(t));
}

const char *fargs_typename(const struct btf *btf, uint32_t id, char buf[FARGS_TYPENAME_MAX])
{
	const struct btf_type *t;
	char dimension[16];
	int i;

	buf[0] = '\0';
	for (i = 0; i < CHAIN_MAX && id; i++) {
		t = btf__type_by_id(btf, id);
		if (!t)
			return buf;
		if (btf_is_ptr(t)) {
			prepend(buf, buf[0] == '*' ? "*" : buf[0] ? "* " : "*");
			id = t->type;
		} else if (btf_is_array(t)) {
			snprintf(dimension, sizeof(dimension), "[%u]", btf_array(t)->nelems);
			prepend(buf, dimension);
			id = btf_array(t)->type;
		} else if (btf_is_mod(t)) {
			id = t->type;
		} else {
			if (buf[0] == '*')
				prepend(buf, " ");
			name_innermost(btf, t, buf);
			return buf;
		}
	}
	if (!id)
		prepend(buf, buf[0] == '*' ? "void " : "void");
	return buf;
}
