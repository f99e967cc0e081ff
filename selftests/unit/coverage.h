/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compiles every function in BTF: each must have a prototype, and either a layout that the module's
 * verifier accepts, or a reason for a refusal.
 */
#ifndef UNIT_COVERAGE_H
#define UNIT_COVERAGE_H

#include <time.h>

#include <bpf/btf.h>

#include "kernel/btf/proto.h"
#include "lib/verifier.h"
#include "select/codegen/compile.h"
#include "uapi/fargs_layout.h"
#include "unit/ktap.h"

struct coverage {
	size_t nr;			/* number of functions */
	size_t nr_layouts;
	size_t refused[FARGS_REFUSALS];
	size_t uapi_bytes;		/* total size of the layouts, as ADD requires them */
	size_t template_bytes;		/* total size of the layouts' templates in the module */
	long compile_us;		/* duration without verifying */
};

static long coverage_now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000l + now.tv_nsec / 1000;
}

static uint32_t coverage_first_id(const struct btf *btf)
{
	const struct btf *base = btf__base_btf(btf);

	return base ? btf__type_cnt(base) : 1;
}

static void coverage_verify(struct coverage *c, const struct fargs_layouts *layouts,
			    const char *name)
{
	struct fargs_layout head;
	const char *why;
	size_t at;

	for (at = 0; at < layouts->bytes; at += head.size) {
		memcpy(&head, layouts->data + at, sizeof(head));
		why = verifier_check(layouts->data + at, head.size);
		if (why) {
			ktap_fail(__FILE__, __LINE__, "%s: the module refuses that of %llu: %s",
				  name, (unsigned long long)head.addr, why);
			return;
		}
		c->template_bytes += verifier_template_bytes(layouts->data + at);
	}
}

/*
 * Prints the prototype of each function as C. Not used for split BTF, since a dump reads all of the
 * base.
 */
static void coverage_print(const struct btf *btf, const char *name)
{
	uint32_t id, end = btf__type_cnt(btf);
	struct fargs_proto *protos = fargs_proto_create(btf);

	REQUIRE(protos);
	for (id = coverage_first_id(btf); id < end; id++)
		if (btf_is_func(btf__type_by_id(btf, id)) && !fargs_proto_text(protos, id, NULL))
			ktap_fail(__FILE__, __LINE__, "%s: function %u has no prototype", name, id);
	fargs_proto_destroy(protos);
}

/*
 * Adds the functions of @btf to @c; for split BTF, only those that are not in its base. @name: name
 * of the BTF in messages.
 */
static void coverage_add(struct coverage *c, const struct btf *btf, const char *name)
{
	uint32_t id, end = btf__type_cnt(btf);
	struct fargs_layouts layouts = { };
	enum fargs_refusal why;
	long start = coverage_now_us();

	for (id = coverage_first_id(btf); id < end; id++) {
		if (!btf_is_func(btf__type_by_id(btf, id)))
			continue;
		c->nr++;
		/* Use the id as address, which can have any value. */
		REQUIRE(!fargs_layout_compile(&layouts, btf, id, id, &why));
		c->refused[why]++;
		/* BTF written by tools must not be malformed. */
		if (why == FARGS_REFUSAL_MALFORMED)
			ktap_fail(__FILE__, __LINE__, "%s: type %u, %s: malformed", name, id,
				  btf__name_by_offset(btf, btf__type_by_id(btf, id)->name_off));
	}
	c->compile_us += coverage_now_us() - start;
	c->refused[FARGS_REFUSAL_NONE] = 0;
	c->nr_layouts += layouts.nr;
	c->uapi_bytes += layouts.bytes;
	coverage_verify(c, &layouts, name);
	if (!btf__base_btf(btf))
		coverage_print(btf, name);
	fargs_layouts_deinit(&layouts);
}

/* Prints the counts. At most one function in 200 may be refused. */
static void coverage_judge(const struct coverage *c, const char *name)
{
	size_t i, nr = c->nr_layouts ? c->nr_layouts : 1;

	printf("# %s: %zu functions, %zu layouts of %zu bytes, templates of %zu, %ld us:", name,
	       c->nr, c->nr_layouts, c->uapi_bytes / nr, c->template_bytes / nr, c->compile_us);
	for (i = 0; i < FARGS_REFUSALS; i++)
		if (c->refused[i])
			printf(" %s %zu", fargs_refusal_word(i), c->refused[i]);
	putchar('\n');
	CHECK((c->nr - c->nr_layouts) * 200 <= c->nr);
}

#endif
