// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests conditions of --under, compiled and run: alone, together with a selector of the same
 * function, and several of them on one function.
 */
#include "unit/expr_world.h"

static struct world w;

static void set_up(void)
{
	world_init(&w);
	w.m.args[1] = 4096;		/* value of the argument "count" */
	w.m.args[2] = (unsigned int)-100;	/* value of the argument "fd" */
}

/*
 * Adds the scope "f(@text)" to the bound function. @func: NULL if the function's types are unknown.
 */
static int add_scope(const char *text, const struct fargs_signature *func)
{
	struct fargs_selector sel = { };
	char selector[256];
	int ret;

	snprintf(selector, sizeof(selector), "f(%s)", text);
	w.diagnostic = (struct fargs_diagnostic){ };
	ret = fargs_selector_init(&sel, selector, &w.diagnostic);
	if (!ret)
		ret = fargs_bind_scope(w.bound, &sel, func, &w.options, &w.constants,
				       &w.diagnostic);
	fargs_selector_deinit(&sel);
	return ret;
}

/*
 * Returns whether a call is in scope with the conditions @texts, which end with NULL, according to
 * the module's interpreter and the model, which must agree. Returns -1 if a condition is invalid.
 */
static int is_inside(const char *const *texts)
{
	static struct machine_result result;
	const struct fargs_code *code = &w.bound->programs[FARGS_PROG_SCOPE];
	struct fargs_signature func;
	int by_model;

	if (fargs_signature_init(&func, w.btf, w.f))
		return -1;
	fargs_bind_silent(w.bound);
	for (; *texts; texts++)
		if (add_scope(*texts, &func))
			return -1;
	world_compile(&w, &func, "scope");
	w.m.nr_values = 0;
	by_model = !code->nr || model_run(&w.m, code->insns, code->nr, w.bound->pool.data);
	if (!world_run_module(&w, &result) || result.is_scope != by_model)
		ktap_fail(__FILE__, __LINE__, "the module's machine says %d, the model %d",
			  result.is_scope, by_model);
	return result.is_scope;
}

#define INSIDE(...)	is_inside((const char *const[]){ __VA_ARGS__, NULL })

static void alone(void)
{
	set_up();
	CHECK_INT(INSIDE("count == 4096"), 1);
	CHECK_INT(INSIDE("count == 4095"), 0);
	CHECK_INT(INSIDE("count == 4096 && fd == -100"), 1);
	CHECK_INT(INSIDE("count == 4096 && fd == 100"), 0);
	CHECK_INT(INSIDE("count == 1 || fd == -100"), 1);
	CHECK_INT(INSIDE("!(count == 1 || fd == -100)"), 0);
	/* The memory at file is unreadable. */
	CHECK_INT(INSIDE("file->f_flags == 1"), 0);
	CHECK_INT(INSIDE("file->f_flags != 1"), 0);
	CHECK_INT(INSIDE(""), 1);
	world_deinit(&w);
}

static void several(void)
{
	static const char *const texts[] = { "fd == 1", "count == 1 || fd == 7", "fd == -100",
					     "count == 4096 && fd == -100", "fd < -100 || fd > 0" };
	static const int holds[] = { 0, 0, 1, 1, 0 };
	int i, j, k;

	set_up();
	for (i = 0; i < 5; i++)
		for (j = 0; j < 5; j++)
			for (k = 0; k < 5; k++)
				CHECK_INT(INSIDE(texts[i], texts[j], texts[k]),
					  holds[i] || holds[j] || holds[k]);
	CHECK_INT(INSIDE("fd == 1", ""), 1);
	CHECK_INT(INSIDE("", "fd == 1"), 1);
	CHECK_INT(INSIDE("file->f_flags == 1", "fd == -100"), 1);
	world_deinit(&w);
}

static void beside_a_record(void)
{
	static struct machine_result result;
	struct fargs_signature func;

	set_up();
	if (fargs_signature_init(&func, w.btf, w.f) ||
	    world_bind(&w, w.f, "f(fd == -100)") || add_scope("count == 1", &func)) {
		ktap_fail(__FILE__, __LINE__, "%s", w.diagnostic.text);
		return;
	}
	world_compile(&w, &func, "both");
	CHECK(world_run_module(&w, &result));
	CHECK(result.is_accepted && !result.is_scope);
	world_deinit(&w);
}

static void diagnostics_change_nothing(void)
{
	struct fargs_signature func;
	unsigned int nr, len;

	set_up();
	CHECK(!fargs_signature_init(&func, w.btf, w.f));
	fargs_bind_silent(w.bound);
	CHECK(!add_scope("fd == 1", &func));
	nr = w.bound->programs[FARGS_PROG_SCOPE].nr;
	len = w.bound->pool.len;
	CHECK(add_scope("name == \"abc\" && nothing == 1", &func));
	CHECK(strstr(w.diagnostic.text, "'nothing' is neither an argument"));
	CHECK(add_scope("ret == 1", &func));
	CHECK(strstr(w.diagnostic.text, "are not yet known"));
	CHECK_INT(w.bound->programs[FARGS_PROG_SCOPE].nr, nr);
	CHECK_INT(w.bound->programs[FARGS_PROG_SCOPE].insns[nr - 1].op, FARGS_OP_REJECT);
	CHECK_INT(w.bound->pool.len, len);
	/* A condition that always holds does not need the function's types. */
	CHECK(!add_scope("", NULL));
	CHECK_INT(w.bound->programs[FARGS_PROG_SCOPE].nr, 0);
	world_deinit(&w);
}

static const struct ktap_test tests[] = {
	{ "a condition decides whether a call begins a scope", alone },
	{ "any of several conditions is enough", several },
	{ "the scope's condition is independent of the record's", beside_a_record },
	{ "an invalid condition leaves the others unchanged", diagnostics_change_nothing },
};

int main(void)
{
	return KTAP_RUN(tests);
}
