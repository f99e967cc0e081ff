// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares the layout compiler with the C compiler. A generated C file defines functions with many
 * signatures, and calls each with known bytes as arguments. In place of the function, a stub is
 * called that saves the registers and the stack. Layouts compiled from the file's BTF, made by
 * pahole, must find the bytes where the stub has saved them.
 *
 * A refused layout is not an error, but the number of refused layouts is limited.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include <bpf/btf.h>

#include "model/record.h"
#include "select/codegen/compile.h"
#include "uapi/fargs_layout.h"
#include "unit/ktap.h"
#include "unit/oracle/signatures.h"

#define SLOTS		40
#define STR_(x)		#x
#define STR(x)		STR_(x)

/* The generated file contains the same definition. */
struct arg {
	const unsigned char *bytes;
	const unsigned char *mask;	/* mask of the bits that belong to values, not to padding */
	unsigned int size;
};

struct call {
	const char *name;
	void (*call)(void);
	unsigned int nr;
	struct arg args[ORACLE_ARGS_MAX];
};

static const char head[] =
"struct arg { const unsigned char *bytes, *mask; unsigned int size; };\n"
"struct call { const char *name; void (*call)(void); unsigned int nr;"
" struct arg args[" STR(ORACLE_ARGS_MAX) "]; };\n"
"unsigned long dump[6 + " STR(SLOTS) "];\n"
"void stub(void);\n"
"void *volatile target = (void *)stub;\n"
"__asm__(\".text\\n.globl stub\\nstub:\\n\"\n"
"\"	mov dump@GOTPCREL(%rip), %rax\\n\"\n"
"\"	mov %rdi, 0(%rax)\\n	mov %rsi, 8(%rax)\\n	mov %rdx, 16(%rax)\\n\"\n"
"\"	mov %rcx, 24(%rax)\\n	mov %r8, 32(%rax)\\n	mov %r9, 40(%rax)\\n\"\n"
"\"	xor %r10, %r10\\n\"\n"
"\"1:	mov 8(%rsp, %r10, 8), %r11\\n	mov %r11, 48(%rax, %r10, 8)\\n\"\n"
"\"	inc %r10\\n	cmp $" STR(SLOTS) ", %r10\\n	jb 1b\\n\"\n"
/* A caller of a function that returns a struct in memory uses the address in rax. */
"\"	mov %rdi, %rax\\n	ret\\n\");\n"
"static void fill(void *to, unsigned long n, unsigned int salt)\n"
"{\n"
"	unsigned char *p = to;\n"
"	unsigned long i;\n"
"	for (i = 0; i < n; i++)\n"
"		p[i] = 17 + salt * 41 + i * 7;\n"
"}\n"
"static void ones(void *to, unsigned long n)\n"
"{\n"
"	unsigned char *p = to;\n"
"	unsigned long i;\n"
"	for (i = 0; i < n; i++)\n"
"		p[i] = 255;\n"
"}\n";

static unsigned int nr_calls;

static unsigned int nr_calls;

/* Output files: the generated functions, and the table of their calls. */
struct files {
	FILE *out;
	FILE *table;
};

/* Writes a function, its call, and its row of the table. */
static void put_call(const struct oracle_signature *sig, void *arg)
{
	const struct files *to = arg;
	unsigned int id = sig->id, i;
	FILE *out = to->out;

	oracle_put_function(out, sig);
	fprintf(to->table, "	{ \"f%u\", call%u, %u, {", id, id, sig->nr);
	for (i = 0; i < sig->nr; i++) {
		fprintf(out, "static __typeof__(%s) v%u_%u, m%u_%u;\n", sig->types[i]->name, id, i,
			id, i);
		fprintf(to->table, " { (void *)&v%u_%u, (void *)&m%u_%u, sizeof(v%u_%u) },", id, i,
			id, i, id, i);
	}
	fprintf(to->table, " } },\n");
	fprintf(out, "static void call%u(void)\n{\n	__typeof__(f%u) *f = target;\n", id, id);
	for (i = 0; i < sig->nr; i++) {
		fprintf(out, "	fill((void *)&v%u_%u, sizeof(v%u_%u), %u);\n", id, i, id, i,
			id * 5 + i);
		if (!strcmp(sig->types[i]->name, "_Bool"))
			fprintf(out, "	*(char *)&v%u_%u = %u;\n", id, i, (id + i) & 1);
		if (sig->types[i]->leaves)
			fprintf(out, "#define m m%u_%u\n	%s\n#undef m\n", id, i,
				sig->types[i]->leaves);
		else
			fprintf(out, "	ones((void *)&m%u_%u, sizeof(m%u_%u));\n", id, i, id, i);
	}
	fprintf(out, "	f(");
	for (i = 0; i < sig->nr; i++)
		fprintf(out, "%sv%u_%u", i ? ", " : "", id, i);
	fprintf(out, ");\n}\n");
}

static bool generate(const char *path)
{
	struct files to = { .out = fopen(path, "w") };
	char *rows = NULL;
	size_t size;

	if (!to.out)
		return false;
	to.table = open_memstream(&rows, &size);
	if (!to.table) {
		fclose(to.out);
		return false;
	}
	fputs(head, to.out);
	oracle_put_types(to.out);
	nr_calls = oracle_each_signature(put_call, &to);
	fclose(to.table);
	fprintf(to.out, "const struct call calls[] = {\n%s};\n", rows);
	free(rows);
	return !fclose(to.out);
}

static int find_func(const struct btf *btf, const char *name)
{
	return btf__find_by_name_kind(btf, name, BTF_KIND_FUNC);
}

/* Fills the body of the layout at @data, as the module would. */
static void apply(const unsigned char *data, unsigned char *body, const unsigned long *dump)
{
	const unsigned char *stores = data + sizeof(struct fargs_layout);
	struct fargs_layout layout;
	struct fargs_store store;
	unsigned int i;

	memcpy(&layout, data, sizeof(layout));
	memcpy(body, stores + layout.nr_stores * sizeof(store), layout.body_len);
	for (i = 0; i < layout.nr_stores; i++) {
		memcpy(&store, stores + i * sizeof(store), sizeof(store));
		memcpy(body + store.offset,
		       &dump[store.source == FARGS_SOURCE_REG ? store.index : 6 + store.index], 8);
	}
}

static bool is_value(const struct fargs_value *val, const struct arg *arg)
{
	const unsigned char *data = val->data;
	unsigned int i;

	if (val->bytes < arg->size)
		return false;
	for (i = 0; i < arg->size; i++)
		if ((data[i] ^ arg->bytes[i]) & arg->mask[i])
			return false;
	return true;
}

/* Returns whether @body has the arguments of @call. Empty arguments have no value. */
static bool check_values(const struct call *call, const unsigned char *body, size_t bytes)
{
	struct fargs_values it = { .at = body, .end = body + bytes };
	struct fargs_value val;
	unsigned int i;

	for (i = 0; i < call->nr; i++) {
		if (!call->args[i].size)
			continue;
		if (fargs_record_next(&it, &val, NULL) != 1 || !is_value(&val, &call->args[i])) {
			ktap_fail(__FILE__, __LINE__, "%s: argument %u is not where it was looked "
				  "for", call->name, i + 1);
			return false;
		}
	}
	if (fargs_record_next(&it, &val, NULL)) {
		ktap_fail(__FILE__, __LINE__, "%s has too many values", call->name);
		return false;
	}
	return true;
}

static void check_calls(const struct btf *btf, const struct call *calls, const unsigned long *dump)
{
	static unsigned char body[FARGS_RECORD_MAX];
	unsigned int counts[FARGS_REFUSALS] = { };
	struct fargs_layouts layouts = { };
	unsigned int i, nr_wrong = 0;
	enum fargs_refusal why;

	for (i = 0; i < nr_calls && nr_wrong < 20; i++) {
		int id = find_func(btf, calls[i].name);
		struct fargs_layout layout;

		layouts.bytes = 0;
		fargs_layout_compile(&layouts, btf, id < 0 ? 0 : id, 1, &why);
		counts[why]++;
		if (why)
			continue;
		memcpy(&layout, layouts.data, sizeof(layout));
		calls[i].call();
		apply(layouts.data, body, dump);
		nr_wrong += !check_values(&calls[i], body, layout.body_len);
	}
	fargs_layouts_deinit(&layouts);
	printf("# %u signatures, %u right, %u wrong; refused:", nr_calls,
	       counts[FARGS_REFUSAL_NONE] - nr_wrong, nr_wrong);
	for (i = 1; i < FARGS_REFUSALS; i++)
		if (counts[i])
			printf(" %s %u", fargs_refusal_word(i), counts[i]);
	putchar('\n');
	CHECK(counts[FARGS_REFUSAL_NONE] - nr_wrong >= 500);
	/*
	 * The only refusals are arguments that need too much stack, and types whose attributes BTF
	 * does not describe.
	 */
	CHECK_INT(counts[FARGS_REFUSAL_NONE] + counts[FARGS_REFUSAL_MANY] +
		  counts[FARGS_REFUSAL_ALIGNMENT] + counts[FARGS_REFUSAL_AGGREGATE], nr_calls);
}

static void load_and_check(const char *dir)
{
	char path[128];
	struct btf *btf;
	void *so;

	snprintf(path, sizeof(path), "%s/oracle.btf", dir);
	btf = btf__parse(path, NULL);
	snprintf(path, sizeof(path), "%s/oracle.so", dir);
	so = dlopen(path, RTLD_NOW);
	CHECK(btf);
	CHECK(so);
	if (btf && so)
		check_calls(btf, dlsym(so, "calls"), dlsym(so, "dump"));
	if (so)
		dlclose(so);
	btf__free(btf);
}

static bool has_command(const char *name)
{
	char command[64];

	snprintf(command, sizeof(command), "command -v %s >/dev/null", name);
	return !system(command);
}

static void run_oracle(const char *flags)
{
	char dir[] = "/tmp/fargs-oracle-XXXXXX", path[64], command[512];
	bool is_made;

	if (!has_command("gcc") || !has_command("pahole")) {
		ktap_skip("gcc and pahole are needed");
		return;
	}
	REQUIRE(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/oracle.c", dir);
	snprintf(command, sizeof(command), "cd %s && gcc -O2 -g -fno-var-tracking -w -Wno-psabi "
		 "-fPIC %s -shared -o oracle.so oracle.c && "
		 "pahole --btf_encode_detached=oracle.btf oracle.so", dir, flags);
	is_made = generate(path) && !system(command);
	CHECK(is_made);
	if (is_made)
		load_and_check(dir);
	if (!getenv("FARGS_KEEP")) {
		snprintf(command, sizeof(command), "rm -r %s", dir);
		CHECK(!system(command));
	}
}

static void as_usual(void)
{
	run_oracle("");
}

static void as_the_kernel(void)
{
	run_oracle("-mno-sse -mno-mmx -mno-sse2 -mno-3dnow -mno-avx -mno-80387 "
		   "-mpreferred-stack-boundary=3 -mskip-rax-setup -fno-strict-aliasing");
}

static const struct ktap_test tests[] = {
	{ "arguments are where GCC puts them", as_usual },
	{ "arguments are where GCC puts them with the kernel's flags", as_the_kernel },
};

int main(void)
{
	return KTAP_RUN(tests);
}
