// SPDX-License-Identifier: GPL-2.0-only
/*
 * Embeds the files of the HTML page with .incbin. Paths are relative to the top directory. The
 * Makefile lists the files as dependencies.
 */
#include "sink/html/page_files.h"

#include "base/put.h"

/*
 * Embeds NAME.EXT between fargs_page_NAME_EXT and fargs_page_NAME_EXT_end. The labels are global,
 * because with LTO the assembler code may end up in another object.
 */
#define PAGE_FILE(name, ext) \
	asm(".pushsection .rodata\n" \
	    PAGE_LABEL("fargs_page_" #name "_" #ext) \
	    ".incbin \"user/sink/html/page/" #name "." #ext "\"\n" \
	    PAGE_LABEL("fargs_page_" #name "_" #ext "_end") \
	    ".byte 0\n" \
	    ".popsection"); \
	extern const char fargs_page_##name##_##ext[] __attribute__((visibility("hidden"))); \
	extern const char fargs_page_##name##_##ext##_end[] __attribute__((visibility("hidden")))

#define PAGE_LABEL(name)	".globl " name "\n.hidden " name "\n" name ":\n"

#define PUT_FILE(out, name, ext) \
	fargs_buf_add(out, fargs_page_##name##_##ext, \
		      fargs_page_##name##_##ext##_end - fargs_page_##name##_##ext)

PAGE_FILE(head, html);
PAGE_FILE(page, css);
PAGE_FILE(body, html);
PAGE_FILE(trace, js);
PAGE_FILE(values, js);
PAGE_FILE(tracks, js);
PAGE_FILE(search, js);
PAGE_FILE(canvas, js);
PAGE_FILE(timeline, js);
PAGE_FILE(details, js);
PAGE_FILE(functions, js);
PAGE_FILE(flame, js);
PAGE_FILE(main, js);

void fargs_page_put_head(struct fargs_buf *out)
{
	PUT_FILE(out, head, html);
	fargs_put(out, "<style>\n");
	PUT_FILE(out, page, css);
	fargs_put(out, "</style>\n");
	PUT_FILE(out, body, html);
}

void fargs_page_put_foot(struct fargs_buf *out)
{
	fargs_put(out, "<script>\n'use strict';\n");
	PUT_FILE(out, trace, js);
	PUT_FILE(out, values, js);
	PUT_FILE(out, tracks, js);
	PUT_FILE(out, search, js);
	PUT_FILE(out, canvas, js);
	PUT_FILE(out, timeline, js);
	PUT_FILE(out, details, js);
	PUT_FILE(out, functions, js);
	PUT_FILE(out, flame, js);
	PUT_FILE(out, main, js);
	fargs_put(out, "</script>\n");
}
