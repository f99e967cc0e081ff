// SPDX-License-Identifier: GPL-2.0-only
/* Tests which lines of source files are found. */
#include <sys/stat.h>

#include "sink/text/source_text.h"
#include "unit/temp_file.h"

static struct fargs_source_text *text;

static bool is_line(const char *path, unsigned int line, const char *want)
{
	size_t bytes = 0;
	const char *got = fargs_source_text_line(text, path, line, &bytes);

	return want ? got && bytes == strlen(want) && !memcmp(got, want, bytes) : !got;
}

static void lines(void)
{
	temp_write("one\n\nthree", 10);
	text = fargs_source_text_create();
	REQUIRE(text);
	CHECK(is_line(temp_path, 1, "one"));
	CHECK(is_line(temp_path, 2, ""));
	CHECK(is_line(temp_path, 3, "three"));
	CHECK(is_line(temp_path, 0, NULL));
	CHECK(is_line(temp_path, 4, NULL));
	fargs_source_text_destroy(text);
}

static void no_lines(void)
{
	temp_write("", 0);
	text = fargs_source_text_create();
	REQUIRE(text);
	CHECK(is_line(temp_path, 1, NULL));
	CHECK(is_line("/nonexistent/source.c", 1, NULL));
	fargs_source_text_destroy(text);
}

/* Debug information of a program may name anything: reading these would wait, or never end. */
static void not_regular(void)
{
	char path[64];

	snprintf(path, sizeof(path), "%s.fifo", temp_path);
	REQUIRE(!mkfifo(path, 0600));
	text = fargs_source_text_create();
	alarm(10);
	CHECK(is_line(path, 1, NULL));
	CHECK(is_line("/dev/zero", 1, NULL));
	CHECK(is_line("/tmp", 1, NULL));
	alarm(0);
	fargs_source_text_destroy(text);
	unlink(path);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "lines of a file", lines },
		{ "files without lines", no_lines },
		{ "what is no regular file is not read", not_regular },
	};

	return TEMP_RUN(tests);
}
