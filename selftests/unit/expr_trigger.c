// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests selectors of --trigger, compiled and run: alone, together with a selector of the same
 * function, and several of them on one function.
 */
#include "unit/expr_world.h"

static struct world w;
static struct fargs_selector beside;

static void set_up(void)
{
	world_init(&w);
	w.m.args[1] = 4096;		/* value of the argument "count" */
	w.m.args[2] = (unsigned int)-100;	/* value of the argument "fd" */
	w.m.ctx[FARGS_CTX_RETURN] = 7;
	w.m.ctx[FARGS_CTX_DURATION] = 4000;	/* duration: 2 us at 2 GHz */
}

static void tear_down(void)
{
	fargs_selector_deinit(&beside);
	memset(&beside, 0, sizeof(beside));
	world_deinit(&w);
}

static int add_trigger(const char *text, const struct fargs_signature *func)
{
	const struct fargs_selector *other = beside.text ? &beside : NULL;
	struct fargs_selector sel = { };
	int ret;

	w.diagnostic = (struct fargs_diagnostic){ };
	ret = fargs_selector_init(&sel, text, &w.diagnostic);
	if (!ret)
		ret = fargs_bind_trigger(w.bound, &sel, other, func, &w.options, &w.constants,
					 &w.diagnostic);
	fargs_selector_deinit(&sel);
	return ret;
}

/* Binds @recorded, the selector of -f (NULL: none), and the triggers @texts. */
static int bind_all(const char *recorded, const char *const *texts, struct fargs_signature *func)
{
	int ret;

	fargs_selector_deinit(&beside);
	memset(&beside, 0, sizeof(beside));
	ret = fargs_signature_init(func, w.btf, w.f) ? -1 : 0;
	if (!ret && recorded)
		ret = fargs_selector_init(&beside, recorded, &w.diagnostic);
	if (!ret)
		ret = recorded ? fargs_bind(w.bound, &beside, func, &w.options, &w.constants,
					    &w.diagnostic) :
				 fargs_bind_unwanted(w.bound, func, &w.options, &w.constants,
						     &w.diagnostic);
	for (; !ret && *texts; texts++)
		ret = add_trigger(*texts, func);
	if (!ret)
		world_compile(&w, func, recorded ? recorded : texts[-1]);
	return ret;
}

static int model_says(enum fargs_prog program)
{
	return !w.bound->programs[program].nr || world_run(&w, program);
}

static bool module_says(bool is_return)
{
	static struct machine_result result;
	struct machine m = { };

	memcpy(m.args, w.m.args, sizeof(m.args));
	memcpy(m.ctx, w.m.ctx, sizeof(m.ctx));
	if (!(is_return ? machine_run_return : machine_run)(&m, w.layouts.data, &result))
		return false;
	return result.is_trigger;
}

/*
 * Returns whether the call triggers with only the triggers @texts, which end with NULL, according
 * to the module's interpreter and the model, which must agree. Returns -1 if a trigger is invalid.
 */
static int triggers(const char *const *texts)
{
	struct fargs_signature func;
	int at_call, at_return = 1;

	if (bind_all(NULL, texts, &func) || !w.is_taken)
		return -1;
	at_call = model_says(FARGS_PROG_TRIGGER);
	if (module_says(false) != at_call)
		ktap_fail(__FILE__, __LINE__, "the module's machine does not say %d", at_call);
	if (w.bound->has_return) {
		at_return = model_says(FARGS_PROG_RETURN_TRIGGER);
		if (module_says(true) != at_return)
			ktap_fail(__FILE__, __LINE__, "at the return the module's machine does "
				  "not say %d", at_return);
	}
	return at_call && at_return;
}

#define TRIGGERS(...)	triggers((const char *const[]){ __VA_ARGS__, NULL })

static void alone(void)
{
	set_up();
	CHECK_INT(TRIGGERS("f"), 1);
	CHECK_INT(TRIGGERS("f(count == 4096)"), 1);
	CHECK_INT(TRIGGERS("f(count == 4095)"), 0);
	CHECK_INT(TRIGGERS("f(count == 1 || fd == -100)"), 1);
	CHECK_INT(TRIGGERS("f(count == 4096) -> ret == 7"), 1);
	CHECK_INT(TRIGGERS("f(count == 4096) -> ret == 8"), 0);
	CHECK_INT(TRIGGERS("f(count == 4095) -> ret == 7"), 0);
	CHECK_INT(TRIGGERS("f -> ret == 7 && $duration >= 2us"), 1);
	CHECK_INT(TRIGGERS("f -> ret == 7 && $duration > 2us"), 0);
	CHECK_INT(TRIGGERS("f -> ret"), 1);
	/* The memory at file is unreadable. */
	CHECK_INT(TRIGGERS("f(file->f_flags == 1)"), 0);
	CHECK_INT(TRIGGERS("f(file->f_flags != 1)"), 0);
	tear_down();
}

/* Tests that without a selector of -f, only calls that trigger are recorded. */
static void alone_rejects_the_rest(void)
{
	static const char *const texts[] = { "f(count == 4096)", NULL };
	static struct machine_result result;
	struct fargs_signature func;

	set_up();
	CHECK(!bind_all(NULL, texts, &func));
	CHECK(world_run_module(&w, &result));
	CHECK(!result.is_accepted);
	CHECK_INT(((struct fargs_layout *)w.layouts.data)->flags, FARGS_LAYOUT_TRIGGER);
	tear_down();
}

static void several(void)
{
	static const char *const texts[] = { "f(fd == 1)", "f(count == 1 || fd == 7)",
					     "f(fd == -100)", "f(count == 4096 && fd == -100)" };
	static const int holds[] = { 0, 0, 1, 1 };
	int i, j, k;

	set_up();
	for (i = 0; i < 4; i++)
		for (j = 0; j < 4; j++)
			for (k = 0; k < 4; k++)
				CHECK_INT(TRIGGERS(texts[i], texts[j], texts[k]),
					  holds[i] || holds[j] || holds[k]);
	CHECK_INT(TRIGGERS("f(fd == 1)", "f"), 1);
	CHECK_INT(TRIGGERS("f", "f(fd == 1)"), 1);
	CHECK_INT(TRIGGERS("f(fd == 1)", "f -> ret == 7"), -1);
	CHECK(strstr(w.diagnostic.text, "one of which needs its return"));
	CHECK_INT(TRIGGERS("f -> ret == 7", "f(fd == 1)"), -1);
	CHECK_INT(TRIGGERS("f -> ret", "f(fd == 1)"), -1);
	tear_down();
}

/* Tests that conditions for all calls also apply to triggers. */
static void with_filters(void)
{
	set_up();
	w.m.ctx[FARGS_CTX_TID] = 5;
	if (fargs_selector_init_filter(&w.filter, "$tid == 5", &w.diagnostic))
		return ktap_fail(__FILE__, __LINE__, "%s", w.diagnostic.text);
	w.options.filters = &w.filter;
	w.options.nr_filters = 1;
	CHECK_INT(TRIGGERS("f"), 1);
	CHECK_INT(TRIGGERS("f(fd == -100)"), 1);
	CHECK_INT(TRIGGERS("f(fd == 1)", "f(fd == 2)", "f(fd == -100)"), 1);
	w.m.ctx[FARGS_CTX_TID] = 6;
	CHECK_INT(TRIGGERS("f"), 0);
	CHECK_INT(TRIGGERS("f(fd == -100)"), 0);
	CHECK_INT(TRIGGERS("f(fd == 1)", "f(fd == 2)", "f(fd == -100)"), 0);
	w.m.ctx[FARGS_CTX_TID] = 5;
	w.options.is_only_errors = true;
	CHECK_INT(TRIGGERS("f"), 0);
	w.m.ctx[FARGS_CTX_RETURN] = -2;
	CHECK_INT(TRIGGERS("f"), 1);
	tear_down();
}

static void beside_a_record(void)
{
	static const char *const texts[] = { "f(count:x | count == 1) -> ret == 7",
					     NULL };
	static struct machine_result result;
	struct fargs_signature func;

	set_up();
	CHECK(!bind_all("f(fd == -100)", texts, &func));
	CHECK(w.bound->has_return && w.bound->has_trigger);
	CHECK(world_run_module(&w, &result));
	CHECK(result.is_accepted && !result.is_trigger);
	CHECK(module_says(true));
	tear_down();
}

/* Tests that a value fetched by both selectors is fetched only once. */
static void fetches_once(void)
{
	static const char *const same[] = { "f(file->f_err | count == 1)", NULL };
	static const char *const other[] = { "f(file->wide | count == 1)", NULL };
	struct fargs_signature func;

	set_up();
	CHECK(!bind_all("f(file->f_err)", same, &func));
	CHECK_INT(w.bound->nr_values, 1);
	CHECK(!bind_all("f(file->f_err)", other, &func));
	CHECK_INT(w.bound->nr_values, 2);
	CHECK(!bind_all(NULL, other, &func));
	CHECK_INT(w.bound->nr_values, 1);
	tear_down();
}

static const struct ktap_test tests[] = {
	{ "a condition decides whether a call triggers", alone },
	{ "a function that only triggers is not recorded otherwise", alone_rejects_the_rest },
	{ "any of several triggers is enough", several },
	{ "filters apply to triggers, too", with_filters },
	{ "the trigger's condition is independent of the record's", beside_a_record },
	{ "a value that both fetch is recorded once", fetches_once },
};

int main(void)
{
	return KTAP_RUN(tests);
}
