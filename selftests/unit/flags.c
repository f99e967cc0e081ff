// SPDX-License-Identifier: GPL-2.0-only
/* Tests names of numbers: the kernel's flags in formats of events, and constants of headers. */
#include "kernel/value/flags.h"

#include <stdlib.h>

#include "kernel/value/btf_flags.h"
#include "kernel/value/print_fmt.h"
#include "kernel/value/uapi.h"
#include "unit/ktap.h"

/* The text of a format up to the flags, and after them. */
#define BEGIN	"name: e\nprint fmt: \"%s\", (REC->gfp) ? __print_flags(REC->gfp, \"|\", "
#define END	" ) : \"none\"\n"

static struct fargs_flag_table table;

/*
 * Returns the flags in @text, as "NAME=VALUE NAME=VALUE"; "none" if the format is not understood.
 * The string is valid until the next call.
 */
static const char *flags_of(const char *text, unsigned int width)
{
	static char shown[4096];
	char format[8192], *copy;
	size_t i, n;

	n = snprintf(format, sizeof(format), "%s%s%s", BEGIN, text, END);
	/* Without the NUL, so that the sanitizer finds a byte read after the end. */
	copy = malloc(n);
	memcpy(copy, format, n);
	strcpy(shown, "none");
	if (fargs_print_fmt_flags(&table, copy, n, "gfp", width))
		for (i = 0, n = 0; i < table.flags.nr; i++)
			n += sprintf(shown + n, "%s%s=0x%" PRIx64, i ? " " : "",
				     table.flags.flags[i].name, table.flags.flags[i].value);
	free(copy);
	return shown;
}

static void reads_formats(void)
{
	CHECK_STR(flags_of("{0x10, \"A\"}, {020, \"B\"}, {16, \"C\"}", 4), "A=0x10 B=0x10 C=0x10");
	/* in the forms of Linux 6.1 and of 6.12 */
	CHECK_STR(flags_of("{( unsigned long)((( gfp_t)(0x400u|0x800u)) | (( gfp_t)0x40u)), \"A\"}"
			   ", { 0, ((void *)0) }", 4), "A=0xc40");
	CHECK_STR(flags_of("{( unsigned long)((( gfp_t)(((((1UL))) << (10))|((((1UL))) << (11)))) "
			   "| (( gfp_t)((((1UL))) << (6)))), \"A_1\"}", 4), "A_1=0xc40");
	CHECK_STR(flags_of("{(((( gfp_t)0xffu) & ~(( gfp_t)(0x3u))) | 1), \"A\"}", 4), "A=0xfd");
	/* as C, precedence and all */
	CHECK_STR(flags_of("{1 | 2 ^ 3 & 6 << 1 + 1, \"A\"}", 8), "A=0x3");
	CHECK_STR(flags_of("{1 << 4 - 1, \"A\"}, {0x80 >> 3, \"B\"}", 8), "A=0x8 B=0x10");
	CHECK_STR(flags_of("{~0x1u, \"A\"}", 4), "A=0xfffffffe");
	CHECK_STR(flags_of("{-1, \"A\"}", 8), "A=0xffffffffffffffff");
	CHECK_STR(flags_of("{-1, NULL }", 8), "none");
	/* A flag without a bit would be in every number. */
	CHECK_STR(flags_of("{0, \"NONE\"}, {1, \"A\"}", 8), "A=0x1");
}

static void refuses_what_it_does_not_know(void)
{
	CHECK_STR(flags_of("{FAULT_FLAG_WRITE, \"A\"}", 8), "none");
	CHECK_STR(flags_of("{1, \"A\"}, {sizeof(int), \"B\"}", 8), "none");
	CHECK_STR(flags_of("{1, \"A|B\"}", 8), "none");
	CHECK_STR(flags_of("{1, \"\"}", 8), "none");
	CHECK_STR(flags_of("{1, \"A\\033[2J\"}", 8), "none");
	CHECK_STR(flags_of("{08, \"A\"}", 8), "none");
	CHECK_STR(flags_of("{1 << 64, \"A\"}", 8), "none");
	CHECK_STR(flags_of("{0x1ffffffffffffffff, \"A\"}", 8), "none");
	CHECK_STR(flags_of("{1 2, \"A\"}", 8), "none");
	CHECK_STR(flags_of("{(1, \"A\"}", 8), "none");
	CHECK_STR(flags_of("{1, \"A\"", 8), "none");
	CHECK(!fargs_print_fmt_flags(&table, BEGIN, strlen(BEGIN), "gfp", 8));
	CHECK(!fargs_print_fmt_flags(&table, BEGIN "{1, \"A\"}", strlen(BEGIN), "other", 8));
}

static void refuses_deep_nesting(void)
{
	char text[4096] = "{";
	int i;

	for (i = 0; i < 1000; i++)
		strcat(text, "(");
	CHECK_STR(flags_of(text, 8), "none");
	strcpy(text, "{");
	for (i = 0; i < 1000; i++)
		strcat(text, "~");
	CHECK_STR(flags_of(strcat(text, "1, \"A\"}"), 8), "none");
}

static void refuses_many_flags(void)
{
	char text[8192] = "";
	int i;

	for (i = 0; i <= FARGS_FLAG_TABLE_MAX; i++)
		strcat(text, "{1, \"A\"}, ");
	CHECK_STR(flags_of(text, 8), "none");
}

/* Returns BTF with an enum called @name, or without a name, of the words of @bits from 0 on. */
static struct btf *make_enum(const char *name, const char *bits)
{
	struct btf *btf = btf__new_empty();
	char *copy = strdup(bits), *word;
	int bit = 0;

	btf__add_enum(btf, name, 4);
	for (word = strtok(copy, " "); word; word = strtok(NULL, " "))
		btf__add_enum_value(btf, word, bit++);
	free(copy);
	return btf;
}

/* Returns the names in the table, separated by spaces. Valid until the next call. */
static const char *names(void)
{
	static char shown[4096];
	size_t i, n;

	shown[0] = '\0';
	for (i = 0, n = 0; i < table.flags.nr; i++)
		n += sprintf(shown + n, "%s%s", i ? " " : "", table.flags.flags[i].name);
	return shown;
}

/* The expected names are those of macros in the kernel's gfp_types.h, slab.h and slub.c. */
static void names_bits_as_the_kernel_does(void)
{
	struct btf *btf = make_enum(NULL, "___GFP_DMA_BIT ___GFP_ZERO_BIT ___GFP_UNUSED_BIT "
				    "___GFP_LAST_BIT");

	CHECK(fargs_btf_flags_gfp(&table, btf));
	CHECK_STR(names(), "__GFP_DMA __GFP_ZERO");
	btf__free(btf);
	btf = make_enum("_slab_flag_bits", "_SLAB_PANIC _SLAB_OBJECT_POISON "
			"_SLAB_CMPXCHG_DOUBLE _SLAB_NO_OBJ_EXT _SLAB_FLAGS_LAST_BIT");
	CHECK(fargs_btf_flags_slab(&table, btf));
	CHECK_STR(names(), "SLAB_PANIC __OBJECT_POISON __CMPXCHG_DOUBLE SLAB_NO_OBJ_EXT");
	CHECK_INT(table.flags.flags[2].value, 4);
	btf__free(btf);
}

/* Returns the text of @v; "" if it has no name. The string is valid until the next call. */
static const char *text_of(enum fargs_naming_kind kind, enum fargs_uapi group, uint64_t v,
			   unsigned int bytes)
{
	const struct fargs_naming naming = {
		.kind = kind, .flags = fargs_uapi_flags(group),
		.signals = fargs_uapi_flags(FARGS_UAPI_SIGNAL),
	};
	static char text[FARGS_NAMING_TEXT];

	text[fargs_naming_text(&naming, v, bytes, text)] = '\0';
	return text;
}

/* The expected values are those that strace prints. */
static void names_constants(void)
{
	CHECK_STR(text_of(FARGS_NAMING_FLAGS, FARGS_UAPI_OPEN, 02000000, 4), "O_RDONLY|O_CLOEXEC");
	CHECK_STR(text_of(FARGS_NAMING_FLAGS, FARGS_UAPI_OPEN, 04010000, 4), "O_RDONLY|O_SYNC");
	CHECK_STR(text_of(FARGS_NAMING_FLAGS, FARGS_UAPI_OPEN, 020200002, 4), "O_RDWR|O_TMPFILE");
	CHECK_STR(text_of(FARGS_NAMING_FLAGS, FARGS_UAPI_OPEN, 0200001, 4), "O_WRONLY|O_DIRECTORY");
	CHECK_STR(text_of(FARGS_NAMING_FLAGS, FARGS_UAPI_OPEN, 0x40000001, 4),
		  "O_WRONLY|0x40000000");
	CHECK_STR(text_of(FARGS_NAMING_FLAGS, FARGS_UAPI_OPEN_FLAGS, 04000, 4), "O_NONBLOCK");
	CHECK_STR(text_of(FARGS_NAMING_FLAGS, FARGS_UAPI_OPEN_FLAGS, 0, 4), "");
	CHECK_STR(text_of(FARGS_NAMING_FLAGS, FARGS_UAPI_PROT, 0, 8), "PROT_NONE");
	CHECK_STR(text_of(FARGS_NAMING_FLAGS, FARGS_UAPI_PROT, 7, 8),
		  "PROT_READ|PROT_WRITE|PROT_EXEC");
	CHECK_STR(text_of(FARGS_NAMING_FLAGS, FARGS_UAPI_MAP, 0x20022, 8),
		  "MAP_PRIVATE|MAP_ANONYMOUS|MAP_STACK");
	CHECK_STR(text_of(FARGS_NAMING_FLAGS, FARGS_UAPI_MAP, 3, 8), "MAP_SHARED_VALIDATE");
	CHECK_STR(text_of(FARGS_NAMING_VALUE, FARGS_UAPI_DFD, (uint64_t)-100, 8), "AT_FDCWD");
	CHECK_STR(text_of(FARGS_NAMING_VALUE, FARGS_UAPI_DFD, 0xffffff9c, 4), "AT_FDCWD");
	CHECK_STR(text_of(FARGS_NAMING_VALUE, FARGS_UAPI_DFD, 3, 4), "");
	CHECK_STR(text_of(FARGS_NAMING_VALUE, FARGS_UAPI_SIGNAL, 9, 4), "SIGKILL");
	CHECK_STR(text_of(FARGS_NAMING_VALUE, FARGS_UAPI_SIGNAL, 64, 4), "");
	CHECK_STR(text_of(FARGS_NAMING_CLONE, FARGS_UAPI_CLONE, 0x1200011, 8),
		  "CLONE_CHILD_CLEARTID|CLONE_CHILD_SETTID|SIGCHLD");
	CHECK_STR(text_of(FARGS_NAMING_CLONE, FARGS_UAPI_CLONE, 0x140, 8), "CLONE_VM|0x40");
	CHECK_STR(text_of(FARGS_NAMING_CLONE, FARGS_UAPI_CLONE, 17, 8), "SIGCHLD");
}

static void names_modes_and_devices(void)
{
	CHECK_STR(text_of(FARGS_NAMING_MODE, FARGS_UAPI_OTHERS, 0100644, 2), "S_IFREG|0644");
	CHECK_STR(text_of(FARGS_NAMING_MODE, FARGS_UAPI_OTHERS, 041777, 2), "S_IFDIR|01777");
	CHECK_STR(text_of(FARGS_NAMING_MODE, FARGS_UAPI_OTHERS, 0120000, 2), "S_IFLNK|000");
	CHECK_STR(text_of(FARGS_NAMING_MODE, FARGS_UAPI_OTHERS, 022, 2), "022");
	CHECK_STR(text_of(FARGS_NAMING_MODE, FARGS_UAPI_OTHERS, 0, 2), "0");
	/* not a type of file */
	CHECK_STR(text_of(FARGS_NAMING_MODE, FARGS_UAPI_OTHERS, 0150644, 2), "0150644");
	CHECK_STR(text_of(FARGS_NAMING_MODE, FARGS_UAPI_OTHERS, 01100644, 4), "01100644");
	CHECK_STR(text_of(FARGS_NAMING_DEV, FARGS_UAPI_OTHERS, 8 << 20 | 1, 4), "8:1");
	CHECK_STR(text_of(FARGS_NAMING_DEV, FARGS_UAPI_OTHERS, UINT32_MAX, 4), "4095:1048575");
	CHECK_STR(text_of(FARGS_NAMING_HEX, FARGS_UAPI_OTHERS, (uint64_t)-2, 4), "0xfffffffe");
}

static void finds_constants(void)
{
	const struct fargs_flag *flag = fargs_uapi_find("O_ACCMODE", 9);

	REQUIRE(flag);
	CHECK_INT(flag->value, 3);
	flag = fargs_uapi_find("AT_FDCWD and more", 8);
	REQUIRE(flag);
	CHECK_INT((int64_t)flag->value, -100);
	CHECK(!fargs_uapi_find("O_CREA", 6));
	CHECK(!fargs_uapi_find("", 0));
}

static const struct ktap_test tests[] = {
	{ "reads the flags in a format", reads_formats },
	{ "refuses formats that it does not know", refuses_what_it_does_not_know },
	{ "refuses deep nesting", refuses_deep_nesting },
	{ "refuses too many flags", refuses_many_flags },
	{ "names flags and numbers as strace does", names_constants },
	{ "names modes and devices", names_modes_and_devices },
	{ "names bits of BTF as the kernel's source does", names_bits_as_the_kernel_does },
	{ "finds constants by name", finds_constants },
};

int main(void)
{
	return KTAP_RUN(tests);
}
