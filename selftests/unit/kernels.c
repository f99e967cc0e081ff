// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests that every function in the BTF of real kernels has a layout that the module accepts, or a
 * reason for a refusal. The BTF files are in FARGS_TESTDATA or ../shared/testdata, compressed; the
 * BTF of this machine's kernel is also used.
 */
#include <glob.h>
#include <stdlib.h>
#include <unistd.h>

#include <bpf/btf.h>

#include "kernel/btf/proto.h"
#include "kernel/btf/verify.h"
#include "unit/coverage.h"
#include "unit/ktap.h"

static const char *data_dir(void)
{
	const char *dir = getenv("FARGS_TESTDATA");

	return dir ? dir : "../shared/testdata";
}

static void check_btf(const struct btf *btf, const char *name)
{
	struct fargs_error_text err = { "" };
	struct coverage c = { };

	if (fargs_btf_verify(btf, name, &err))
		ktap_fail(__FILE__, __LINE__, "%s", err.text);
	coverage_add(&c, btf, name);
	coverage_judge(&c, name);
	CHECK(c.nr > 1000);
	CHECK(c.uapi_bytes <= 200 * c.nr_layouts);
}

/* Unpacks @path to a temporary file, and opens the file. Returns NULL on failure. */
static struct btf *open_packed(const char *path)
{
	char unpacked[] = "/tmp/fargs-unit-XXXXXX", command[4200];
	struct btf *btf = NULL;
	int fd = mkstemp(unpacked);

	if (fd < 0)
		return NULL;
	snprintf(command, sizeof(command), "xz -dc '%.4000s' >'%s'", path, unpacked);
	if (!system(command))
		btf = btf__parse(unpacked, NULL);
	close(fd);
	unlink(unpacked);
	return btf;
}

static void other_kernels(void)
{
	char pattern[4096];
	glob_t found;
	size_t i;

	snprintf(pattern, sizeof(pattern), "%s/btf/*.xz", data_dir());
	if (glob(pattern, 0, NULL, &found)) {
		ktap_skip("there is no %s (set FARGS_TESTDATA)", pattern);
		return;
	}
	for (i = 0; i < found.gl_pathc; i++) {
		struct btf *btf = open_packed(found.gl_pathv[i]);

		CHECK(btf);
		if (btf)
			check_btf(btf, strrchr(found.gl_pathv[i], '/') + 1);
		btf__free(btf);
	}
	globfree(&found);
}

static void this_kernel(void)
{
	struct btf *btf = btf__parse("/sys/kernel/btf/vmlinux", NULL);

	if (!btf) {
		ktap_skip("this kernel has no BTF");
		return;
	}
	check_btf(btf, "this kernel");
	btf__free(btf);
}

static void prototypes(void)
{
	struct btf *b = btf__new_empty();
	int s32 = btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	int c = btf__add_int(b, "char", 1, BTF_INT_SIGNED);
	int str = btf__add_ptr(b, btf__add_const(b, c));
	int rows = btf__add_ptr(b, btf__add_array(b, s32, s32, 4));
	int callback, fn, proto, ulong, s16, u128, u64;
	struct fargs_proto *p;

	proto = btf__add_func_proto(b, s32);
	btf__add_func_param(b, "", str);
	callback = btf__add_ptr(b, proto);
	proto = btf__add_func_proto(b, callback);
	btf__add_func_param(b, "name", str);
	btf__add_func_param(b, "done", callback);
	btf__add_func_param(b, "rows", rows);
	btf__add_func_param(b, NULL, 0);
	fn = btf__add_func(b, "find", BTF_FUNC_GLOBAL, proto);
	p = fargs_proto_create(b);
	REQUIRE(p);
	CHECK_STR(fargs_proto_text(p, fn, NULL),
		  "int (*find(const char *name, int (*done)(const char *), int (*rows)[4], "
		  "...))(const char *)");
	fn = btf__add_func(b, "nothing", BTF_FUNC_GLOBAL, btf__add_func_proto(b, 0));
	CHECK_STR(fargs_proto_text(p, fn, "other"), "void other(void)");
	ulong = btf__add_int(b, "long unsigned int", 8, 0);
	s16 = btf__add_int(b, "short int", 2, BTF_INT_SIGNED);
	u128 = btf__add_ptr(b, btf__add_int(b, "__int128 unsigned", 16, 0));
	u64 = btf__add_int(b, "long long unsigned int", 8, 0);
	proto = btf__add_func_proto(b, ulong);
	btf__add_func_param(b, "a", s16);
	btf__add_func_param(b, "b", u128);
	btf__add_func_param(b, "c", u64);
	btf__add_func_param(b, "long_int", ulong);
	fn = btf__add_func(b, "spelt", BTF_FUNC_GLOBAL, proto);
	CHECK_STR(fargs_proto_text(p, fn, NULL),
		  "unsigned long spelt(short a, unsigned __int128 *b, unsigned long long c, "
		  "unsigned long long_int)");
	CHECK(!fargs_proto_text(p, s32, NULL));
	fargs_proto_destroy(p);
	btf__free(b);
}

static const struct ktap_test tests[] = {
	{ "all functions of other kernels have a layout or a reason", other_kernels },
	{ "all functions of this kernel have a layout or a reason", this_kernel },
	{ "prototypes are valid C", prototypes },
};

int main(void)
{
	return KTAP_RUN(tests);
}
