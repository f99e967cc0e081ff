// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every function of real kernels' BTF: a layout that holds together, or a
 * reason. The files are in FARGS_TESTDATA or ../shared/testdata, compressed;
 * this kernel's own BTF is one more.
 */
#include <glob.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <bpf/btf.h>

#include "btf/proto.h"
#include "layout/compile.h"
#include "uapi/fargs_layout.h"
#include "uapi/fargs_record.h"
#include "unit/ktap.h"

static const char *data_dir(void)
{
	const char *dir = getenv("FARGS_TESTDATA");

	return dir ? dir : "../shared/testdata";
}

/* Is the body a list of names, types and data that ends where it should? */
static bool is_body(const unsigned char *body, size_t len, unsigned int nr_stores)
{
	size_t pos = 0;
	uint16_t bytes;
	uint8_t type;

	for (;;) {
		size_t name = strnlen((const char *)body + pos, len - pos);

		if (pos + name + 2 > len)
			return false;
		pos += name + 1;
		type = body[pos++];
		if (!type)
			break;
		bytes = type == FARGS_TYPE_U128 || type == FARGS_TYPE_S128 ? 16 : 8;
		if (type == FARGS_TYPE_BYTES) {
			if (len - pos < 2)
				return false;
			memcpy(&bytes, body + pos, 2);
			pos += 2;
		}
		if (!name || !bytes || len - pos < ((bytes + 7u) & -8u))
			return false;
		pos += (bytes + 7u) & -8u;
		nr_stores -= (bytes + 7u) / 8;
	}
	/* Every eight bytes are stored to. */
	return !nr_stores && len - pos < 8 && len % 8 == 0;
}

static bool check_layout(const unsigned char *data, size_t bytes)
{
	struct fargs_layout layout;

	memcpy(&layout, data, sizeof(layout));
	return layout.size == bytes && layout.nr_stores <= FARGS_STORES_MAX &&
	       layout.size == sizeof(layout) + 8u * layout.nr_stores + layout.body_len &&
	       is_body(data + layout.size - layout.body_len, layout.body_len, layout.nr_stores);
}

static void check_btf(const struct btf *btf, const char *name)
{
	size_t counts[FARGS_REFUSALS] = { }, nr = 0, bytes = 0, i;
	struct fargs_layouts layouts = { };
	struct timespec start, end;
	enum fargs_refusal why;
	uint32_t id;

	clock_gettime(CLOCK_MONOTONIC, &start);
	for (id = 1; id < btf__type_cnt(btf); id++) {
		if (!btf_is_func(btf__type_by_id(btf, id)))
			continue;
		nr++;
		fargs_layout_compile(&layouts, btf, id, 1, &why);
		counts[why]++;
		if (!why && !check_layout(layouts.data + bytes, layouts.bytes - bytes))
			ktap_fail(__FILE__, __LINE__, "%s: the layout of %s is broken", name,
				  btf__name_by_offset(btf, btf__type_by_id(btf, id)->name_off));
		bytes = layouts.bytes;
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	printf("# %s: %zu functions, %zu layouts, %zu bytes each, %ld us:", name, nr, layouts.nr,
	       layouts.nr ? layouts.bytes / layouts.nr : 0,
	       (end.tv_sec - start.tv_sec) * 1000000 + (end.tv_nsec - start.tv_nsec) / 1000);
	for (i = 1; i < FARGS_REFUSALS; i++)
		if (counts[i])
			printf(" %s %zu", fargs_refusal_word(i), counts[i]);
	putchar('\n');
	CHECK(nr > 1000);
	/* What BTF tools write makes sense. */
	CHECK_INT(counts[FARGS_REFUSAL_MALFORMED], 0);
	CHECK((nr - layouts.nr) * 200 <= nr);
	CHECK(layouts.bytes <= 200 * layouts.nr);
	fargs_layouts_deinit(&layouts);
}

/* Unpacks @path to a file and opens that; NULL if it cannot. */
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
	int callback, fn, proto;
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
	CHECK(!fargs_proto_text(p, s32, NULL));
	fargs_proto_destroy(p);
	btf__free(b);
}

static const struct ktap_test tests[] = {
	{ "all functions of other kernels have a layout or a reason", other_kernels },
	{ "all functions of this kernel have a layout or a reason", this_kernel },
	{ "prototypes are C", prototypes },
};

int main(void)
{
	return KTAP_RUN(tests);
}
