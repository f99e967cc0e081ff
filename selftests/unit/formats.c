// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests formats from a file, which are not trusted, on an event with extreme values: a format
 * either prints only data of the event, or is not used, and the fields are printed one by one.
 */
#include "ktap.h"

#include <stdlib.h>
#include <string.h>

#include "model/event_record.h"
#include "model/formats.h"

#define FORMAT								\
	"name: forged\nID: 100\nformat:\n"				\
	"\tfield:unsigned short common_type;\toffset:%u;\tsize:2;\tsigned:0;\n"	\
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"	\
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:%u;\tsize:4;\tsigned:1;\n\n"	\
	"\tfield:int len;\toffset:8;\tsize:4;\tsigned:1;\n"		\
	"\tfield:int d;\toffset:12;\tsize:4;\tsigned:1;\n"		\
	"\tfield:u8 buf[4];\toffset:16;\tsize:4;\tsigned:0;\n"		\
	"\tfield:__data_loc u8[] dyn;\toffset:20;\tsize:4;\tsigned:0;\n"	\
	"\tfield:__data_loc char[] str;\toffset:24;\tsize:4;\tsigned:0;\n"	\
	"\tfield:s64 big;\toffset:32;\tsize:8;\tsigned:1;\n"		\
	"\nprint fmt: %s\n"

/*
 * The data of the event. Used as a length, @len exceeds the data; used as an address, @big refers
 * to unmapped memory.
 */
static const struct {
	uint16_t type;
	uint8_t flags, count;
	int32_t pid, len, d;
	uint8_t buf[4];
	uint16_t dyn_at, dyn_len, str_at, str_len;
	uint32_t hole;
	int64_t big;
	uint8_t dyn[4];
	char str[4];
} data = { 100, 0, 0, 1, INT32_MAX, -1, "abc", 40, 4, 44, 4, 0, 1 << 20, { 1, 2, 3, 4 }, "hi!" };

#define FIELDS "len=2147483647 d=-1 buf=abc dyn=ARRAY[01, 02, 03, 04] str=hi! big=1048576"
#define ADDRESS "64 00 00 00 01 00 00 00 ff ff ff 7f ff ff ff ff 61 62 63 00 28 00 04 00 " \
		"2c 00 04 00 00 00 00 00 00 00 10 00 00 00 00 00 01 02 03 04 68 69 21 00"

/*
 * An array of two numbers in the notation of libtraceevent 1.7. Later versions use that of the
 * kernel.
 */
#define ARRAY(a, b)	#a " " #b

static const struct fargs_formatted event = {
	.data = (const uint8_t *)&data, .bytes = sizeof(data),
};

/*
 * Checks the text of the event with the print format @print. In its format, the fields common_type
 * and common_pid are at offsets @type_at and @pid_at. @is_trusted: the format is the running
 * kernel's, not from a file.
 */
static void check_at(unsigned int type_at, unsigned int pid_at, bool is_trusted,
		     const char *print, const char *expected)
{
	struct fargs_formats *f;
	struct fargs_meta meta;
	const char *text;
	char *format;
	size_t n = 0;
	int bytes = asprintf(&format, FORMAT, type_at, pid_at, print);

	fargs_meta_init(&meta);
	meta.are_formats_trusted = is_trusted;
	CHECK(bytes > 0 && !fargs_meta_add_format(&meta, "test", format, bytes));
	CHECK(!fargs_formats_validate(&meta));
	f = fargs_formats_create(&meta);
	text = f ? fargs_formats_text(f, &event, NULL, false, &n) : NULL;
	text = text ? strndup(text, n) : NULL;
	if (!text || strcmp(text, expected))
		printf("# %s\n", print);
	CHECK_STR(text ? text : "", expected);
	free((char *)text);
	fargs_formats_destroy(f);
	fargs_meta_deinit(&meta);
	free(format);
}

static void check(const char *print, const char *expected)
{
	check_at(0, 4, false, print, expected);
}

static void shows_fields_for_lengths_of_data(void)
{
	check("\"%s\", __print_hex(REC->buf, REC->len)", FIELDS);
	check("\"%s\", __print_hex(REC->buf, 5)", FIELDS);
	check("\"%s\", __print_hex_str(REC->buf, REC->d)", FIELDS);
	check("\"%s\", __print_hex(__get_dynamic_array(dyn), REC->len)", FIELDS);
	check("\"%s\", __print_hex(__get_dynamic_array(dyn), __get_dynamic_array_len(dyn) * 2)",
	      FIELDS);
	check("\"%s\", __print_array(REC->buf, REC->len, 1)", FIELDS);
	check("\"%s\", __print_array(REC->buf, 2, 4)", FIELDS);
	check("\"%s\", __print_array(REC->buf, 4, REC->len)", FIELDS);
	check("\"%s\", __print_array(__get_dynamic_array(dyn), __get_dynamic_array_len(dyn), 8)",
	      FIELDS);
	check("\"%s\", REC->d ? __print_hex(REC->buf, REC->len) : \"\"", FIELDS);
	check("\"%d\", REC->buf[REC->len]", FIELDS);
	check("\"%d\", REC->buf[4]", FIELDS);
	check("\"%d\", ((u8 *)__get_dynamic_array(dyn))[REC->len]", FIELDS);
	check("\"%s\", __get_str(big)", FIELDS);
	check("\"%s\", __get_bitmask(big)", FIELDS);
}

static void shows_fields_for_widths_of_data(void)
{
	check("\"%*d\", REC->len, REC->d", FIELDS);
	check("\"%*d\", (signed char)200, REC->d", FIELDS);
	check("\"%.*s\", REC->len, REC->buf", FIELDS);
	check("\"%*s\", REC->d, REC->buf", FIELDS);
	check("\"%2000000000d\", REC->d", FIELDS);
	check("\"%.2000000000d\", REC->d", FIELDS);
	check("\"%ls\", REC->buf", FIELDS);
	check("\"%d\"", FIELDS);
}

static void shows_fields_for_arguments_of_no_kernel(void)
{
	check("\"%d\", REC->len / (REC->d + 1)", FIELDS);
	check("\"%d\", REC->len % (REC->d + 1)", FIELDS);
	check("\"%d\", REC->len / (u8)256", FIELDS);
	check("\"%d\", __le16_to_cpup(REC->big)", FIELDS);
	check("\"%s\", scsi_trace_parse_cdb(p, REC->big, 6)", FIELDS);
	check("\"%llx\", __get_dynamic_array(dyn)", FIELDS);
	check("\"%c %s\", REC->len, REC->buf", FIELDS);
	check("\"%d\", REC->none", FIELDS);
}

static void shows_fields_for_conversions_unknown(void)
{
	check_at(0, 4, true, "\"%c %d\", REC->buf[0], REC->d", FIELDS);
	check_at(0, 4, true, "\"%d%% %-4s|%#lx\", REC->d, __get_str(str), 255", "-1% hi! |0xff");
}

static void shows_bytes_for_fields_beyond(void)
{
	check_at(0, 1 << 20, false, "\"%d\", REC->common_pid", ADDRESS);
	check_at(1 << 20, 4, false, "\"%d\", REC->d", ADDRESS);
}

static void prints_what_is_safe(void)
{
	check("\"%s\", __print_hex(REC->buf, 4)", "61 62 63 00");
	check("\"%s\", __print_hex_str(__get_dynamic_array(dyn), __get_dynamic_array_len(dyn))",
	      "01020304");
	check("\"%s\", __print_array(__get_dynamic_array(dyn), "
	      "__get_dynamic_array_len(dyn) / 2, 2)", ARRAY(513, 1027));
	check("\"%s\", __print_array(REC->buf, 2, 2)", ARRAY(25185, 99));
	check("\"%d\", REC->buf[2]", "99");
	check("\"%.*s|\", (int)__get_dynamic_array_len(str), __get_str(str)", "hi!|");
	check("\"%-5s|%#x|%03d|%lld%%\", __get_str(str), 255, REC->d + 6, REC->big",
	      "hi!  |0xff|005|1048576%");
	check("\"%*d\", 4, REC->d", "  -1");
	check("\"%*ph\", REC->len, __get_dynamic_array(dyn)", "01 02 03 04");
	check("\"%s %s\", REC->d ? \"yes\" : \"no\", __print_symbolic(REC->big / 1024, "
	      "{ 1024, \"K\" })", "yes K");
}

static const struct ktap_test tests[] = {
	{ "shows fields if a length comes from data", shows_fields_for_lengths_of_data },
	{ "shows fields if a width comes from data", shows_fields_for_widths_of_data },
	{ "shows fields for unknown kinds of arguments", shows_fields_for_arguments_of_no_kernel },
	{ "shows fields if libtraceevent does not know a conversion",
	  shows_fields_for_conversions_unknown },
	{ "shows bytes for fields beyond the data", shows_bytes_for_fields_beyond },
	{ "prints formats that are safe", prints_what_is_safe },
};

int main(void)
{
	return KTAP_RUN(tests);
}
