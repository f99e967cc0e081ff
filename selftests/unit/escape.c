// SPDX-License-Identifier: GPL-2.0-only
/* Tests escaping of untrusted bytes for a terminal. */
#include "base/escape.h"

#include <locale.h>
#include <stdlib.h>

#include "unit/ktap.h"

static char out[4096];

static const char *escaped(const char *bytes, size_t n, const char *extra)
{
	/* without a NUL, so that a sanitizer detects reads beyond the end */
	char *copy = malloc(n ? n : 1);
	size_t len;

	memcpy(copy, bytes, n);
	len = fargs_escape(out, copy, n, extra);
	free(copy);
	CHECK_INT(len, strlen(out));
	return out;
}

#define ESCAPED(s) escaped(s, sizeof(s) - 1, NULL)
#define ESCAPED_N(s) escaped(s, strlen(s), NULL)

static void leaves_plain_text(void)
{
	CHECK_STR(ESCAPED("kworker/0:1H-kblockd <x> \"y\" 'z' %s #"),
		  "kworker/0:1H-kblockd <x> \"y\" 'z' %s #");
	CHECK_STR(ESCAPED(""), "");
}

static void escapes_control_bytes(void)
{
	CHECK_STR(ESCAPED("a\nb"), "a\\nb");
	CHECK_STR(ESCAPED("a\tb\r"), "a\\tb\\r");
	CHECK_STR(ESCAPED("\\"), "\\\\");
	CHECK(!strchr(ESCAPED("\033[31mred\033[0m"), 033));
	CHECK(!strpbrk(ESCAPED("\001\002\177\a\b\v\f"), "\001\002\177\a\b\v\f"));
	CHECK_STR(ESCAPED("a\0b"), "a\\0b");
}

static void escapes_more_on_request(void)
{
	CHECK_STR(escaped("say \"x\"", 7, "\""), "say \\\"x\\\"");
}

static void lets_no_byte_through_raw(void)
{
	char all[256];
	size_t i;

	for (i = 0; i < 256; i++)
		all[i] = (char)i;
	escaped(all, sizeof(all), NULL);
	for (i = 0; out[i]; i++)
		if (out[i] < ' ' || out[i] > '~')
			break;
	CHECK(!out[i]);
	CHECK(i <= FARGS_ESCAPE_ROOM(sizeof(all)));
}

static void keeps_utf8_in_a_utf8_locale(void)
{
	static const char * const broken[] = {
		"a\200b", "b\300\257c", "c\342\202", "gr\374n", "\355\240\200", "\377\376", "\344",
	};
	const char *p;
	size_t i;

	if (!setlocale(LC_CTYPE, "C.UTF-8")) {
		ktap_skip("the locale C.UTF-8 is not there");
		return;
	}
	CHECK_STR(ESCAPED("gr\303\274n"), "gr\303\274n");
	CHECK_STR(ESCAPED("\342\202\254 5"), "\342\202\254 5");
	/*
	 * a lone continuation byte, an overlong slash, a truncated character, Latin-1, a surrogate,
	 * and two sequences that never occur in UTF-8
	 */
	for (i = 0; i < sizeof(broken) / sizeof(broken[0]); i++)
		for (p = escaped(broken[i], strlen(broken[i]), NULL); *p; p++)
			CHECK(*p >= ' ' && *p <= '~');
	/* Valid characters are kept next to invalid bytes. */
	CHECK_STR(ESCAPED("gr\303\274n\200"), "gr\303\274n\\M^@");
	/* C1 control characters are escaped: terminals interpret U+009B as ESC [. */
	CHECK(!strstr(ESCAPED("\302\23331m"), "\302\233"));
	setlocale(LC_CTYPE, "C");
	CHECK(!strchr(ESCAPED("gr\303\274n"), '\303'));
}

static void escapes_what_turns_the_direction(void)
{
	/* All characters with Unicode's property Bidi_Control (PropList.txt). */
	static const unsigned int controls[] = {
		0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e,
		0x2066, 0x2067, 0x2068, 0x2069,
	};
	char utf8[4] = "", text[8];
	const char *p;
	size_t i;

	if (!setlocale(LC_CTYPE, "C.UTF-8")) {
		ktap_skip("the locale C.UTF-8 is not there");
		return;
	}
	for (i = 0; i < sizeof(controls) / sizeof(controls[0]); i++) {
		CHECK(wctomb(utf8, controls[i]) == (controls[i] < 0x800 ? 2 : 3));
		snprintf(text, sizeof(text), "a%.*sb", controls[i] < 0x800 ? 2 : 3, utf8);
		for (p = ESCAPED_N(text); *p; p++)
			CHECK(*p >= ' ' && *p <= '~');
		CHECK_INT(fargs_escape_printable(utf8, strlen(utf8)), 0);
	}
	/*
	 * Neighbours of the bidirectional controls, and letters of right-to-left scripts, are kept.
	 */
	CHECK_STR(ESCAPED("\342\200\220\342\200\260"), "\342\200\220\342\200\260");
	CHECK_STR(ESCAPED("\330\247\327\220"), "\330\247\327\220");
	setlocale(LC_CTYPE, "C");
}

static const struct ktap_test tests[] = {
	{ "leaves plain text unchanged", leaves_plain_text },
	{ "escapes control bytes", escapes_control_bytes },
	{ "escapes more on request", escapes_more_on_request },
	{ "passes no control byte unescaped", lets_no_byte_through_raw },
	{ "keeps UTF-8 in a UTF-8 locale", keeps_utf8_in_a_utf8_locale },
	{ "escapes bidirectional control characters", escapes_what_turns_the_direction },
};

int main(void)
{
	return KTAP_RUN(tests);
}
