// SPDX-License-Identifier: GPL-2.0-only
#include "model/fetched.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/value/symbolic.h"
#include "model/types.h"
#include "select/syntax/parse.h"
#include "select/typing/type.h"

/*
 * Maximum number of names that are looked up, since an untrusted file may have any number of names.
 */
#define NAMES_MAX	256

struct name {
	char *text;
	struct fargs_arg as;	/* type of the value called @text; member val is unused */
};

struct fargs_fetched {
	const struct btf *btf;
	uint32_t func_id;
	const char *func;
	struct fargs_symbolic *symbolic;
	struct fargs_constants constants;
	struct name *names;
	size_t nr;
};

struct fargs_fetched *fargs_fetched_create(const struct btf *btf, uint32_t func_id,
					   const char *func, struct fargs_symbolic *symbolic)
{
	struct fargs_fetched *fetched = calloc(1, sizeof(*fetched));

	if (!fetched)
		return NULL;
	fetched->btf = btf;
	fetched->func_id = func_id;
	fetched->func = func;
	fetched->symbolic = symbolic;
	return fetched;
}

void fargs_fetched_destroy(struct fargs_fetched *fetched)
{
	size_t i;

	if (!fetched)
		return;
	for (i = 0; i < fetched->nr; i++)
		free(fetched->names[i].text);
	free(fetched->names);
	fargs_constants_deinit(&fetched->constants);
	free(fetched);
}

/*
 * Returns how many bytes of @name to show; 0: all of them. The formats of strings are not shown,
 * because the value is visibly a string.
 */
static unsigned int shown_len(const char *name, enum fargs_format format)
{
	const char *colon = strrchr(name, ':');

	if (format == FARGS_FORMAT_STR || format == FARGS_FORMAT_USTR ||
	    fargs_format_is_object(format))
		return colon ? colon - name : 0;
	return 0;
}

/*
 * Returns the name of the struct that the expression @text, a path to one of its members, takes the
 * member from; NULL: it is not such a path. Sets *@member to the name of the member.
 */
static const char *find_struct(struct fargs_fetched *fetched, const char *text,
			       const char **member)
{
	char of[FARGS_EXPR_TEXT_MAX + 1];
	const char *dot = strrchr(text, '.'), *arrow = strrchr(text, '>');
	const char *end = dot > arrow ? dot : arrow ? arrow - 1 : NULL;
	const struct btf_type *t;
	struct fargs_expr_type type;

	*member = dot > arrow ? dot + 1 : arrow + 1;
	if (!end || end <= text || (size_t)(end - text) >= sizeof(of) || strpbrk(*member, "[]() "))
		return NULL;
	memcpy(of, text, end - text);
	of[end - text] = '\0';
	if (!fargs_expr_type(&type, &fetched->constants, fetched->btf, fetched->func_id, of))
		return NULL;
	t = btf__type_by_id(fetched->btf, fargs_types_base(fetched->btf, type.type_id));
	if (t && btf_is_ptr(t))
		t = btf__type_by_id(fetched->btf, fargs_types_base(fetched->btf, t->type));
	return t && btf_is_composite(t) ? btf__name_by_offset(fetched->btf, t->name_off) : NULL;
}

static const struct fargs_naming *find_naming(struct fargs_fetched *fetched, const char *text,
					      uint32_t type_id)
{
	const struct fargs_naming *naming;
	const char *of, *member;

	naming = fargs_symbolic_of_param(fetched->symbolic, fetched->btf, type_id, fetched->func,
					 text);
	if (naming)
		return naming;
	of = find_struct(fetched, text, &member);
	return of ? fargs_symbolic_of_member(fetched->symbolic, fetched->btf, type_id, of, member) :
		    NULL;
}

static void find_type(struct fargs_fetched *fetched, const char *text, struct fargs_arg *as)
{
	struct fargs_expr_type type;

	memset(as, 0, sizeof(*as));
	if (!fargs_expr_type(&type, &fetched->constants, fetched->btf, fetched->func_id, text))
		return;
	as->is_fetched = true;
	as->format = type.format;
	as->is_range = type.is_range;
	as->bitfield_bits = type.bitfield_bits;
	as->name_len = shown_len(text, type.format);
	if (!type.type_id)
		return;
	as->btf = fetched->btf;
	as->btf_id = type.type_id;
	as->base_id = fargs_types_base(fetched->btf, type.type_id);
	as->shape = fargs_types_shape(fetched->btf, as->base_id);
	if (!as->format && !as->is_range)
		as->naming = find_naming(fetched, text, type.type_id);
}

static struct name *add(struct fargs_fetched *fetched, const char *text)
{
	struct name *larger = realloc(fetched->names, (fetched->nr + 1) * sizeof(*larger));

	if (!larger)
		return NULL;
	fetched->names = larger;
	larger[fetched->nr].text = strdup(text);
	if (!larger[fetched->nr].text)
		return NULL;
	find_type(fetched, text, &larger[fetched->nr].as);
	return &larger[fetched->nr++];
}

int fargs_fetched_describe(struct fargs_fetched *fetched, struct fargs_arg *arg)
{
	struct fargs_value val = arg->val;
	struct name *name = NULL;
	size_t i;

	for (i = 0; i < fetched->nr && !name; i++)
		if (!strcmp(fetched->names[i].text, val.name))
			name = &fetched->names[i];
	if (!name && fetched->nr == NAMES_MAX)
		return 0;
	if (!name)
		name = add(fetched, val.name);
	if (!name)
		return -ENOMEM;
	*arg = name->as;
	arg->val = val;
	return 0;
}
