// SPDX-License-Identifier: GPL-2.0-only
/* Tests variables of the kernel in selectors, compiled and run on variables of this program. */
#include <inttypes.h>

#include "unit/expr_world.h"

#define CPUS	4
#define PER_CPU	".data..percpu"

static struct world w;
static struct fargs_ksyms *ksyms;

/* The section of per-CPU variables, as it is for each CPU. */
static struct section {
	int pad;
	int number;
	struct inner inner;
} sections[CPUS];
static uint64_t offsets[CPUS];
static struct section template;
static struct dentry root = { .name = "/", .iname = "a root" };
static uint32_t plain = 77;
static struct dentry *pointer = &root;

/* @has_start: the section begins at the address of the template (since 6.15), not at 0. */
static void set_up(bool has_start)
{
	char text[1024];
	struct fargs_error_text err;
	int s32, cpu;

	world_init(&w);
	s32 = btf__find_by_name(w.btf, "int");
	btf__add_var(w.btf, "number", BTF_VAR_GLOBAL_ALLOCATED, s32);
	btf__add_var(w.btf, "inner", BTF_VAR_GLOBAL_ALLOCATED, w.inner);
	btf__add_var(w.btf, "shared", BTF_VAR_GLOBAL_ALLOCATED, s32);
	btf__add_datasec(w.btf, PER_CPU, sizeof(struct section));
	btf__add_datasec_var_info(w.btf, btf__type_cnt(w.btf) - 4,
				  offsetof(struct section, number), sizeof(int));
	btf__add_datasec_var_info(w.btf, btf__type_cnt(w.btf) - 3,
				  offsetof(struct section, inner), sizeof(struct inner));
	btf__add_datasec_var_info(w.btf, btf__type_cnt(w.btf) - 2,
				  offsetof(struct section, pad), sizeof(int));
	snprintf(text, sizeof(text),
		 "%016" PRIx64 " %c __per_cpu_start\n%016" PRIx64 " %c hidden\n"
		 "%016" PRIx64 " %c __per_cpu_end\n%016" PRIx64 " D __per_cpu_offset\n"
		 "%016" PRIx64 " D root\n%016" PRIx64 " b plain\n%016" PRIx64 " d pointer\n"
		 "0000000000000200 D __init_begin\n0000000000000210 d early\n"
		 "0000000000000300 D __init_end\n0000000000000400 d twice\n"
		 "0000000000000500 b twice\n0000000000000600 b shared\n"
		 "%016" PRIx64 " %c shared\nffffffff81000000 T func\n"
		 "ffffffffc0000000 d own\t[mod]\n",
		 has_start ? (uint64_t)(uintptr_t)&template : 0, has_start ? 'D' : 'A',
		 has_start ? (uint64_t)(uintptr_t)&template.pad : 0, has_start ? 'D' : 'A',
		 has_start ? (uint64_t)(uintptr_t)(&template + 1) : sizeof(template),
		 has_start ? 'D' : 'A', (uint64_t)(uintptr_t)offsets, (uint64_t)(uintptr_t)&root,
		 (uint64_t)(uintptr_t)&plain, (uint64_t)(uintptr_t)&pointer,
		 has_start ? (uint64_t)(uintptr_t)&template.pad : 0, has_start ? 'd' : 'A');
	ksyms = fargs_ksyms_parse(text, strlen(text), &err);
	REQUIRE(ksyms);
	w.constants.ksyms = ksyms;
	for (cpu = 0; cpu < CPUS; cpu++) {
		sections[cpu] = (struct section){ -cpu, 10 * cpu, { cpu, 1000 + cpu } };
		offsets[cpu] = (uintptr_t)&sections[cpu] - (has_start ? (uintptr_t)&template : 0);
	}
	model_allow(&w.m, sections, sizeof(sections), false);
	model_allow(&w.m, offsets, sizeof(offsets), false);
	model_allow(&w.m, &root, sizeof(root), false);
	model_allow(&w.m, root.name, 2, false);
	model_allow(&w.m, &plain, sizeof(plain), false);
	model_allow(&w.m, &pointer, sizeof(pointer), false);
}

static void clean_up(void)
{
	fargs_ksyms_destroy(ksyms);
	world_deinit(&w);
}

/* Does the condition hold, and its opposite not? The module's interpreter must agree. */
static void check_holds(const char *condition, int line)
{
	char text[256];

	snprintf(text, sizeof(text), "f(count | %s)", condition);
	if (world_accepts(&w, w.f, text) != 1)
		ktap_fail(__FILE__, line, "%s does not hold", condition);
	snprintf(text, sizeof(text), "f(count | !(%s))", condition);
	if (world_accepts(&w, w.f, text) != 0)
		ktap_fail(__FILE__, line, "%s also holds if it is negated", condition);
}

#define HOLDS(condition)	check_holds(condition, __LINE__)

static void per_cpu(void)
{
	int cpu, has_start;

	for (has_start = 0; has_start < 2; has_start++) {
		set_up(has_start);
		for (cpu = 0; cpu < CPUS; cpu++) {
			w.m.ctx[FARGS_CTX_CPU] = cpu;
			HOLDS("@number == $cpu*10");
			HOLDS("@inner.x == $cpu");
			HOLDS("@inner.y - 1000 == $cpu && @number - @inner.x == $cpu*9");
			HOLDS("(u16)@number == $cpu*10");
			HOLDS("(&@inner)->x == $cpu");
			HOLDS("container_of(&@inner.y, struct inner, y)->x == $cpu");
			/* BTF does not describe it, but the section contains it. */
			if (has_start)
				HOLDS("(int)@hidden == -(s64)$cpu");
		}
		clean_up();
	}
}

static void others(void)
{
	set_up(true);
	HOLDS("(u32)@plain == 77");
	HOLDS("(u16)@plain + 1 == 78");
	HOLDS("*(u32 *)&@plain == 77");
	HOLDS("((struct dentry)@root).name == \"/\"");
	HOLDS("((struct dentry)@root).iname == \"a root\"");
	HOLDS("((struct dentry *)&@root)->iname == \"a root\"");
	HOLDS("((struct dentry *)@pointer)->iname == \"a root\"");
	HOLDS("(struct dentry *)@pointer == &@root");
	HOLDS("((struct dentry *)@pointer)[0].parent == NULL");
	clean_up();
}

static void errors(void)
{
	static const struct {
		const char *text, *want;
	} diagnostics[] = {
		{ "f(@)", "3: unexpected character '@'" },
		{ "f(@1)", "3: unexpected character '@'" },
		{ "f(@absent)", "3: the kernel has no variable 'absent'" },
		{ "f(@func)", "3: the kernel has no variable 'func'" },
		{ "f(count | @absent == 1)", "11: the kernel has no variable 'absent'" },
		{ "f((int)@twice)", "8: 2 variables are called 'twice'" },
		{ "f((int)@early)", "8: the kernel has freed 'early', which it used only to "
				    "start" },
		{ "f(&@own)", "4: 'own' is a variable of the module mod: only those of vmlinux are "
			      "available" },
		{ "f(@plain)", "3: BTF has no type of '@plain': cast it to the type it is "
			       "declared with, as in (int)@plain" },
		{ "f(@plain:x)", "3: BTF has no type of '@plain': cast it to the type it is "
				 "declared with, as in (int)@plain" },
		{ "f(@plain + 1)", "3: BTF has no type of '@plain': cast it to the type it is "
				   "declared with, as in (int)@plain" },
		{ "f(count | @plain == 1)", "11: BTF has no type of '@plain': cast it to the type "
					    "it is declared with, as in (int)@plain" },
		{ "f(@root.name)", "3: BTF has no type of '@root': cast it to the type it is "
				   "declared with, as in (int)@root" },
		{ "f(@root[0..4])", "3: BTF has no type of '@root': cast it to the type it is "
				    "declared with, as in (int)@root" },
		{ "f(*@pointer)", "4: BTF has no type of '@pointer': cast it to the type it is "
				  "declared with, as in (int)@pointer" },
		{ "f((void)@plain)", "4: no variable is of type void" },
		{ "f(@number.x)", "11: int has no members" },
		{ "f(@inner->x)", "11: '@inner' is of type struct inner, not a pointer: write "
				  "'.'" },
		{ "f(count == @plain)", "12: BTF has no type of '@plain': cast it to the type it "
					"is declared with, as in (int)@plain" },
	};
	size_t i;

	set_up(true);
	for (i = 0; i < sizeof(diagnostics) / sizeof(diagnostics[0]); i++)
		CHECK_STR(world_diagnostic(&w, w.f, diagnostics[i].text), diagnostics[i].want);
	clean_up();
}

/* The section of a module begins at another address than that of the kernel. */
static void per_cpu_of_modules(void)
{
	struct btf *base, *split;
	int s32;

	set_up(true);
	base = w.btf;
	split = btf__new_empty_split(base);
	REQUIRE(split);
	s32 = btf__find_by_name(base, "int");
	btf__add_var(split, "of_module", BTF_VAR_GLOBAL_ALLOCATED, s32);
	btf__add_datasec(split, PER_CPU, sizeof(int));
	btf__add_datasec_var_info(split, btf__type_cnt(split) - 2, 0, sizeof(int));
	w.btf = split;
	w.m.ctx[FARGS_CTX_CPU] = 2;
	HOLDS("@number == 20");
	CHECK_STR(world_diagnostic(&w, w.f, "f(@of_module)"),
		  "3: the kernel has no variable 'of_module'");
	/* Two variables, of which BTF describes one. */
	CHECK_STR(world_diagnostic(&w, w.f, "f(@shared)"), "3: 2 variables are called 'shared'");
	w.btf = base;
	btf__free(split);
	clean_up();
	set_up(false);
	CHECK_STR(world_diagnostic(&w, w.f, "f(@shared)"), "3: 2 variables are called 'shared'");
	clean_up();
}

static const struct ktap_test tests[] = {
	{ "variables of modules are not those of the kernel", per_cpu_of_modules },
	{ "per-CPU variables are those of the CPU", per_cpu },
	{ "other variables have the type they are cast to", others },
	{ "errors are reported with their column", errors },
};

int main(void)
{
	return KTAP_RUN(tests);
}
