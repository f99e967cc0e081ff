// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures the time to compile the layouts of all functions of this kernel, including the time to
 * read its BTF. Prints "functions=N layouts=N ns=N".
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "kernel/btf/btfs.h"
#include "select/codegen/compile.h"

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

int main(void)
{
	struct fargs_layouts layouts = { };
	struct fargs_error_text err;
	struct fargs_btfs *btfs;
	enum fargs_refusal why;
	size_t nr_funcs = 0;
	struct btf *btf;
	uint64_t start;
	uint32_t id;

	start = now_ns();
	btfs = fargs_btfs_load(NULL, &err);
	btf = btfs ? fargs_btfs_get(btfs, FARGS_BTF_VMLINUX, &err) : NULL;
	if (!btf) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	for (id = 1; id < btf__type_cnt(btf); id++) {
		if (!btf_is_func(btf__type_by_id(btf, id)))
			continue;
		nr_funcs++;
		if (fargs_layout_compile(&layouts, btf, id, id, &why)) {
			fprintf(stderr, "no memory\n");
			return 1;
		}
	}
	printf("functions=%zu layouts=%zu ns=%llu\n", nr_funcs, layouts.nr,
	       (unsigned long long)(now_ns() - start));
	fargs_layouts_deinit(&layouts);
	fargs_btfs_destroy(btfs);
	return 0;
}
