// SPDX-License-Identifier: GPL-2.0-only
#include "unit/oracle/clones.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define ARGS_MAX	9
#define NR(array)	(sizeof(array) / sizeof((array)[0]))

/*
 * @use: a long that depends on the whole value; @make: an expression for a value that is known only
 * at run time.
 */
struct type {
	const char *name;
	const char *use;
	const char *make;
};

/* What the compiler can optimize in a function, because it sees all callers. */
enum change {
	CONSTANT,	/* all callers pass the same value of an argument */
	UNUSED,		/* an argument is not used */
	DEREFERENCED,	/* only the object to which a pointer points is used */
	MEMBER,		/* only one member of a struct is used */
	RESULT,		/* the result is not used; all arguments stay */
	CHANGES
};

/* A function to be generated. */
struct plan {
	unsigned int id;
	enum change change;
	unsigned int nr;
	unsigned int at;	/* index of the argument to which @change applies */
	const struct type *types[ARGS_MAX];
};

static const struct type others[] = {
	{ "struct pair", "%1$s.a * 3 + %1$s.b", "(struct pair){ in, in }" },
	{ "long", "%s", "in" },
	{ "__int128", "(long)(%1$s >> 64) ^ (long)%1$s", "(__int128)in << 64 | in" },
	{ "int", "%s", "in" },
	{ "struct triple", "%1$s.a * 5 + %1$s.b * 3 + %1$s.c", "(struct triple){ in, in, in }" },
	{ "void *", "(long)%s", "(void *)in" },
	{ "unsigned char", "%s", "in" },
	{ "short", "%s", "in" },
};

#define NR_SCALARS	3	/* number of scalar types, which are at the end of others[] */

static const struct type constant = { "int", "in * %s", "7" };
static const struct type pointer = { "struct triple *", "%s->b", "(struct triple *)in" };
static const struct type members[] = {
	{ "struct pair", "%s.b", "(struct pair){ in, in }" },
	{ "struct triple", "%s.c", "(struct triple){ in, in, in }" },
};

static const char head[] =
"struct pair { long a, b; };\n"
"struct triple { long a, b, c; };\n"
"extern volatile long in;\n"
"extern long out[];\n"
/*
 * A kfunc, declared as by BTF_KFUNCS_START and BTF_ID_FLAGS: a new pahole adds a tag for it, which
 * shows how the BTF of this file was encoded.
 */
"__attribute__((noipa, used)) int a_kfunc(int x) { return x; }\n"
"__asm__(\".pushsection .BTF_ids,\\\"a\\\"\\n\"\n"
"\".local __BTF_ID__set8__kfuncs\\n\"\n"
"\"__BTF_ID__set8__kfuncs:	.zero 4\\n	.long 1\\n\"\n"
"\".type __BTF_ID__set8__kfuncs, STT_OBJECT\\n.size __BTF_ID__set8__kfuncs, 16\\n\"\n"
"\".local __BTF_ID__func__a_kfunc__1\\n\"\n"
"\".type __BTF_ID__func__a_kfunc__1, STT_OBJECT\\n\"\n"
"\".size __BTF_ID__func__a_kfunc__1, 4\\n\"\n"
"\"__BTF_ID__func__a_kfunc__1:	.zero 4\\n	.long 0\\n\"\n"
"\".popsection\\n\");\n";

static void plan_types(struct plan *plan)
{
	/* Every other function has only scalar arguments, like most functions of a kernel. */
	bool is_simple = plan->id % 2;
	unsigned int i;

	for (i = 0; i < plan->nr; i++)
		plan->types[i] = is_simple ? &others[NR(others) - 1 - i % NR_SCALARS]
					   : &others[(plan->id / 2 + i) % NR(others)];
	switch (plan->change) {
	case CONSTANT:
		plan->types[plan->at] = &constant;
		break;
	case DEREFERENCED:
		plan->types[plan->at] = &pointer;
		break;
	case MEMBER:
		plan->types[plan->at] = &members[plan->id % NR(members)];
		break;
	default:
		break;
	}
}

static void put_params(FILE *out, const struct plan *plan)
{
	unsigned int i;

	for (i = 0; i < plan->nr; i++)
		fprintf(out, "%s%s a%u", i ? ", " : "(", plan->types[i]->name, i);
	fputs(")\n{\n", out);
}

/* @use contains the name at least once. */
__attribute__((format(printf, 2, 0)))
static void put_use(FILE *out, const char *use, const char *name)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	fprintf(out, use, name);
#pragma GCC diagnostic pop
}

/* Writes a function. All bodies differ, or the compiler would merge the functions. */
static void put_clone(FILE *out, const struct plan *plan)
{
	unsigned int i;
	char name[16];

	fprintf(out, "static __attribute__((noinline)) long c%u", plan->id);
	put_params(out, plan);
	for (i = 0; i < plan->nr; i++) {
		if (plan->change == UNUSED && i == plan->at)
			continue;
		snprintf(name, sizeof(name), "a%u", i);
		fprintf(out, "	out[%u] += ", plan->id * ARGS_MAX + i);
		put_use(out, plan->types[i]->use, name);
		fputs(";\n", out);
	}
	fprintf(out, "	return out[%u] * 3;\n}\n", plan->id);
}

static void put_twin(FILE *out, const struct plan *plan)
{
	fprintf(out, "__attribute__((noipa)) long t%u", plan->id);
	put_params(out, plan);
	fputs("	return 1;\n}\n", out);
}

/* Writes two callers: a function with only one caller would be inlined. */
static void put_callers(FILE *out, const struct plan *plan)
{
	unsigned int i, k;

	for (i = 0; i < 2; i++) {
		fprintf(out, "void call%u_%u(void)\n{\n	%sc%u(", i, plan->id,
			plan->change == RESULT ? "" : "out[0] ^= ", plan->id);
		for (k = 0; k < plan->nr; k++)
			fprintf(out, "%s%s", k ? ", " : "", plan->types[k]->make);
		fputs(");\n}\n", out);
	}
}

unsigned int oracle_put_clones(FILE *out)
{
	/*
	 * Number of places for each change: the first, a middle and the last argument. For a
	 * result, only the types differ.
	 */
	static const unsigned int nr_places[CHANGES] = { 3, 3, 3, 3, 16 };
	struct plan plan = { };
	unsigned int k;

	fputs(head, out);
	for (plan.change = 0; plan.change < CHANGES; plan.change++) {
		for (plan.nr = 2; plan.nr <= ARGS_MAX; plan.nr++) {
			for (k = 0; k < nr_places[plan.change]; k++, plan.id++) {
				plan.at = k * (plan.nr - 1) / 2;
				plan_types(&plan);
				put_clone(out, &plan);
				put_twin(out, &plan);
				put_callers(out, &plan);
			}
		}
	}
	return plan.id;
}
