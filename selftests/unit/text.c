// SPDX-License-Identifier: GPL-2.0-only
/* Tests formatting of a record as a line. */
#include "sink/text/text.h"

#include <errno.h>
#include <stdlib.h>

#include "kernel/btf/btfs.h"
#include "kernel/sym/ksyms.h"
#include "unit/bytes.h"
#include "unit/ktap.h"

static struct fargs_meta meta;
static struct fargs_decoder *decoder;

static const char symbols[] =
	"ffffffff81000000 T vfs_read\n"
	"ffffffff81001000 T ksys_read\n"
	"ffffffff81002000 t shape\n"
	"ffffffff81003000 t answer\n"
	"ffffffffc0000000 t mod_caller\t[target]\n"
	"ffffffffc0001000 t mod_func\t[target]\n";

/* Adds void *answer(int n, struct pair *p); its return type is @ret. */
static uint32_t add_answer(struct btf *btf, int ret)
{
	int proto, i32 = btf__find_by_name(btf, "int");

	proto = btf__add_func_proto(btf, ret);
	btf__add_func_param(btf, "n", i32);
	btf__add_func_param(btf, "p", btf__add_ptr(btf, i32));
	return btf__add_func(btf, "answer", BTF_FUNC_STATIC, proto);
}

/* Adds void shape(enum color c, void (*cb)(void), int_t n, int *p, enum mode m, struct ops s). */
static uint32_t add_types(struct btf *btf)
{
	int color, color_t_, proto, cb, i32, n, name, mode, ops;

	i32 = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	color = btf__add_enum(btf, "color", 4);
	btf__add_enum_value(btf, "RED", 0);
	btf__add_enum_value(btf, "BLUE", -2);
	color_t_ = btf__add_typedef(btf, "color_t", btf__add_const(btf, color));
	cb = btf__add_ptr(btf, btf__add_func_proto(btf, 0));
	n = btf__add_typedef(btf, "int_t", i32);
	name = btf__add_ptr(btf, i32);
	mode = btf__add_enum(btf, "mode", 4);
	btf__add_enum_value(btf, "NONE", 0);
	btf__add_enum_value(btf, "READ", 1);
	btf__add_enum_value(btf, "WRITE", 2);
	btf__add_enum_value(btf, "BOTH", 3);
	btf__add_enum_value(btf, "EXEC", 0x80000000);
	ops = btf__add_struct(btf, "ops", 16);
	btf__add_field(btf, "cb", cb, 0, 0);
	btf__add_field(btf, "m", mode, 64, 0);
	btf__add_field(btf, "n", n, 96, 0);
	proto = btf__add_func_proto(btf, 0);
	btf__add_func_param(btf, "c", color_t_);
	btf__add_func_param(btf, "cb", cb);
	btf__add_func_param(btf, "n", n);
	btf__add_func_param(btf, "p", name);
	btf__add_func_param(btf, "m", mode);
	btf__add_func_param(btf, "s", ops);
	return btf__add_func(btf, "shape", BTF_FUNC_STATIC, proto);
}

static bool set_up(void)
{
	static const struct fargs_func funcs[] = {
		{ .ip = 0xffffffff81000004, .name = "vfs_read" },
		{ .ip = 0xffffffff81002004, .name = "shape" },
		{ .ip = 0xffffffff81003004, .name = "answer" },	/* returns an int */
		{ .ip = 0xffffffff81003014, .name = "answer" },	/* returns a pointer */
		{ .ip = 0xffffffff81003024, .name = "answer" },	/* returns an enum color */
		{ .ip = 0xffffffff81003034, .name = "answer" },	/* returns nothing */
		{ .ip = 0xffffffffc0001004, .name = "mod_func", .module = "target" },
	};
	static struct fargs_task_start tasks[] = {
		{ 1234, 1234, "cat" }, { 5, 5, "a\033[1mb\n" }, { 6, 6, "exactly16letters" },
	};
	struct fargs_clock_sample samples[2] = {
		{ .tsc = 0, .perf_ns = 12345678900400, .is_valid = 1 },
	};
	struct btf *btf = btf__new_empty();
	const void *raw;
	uint32_t id, answers[4], size;
	size_t i;

	id = add_types(btf);
	answers[0] = add_answer(btf, btf__find_by_name(btf, "int"));
	answers[1] = add_answer(btf, btf__add_ptr(btf, 0));
	answers[2] = add_answer(btf, btf__find_by_name(btf, "color_t"));
	answers[3] = add_answer(btf, 0);
	raw = btf__raw_data(btf, &size);
	fargs_meta_init(&meta);
	meta.info.nr_cpus = 2;
	meta.info.tsc_khz = 1000000;
	meta.info.tif_resched = 8;
	meta.info.tif_resched_lazy = 16;
	meta.btfs = fargs_btfs_create();
	meta.ksyms = fargs_ksyms_parse(symbols, sizeof(symbols) - 1, NULL);
	if (!meta.ksyms || fargs_btfs_add(meta.btfs, "vmlinux", raw, size, NULL))
		return false;
	btf__free(btf);
	meta.nr_funcs = sizeof(funcs) / sizeof(funcs[0]);
	meta.funcs = malloc(sizeof(funcs));
	memcpy(meta.funcs, funcs, sizeof(funcs));
	for (i = 0; i < meta.nr_funcs; i++) {
		meta.funcs[i].name = strdup(funcs[i].name);
		meta.funcs[i].module = funcs[i].module ? strdup(funcs[i].module) : NULL;
	}
	meta.funcs[1].btf_id = id;
	for (i = 0; i < 4; i++)
		meta.funcs[2 + i].btf_id = answers[i];
	meta.tasks = malloc(sizeof(tasks));
	memcpy(meta.tasks, tasks, sizeof(tasks));
	meta.nr_tasks = 3;
	fargs_meta_add_clock(&meta, samples);
	decoder = fargs_decoder_create(&meta, NULL);
	return decoder;
}

/* Returns the line of a record, which this function owns. */
static const char *line_of(const void *rec, bool is_raw)
{
	static struct fargs_buf text;
	struct fargs_event ev;

	text.n = 0;
	if (fargs_decoder_event(decoder, 1, rec, &ev))
		fargs_buf_add(&text, "corrupt", 7);
	else if (is_raw)
		fargs_text_event_raw(&text, decoder, &ev);
	else
		fargs_text_event(&text, decoder, &ev);
	fargs_buf_add_char(&text, 0);
	return text.text;
}

static const uint8_t read_rec[] __attribute__((aligned(8))) = {
	HEAD(112, FARGS_KIND_ENTRY, 1234, 301, 0xffffffff81000004, 0xffffffff81001055, 0),
	'f', 'i', 'l', 'e', 0, FARGS_TYPE_PTR, B64(0xffff888012345678),
	'b', 'u', 'f', 0, FARGS_TYPE_PTR, B64(0),
	'c', 'o', 'u', 'n', 't', 0, FARGS_TYPE_U64, B64(131072),
	'n', 'o', 0, FARGS_TYPE_BOOL, B64(0xffffff00),
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};

static void prints_ftraces_shape(void)
{
	CHECK_STR(line_of(read_rec, false),
		  "             cat-1234    [001] ..... 12345.678901: vfs_read(file=0xffff888012345678, buf=0x0, count=131072, no=false) <-ksys_read\n");
}

static void prints_raw(void)
{
	CHECK_STR(line_of(read_rec, true),
		  "             cat-1234    [001] ..... 12345.678901: 0xffffffff81000004(file=0xffff888012345678, buf=0x0, count=131072, no=false) <-0xffffffff81001055\n");
}

static void prints_types_of_btf(void)
{
	static uint8_t rec[] __attribute__((aligned(8))) = {
		HEAD(104, FARGS_KIND_ENTRY, 0, 0, 0xffffffff81002004, 0xffffffff80000000, 0),
		'c', 0, FARGS_TYPE_S32, B64(0xdeadbeeffffffffe),
		'c', 'b', 0, FARGS_TYPE_PTR, B64(0xffffffff81001008),
		'n', 0, FARGS_TYPE_S32, B64(0xdeadbeefffffff9c),
		'p', 0, FARGS_TYPE_PTR, B64(0xffffffff81001008),
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	};

	CHECK_STR(line_of(rec, false),
		  "          <idle>-0       [001] ..... 12345.678900: shape(c=BLUE, cb=ksys_read+0x8, n=-100, p=ksys_read+0x8) <-0xffffffff80000000\n");
	rec[48 + 3] = 0;	/* no enumerator has this value */
	CHECK_STR(strstr(line_of(rec, false), "shape("),
		  "shape(c=-256, cb=ksys_read+0x8, n=-100, p=ksys_read+0x8) <-0xffffffff80000000\n");
	memset(rec + 48 + 4, 0, 3);
	CHECK(strstr(line_of(rec, false), "shape(c=RED, "));
	CHECK(strstr(line_of(rec, true), "(c=0, cb=0xffffffff81001008, "));
}

static void prints_flags(void)
{
	static uint8_t rec[] __attribute__((aligned(8))) = {
		HEAD(64, FARGS_KIND_ENTRY, 0, 0, 0xffffffff81002004, 0xffffffff80000000, 0),
		'm', 0, FARGS_TYPE_U32, B64(0xdeadbeef00000002), 0, 0, 0, 0, 0,
	};
	uint8_t *m = rec + 48 + 3;

	CHECK(strstr(line_of(rec, false), "shape(m=WRITE)"));
	m[0] = 3;
	CHECK(strstr(line_of(rec, false), "shape(m=BOTH)"));
	m[3] = 0x80;
	CHECK(strstr(line_of(rec, false), "shape(m=READ|WRITE|EXEC)"));
	CHECK(strstr(line_of(rec, true), "(m=2147483651)"));
	m[0] = 0x40;
	CHECK(strstr(line_of(rec, false), "shape(m=EXEC|0x40)"));
	m[3] = 0;
	CHECK(strstr(line_of(rec, false), "shape(m=0x40)"));
	m[0] = 0;
	CHECK(strstr(line_of(rec, false), "shape(m=NONE)"));
}

static void prints_structs(void)
{
	static uint8_t rec[] __attribute__((aligned(8))) = {
		HEAD(80, FARGS_KIND_ENTRY, 0, 0, 0xffffffff81002004, 0xffffffff80000000, 0),
		's', 0, FARGS_TYPE_BYTES, B16(16), B64(0xffffffffc0001008), B32(0x12), B32(-3),
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	};

	CHECK(strstr(line_of(rec, false),
		     "shape(s={.cb=mod_func+0x8 [target], .m=WRITE|0x10, .n=-3})"));
	CHECK(strstr(line_of(rec, true), "(s={08 10 00 c0 ff ff ff ff 12 00 00 00 fd ff ff ff})"));
	rec[48 + 3] = 9;	/* the size rounded up to a multiple of 8 stays the same */
	CHECK(strstr(line_of(rec, false), "shape(s={08 10 00 c0 ff ff ff ff 12})"));
	rec[48 + 3] = 16;
	rec[48 + 2] = FARGS_TYPE_STR;
	CHECK(strstr(line_of(rec, false), "shape(s=\""));
	rec[48 + 2] = FARGS_TYPE_BYTES | FARGS_TYPE_FAULT;
	CHECK(strstr(line_of(rec, false), "shape(s=(fault 0xffffffffc0001008))"));
}

static void prints_modules_behind_names(void)
{
	static const uint8_t rec[] __attribute__((aligned(8))) = {
		HEAD(56, FARGS_KIND_ENTRY, 77, 0, 0xffffffffc0001004, 0xffffffffc0000010, 0),
		0, 0, 0, 0, 0, 0, 0, 0,
	};

	CHECK_STR(line_of(rec, false),
		  "           <...>-77      [001] ..... 12345.678900: mod_func() [target] <-mod_caller [target]\n");
}

static void prints_chars_strings_and_faults(void)
{
	static const uint8_t rec[] __attribute__((aligned(8))) = {
		HEAD(176, FARGS_KIND_ENTRY, 5, 0, 0xffffffff81000004, 0xffffffff81001055, 0),
		'a', 0, FARGS_TYPE_CHAR, B64(0xff61),
		'b', 0, FARGS_TYPE_CHAR, B64(0x1b),
		'c', 0, FARGS_TYPE_CHAR, B64('\''),
		's', 0, FARGS_TYPE_STR, B16(5), 'x', '"', '\n', 033, 'y', 0, 0, 0,
		'd', 0, FARGS_TYPE_BYTES, B16(3), 0, 0x7f, 0xff, 0, 0, 0, 0, 0,
		'f', 0, FARGS_TYPE_PTR | FARGS_TYPE_FAULT, B64(0xdead),
		'u', 0, FARGS_TYPE_U128, B64(-1), B64(-1),
		'm', 0, FARGS_TYPE_S128, B64(0), B64(1ull << 63),
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	};
	const char *line = line_of(rec, false);

	CHECK_STR(strstr(line, "vfs_read"),
		  "vfs_read(a='a', b=27, c='\\'', s=\"x\\\"\\n\\^[y\", d={00 7f ff}, f=(fault 0xdead), u=340282366920938463463374607431768211455, m=-170141183460469231731687303715884105728) <-ksys_read\n");
	CHECK_INT(strcspn(line, "\n"), strlen(line) - 1);
	CHECK(!strchr(line, 033));
	CHECK(!strncmp(line, "      a\\^[[1mb\\n-5  ", 20));
}

static void prints_returns(void)
{
	static uint8_t rec[] __attribute__((aligned(8))) = {
		HEAD(128, FARGS_KIND_RETURN, 1234, 12500, 0xffffffff81003004, 0xffffffff81001055,
		     0),
		'n', 0, FARGS_TYPE_S32, B64(7),
		'p', 0, FARGS_TYPE_PTR, B64(0xffffffff81001008),
		'*', 'p', 0, FARGS_TYPE_S32, B64(-1),
		'$', 'e', 'n', 't', 'r', 'y', 0, FARGS_TYPE_U64, B64(155),
		'$', 'r', 'e', 't', 0, FARGS_TYPE_S32, B64(0xbadc0de00000000),
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	};
	uint8_t *ret = rec + 48 + 11 + 11 + 12 + 16 + 6, *type = ret - 1;
	const uint64_t einval = -22, none = -4096, far = 0xffffffff81001008;

	CHECK_STR(strstr(line_of(rec, false), "answer("),
		  "answer(n=7, p=ksys_read+0x8, *p=-1) = 0 (12.345 us) <-ksys_read\n");
	memcpy(ret, &einval, 8);
	CHECK(strstr(line_of(rec, false), ") = -22 (EINVAL) (12.345 us) <-"));
	CHECK(strstr(line_of(rec, true), ") = -22 (12.345 us) <-"));
	memcpy(ret, &none, 8);
	CHECK(strstr(line_of(rec, false), ") = -4096 (12.345 us) <-"));

	rec[16] = 0x14;		/* ip of the function that returns a pointer */
	*type = FARGS_TYPE_PTR;
	memcpy(ret, &einval, 8);
	CHECK(strstr(line_of(rec, false), ") = ERR_PTR -22 (EINVAL) (12.345 us) <-"));
	memcpy(ret, &none, 8);
	CHECK(strstr(line_of(rec, false), ") = 0xfffffffffffff000 (12.345 us) <-"));
	memcpy(ret, &far, 8);
	CHECK(strstr(line_of(rec, false), ") = ksys_read+0x8 (12.345 us) <-"));
	memset(ret, 0, 8);
	CHECK(strstr(line_of(rec, false), ") = NULL (12.345 us) <-"));

	/*
	 * ip of the function that returns an enum: known values are shown as names, others as
	 * numbers
	 */
	rec[16] = 0x24;
	*type = FARGS_TYPE_S32;
	*ret = 0xfe;
	memset(ret + 1, 0xff, 7);
	CHECK(strstr(line_of(rec, false), ") = BLUE (12.345 us) <-"));
	*ret = 0xea;
	CHECK(strstr(line_of(rec, false), ") = -22 (12.345 us) <-"));

	/* ip of the function that returns nothing; a value was fetched at the return */
	rec[16] = 0x34;
	memcpy(ret - 6, "*p\0\6-\0\0\0\0\0\0\0\0", 14);
	CHECK_STR(strstr(line_of(rec, false), "answer("),
		  "answer(n=7, p=ksys_read+0x8, *p=-1) = *p=45 (12.345 us) <-ksys_read\n");
}

static void prints_what_was_fetched_beside_its_parameter(void)
{
	static const uint8_t rec[] __attribute__((aligned(8))) = {
		HEAD(168, FARGS_KIND_ENTRY, 1234, 0, 0xffffffff81003004, 0xffffffff81001055, 0),
		'n', 0, FARGS_TYPE_S32, B64(7),
		'p', 0, FARGS_TYPE_PTR, B64(0),
		'*', 'p', 0, FARGS_TYPE_S32 | FARGS_TYPE_FAULT, B64(0),
		'$', 'c', 'p', 'u', 0, FARGS_TYPE_U32, B64(3),
		'n', '.', 's', 0, FARGS_TYPE_STR | FARGS_TYPE_CUT, B16(2), 'a', 'b',
		0, 0, 0, 0, 0, 0,
		'p', '2', 0, FARGS_TYPE_U8, B64(1),
		'$', 's', 't', 'a', 'c', 'k', 0, FARGS_TYPE_BYTES, B16(16),
		B64(0xffffffff81001055), B64(0xffffffffc0000010),
		0, 0, 0, 0, 0, 0, 0, 0,
	};

	CHECK_STR(strstr(line_of(rec, false), "answer("),
		  "answer(n=7, n.s=\"ab\"…, p=0x0, *p=(fault 0x0), $cpu=3, p2=1) <-ksys_read\n"
		  " => ksys_read+0x55\n => mod_caller+0x10 [target]\n");
}

/* Tests the order of values in two bodies, each of which has fixed values and appended strings. */
static void prints_values_as_they_were_asked_for(void)
{
	static uint8_t rec[] __attribute__((aligned(8))) = {
		HEAD(224, FARGS_KIND_RETURN, 1234, 12500, 0xffffffff81003004, 0xffffffff81001055,
		     0),
		'n', 0, FARGS_TYPE_S32, B64(7),
		'p', 0, FARGS_TYPE_PTR, B64(0),
		'$', 'o', 'r', 'd', 'e', 'r', 0, FARGS_TYPE_BYTES, B16(2), 0, 1, 0, 0, 0, 0, 0, 0,
		'p', '.', 'a', 0, FARGS_TYPE_U8, B64(1),
		'p', '.', 'b', 0, FARGS_TYPE_U8, B64(2),
		'p', '.', 's', 0, FARGS_TYPE_STR, B16(1), 'x', 0, 0, 0, 0, 0, 0, 0,
		'p', '.', 't', 0, FARGS_TYPE_STR, B16(1), 'y', 0, 0, 0, 0, 0, 0, 0,
		'$', 'e', 'n', 't', 'r', 'y', 0, FARGS_TYPE_U64, B64(155),
		'$', 'r', 'e', 't', 0, FARGS_TYPE_S32, B64(0),
		'$', 'o', 'r', 'd', 'e', 'r', 0, FARGS_TYPE_BYTES, B16(1), 0, 0, 0, 0, 0, 0, 0, 0,
		'o', '1', 0, FARGS_TYPE_U8, B64(1),
		'o', '2', 0, FARGS_TYPE_STR, B16(1), 'z', 0, 0, 0, 0, 0, 0, 0,
		0, 0, 0, 0, 0, 0,
	};
	uint8_t *order = rec + 48 + 11 + 11 + 10, *nr = order - 2;

	CHECK_STR(strstr(line_of(rec, false), "answer("),
		  "answer(n=7, p=0x0, p.s=\"x\", p.a=1, p.t=\"y\", p.b=2) = 0, o2=\"z\", o1=1 (12.345 us) <-ksys_read\n");
	/* With an invalid order, all values are printed. */
	order[0] = 255;
	CHECK(strstr(line_of(rec, false), "(n=7, p=0x0, p.a=1, p.b=2, p.s=\"x\", p.t=\"y\") = 0,"));
	order[0] = 2;
	CHECK(strstr(line_of(rec, false), "(n=7, p=0x0, p.a=1, p.b=2, p.s=\"x\", p.t=\"y\") = 0,"));
	*nr = 5;
	CHECK(strstr(line_of(rec, false), "(n=7, p=0x0, p.a=1, p.b=2, p.s=\"x\", p.t=\"y\") = 0,"));
}

static void tells_losses_in_place(void)
{
	static const uint8_t rec[] __attribute__((aligned(8))) = {
		HEAD(72, FARGS_KIND_LOST, 1234, 0, 0, 0, 0),
		'l', 'o', 's', 't', 0, FARGS_TYPE_U64, B64(123), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	};

	CHECK_STR(line_of(rec, false), "                         [001] lost 123 records\n");
}

static void says_what_makes_no_sense(void)
{
	static const uint8_t lost[] __attribute__((aligned(8))) = {
		HEAD(56, FARGS_KIND_LOST, 1234, 0, 0, 0, 0), 0, 0, 0, 0, 0, 0, 0, 0,
	};
	static const uint8_t entry[] __attribute__((aligned(8))) = {
		HEAD(56, FARGS_KIND_ENTRY, 1234, 0, 0, 0, 0), 'a', 0, 1, 0, 0, 0, 0, 0,
	};
	uint64_t before = fargs_account_get(fargs_decoder_account(decoder), 1)->corrupt;

	CHECK_STR(line_of(lost, false), "corrupt");
	CHECK_STR(line_of(entry, false), "corrupt");
	CHECK_INT(fargs_account_get(fargs_decoder_account(decoder), 1)->corrupt, before + 2);
}

static const char *flags(uint32_t preempt, uint16_t eflags, uint16_t tif)
{
	static char buf[FARGS_TEXT_FLAGS];
	struct { struct fargs_record rec; uint8_t body[8]; } r = {
		.rec = { .len = 56, .kind = FARGS_KIND_ENTRY, .preempt = preempt, .eflags = eflags,
			 .tif = tif },
	};
	struct fargs_event ev;

	fargs_decoder_event(decoder, 0, &r.rec, &ev);
	fargs_text_flags(&ev, buf);
	return buf;
}

static void shows_flags_as_ftrace_does(void)
{
	const uint32_t no = FARGS_PREEMPT_NO_RESCHED;

	CHECK_STR(flags(no, 0x246, 0), ".....");
	CHECK_STR(flags(no, 0x046, 0), "d....");
	CHECK_STR(flags(no | 0x200, 0x246, 0), "b....");
	CHECK_STR(flags(no | 0x200, 0x046, 0), "D....");
	CHECK_STR(flags(no | 0x100, 0x246, 0), "..s..");
	CHECK_STR(flags(no | 0x300, 0x246, 0), "b.s..");
	CHECK_STR(flags(no | 0x10000, 0x046, 0), "d.h..");
	CHECK_STR(flags(no | 0x10100, 0x046, 0), "d.H..");
	CHECK_STR(flags(no | 0x100000, 0x046, 0), "d.z..");
	CHECK_STR(flags(no | 0x110000, 0x046, 0), "d.Z..");
	CHECK_STR(flags(no | 1, 0x246, 0), "...1.");
	CHECK_STR(flags(no | 15, 0x246, 0), "...f.");
	CHECK_STR(flags(no | 200, 0x246, 0), "...f.");
	CHECK_STR(flags(no, 0x246, 8), ".n...");
	CHECK_STR(flags(0, 0x246, 0), ".p...");
	CHECK_STR(flags(0, 0x246, 8), ".N...");
	CHECK_STR(flags(no, 0x246, 16), ".l...");
	CHECK_STR(flags(no, 0x246, 24), ".b...");
	CHECK_STR(flags(0, 0x246, 16), ".L...");
	CHECK_STR(flags(0, 0x246, 24), ".B...");
	CHECK_STR(flags(no, 0x246, 0xffe7), ".....");
}

static const struct ktap_test tests[] = {
	{ "prints lines like ftrace", prints_ftraces_shape },
	{ "prints raw records", prints_raw },
	{ "prints enums and functions by name", prints_types_of_btf },
	{ "prints flags", prints_flags },
	{ "prints structs", prints_structs },
	{ "prints modules after names", prints_modules_behind_names },
	{ "prints chars, strings and faults", prints_chars_strings_and_faults },
	{ "prints returns", prints_returns },
	{ "prints fetched values next to their parameter",
	  prints_what_was_fetched_beside_its_parameter },
	{ "prints values in the order in which they were requested",
	  prints_values_as_they_were_asked_for },
	{ "prints losses at their place", tells_losses_in_place },
	{ "prints invalid data as such", says_what_makes_no_sense },
	{ "shows flags as ftrace does", shows_flags_as_ftrace_does },
};

int main(void)
{
	int ret;

	if (!set_up()) {
		printf("Bail out! cannot set up\n");
		return 1;
	}
	ret = KTAP_RUN(tests);
	fargs_decoder_destroy(decoder);
	fargs_meta_deinit(&meta);
	return ret;
}
