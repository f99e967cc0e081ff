/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text of code addresses, such as "name+0x1f [module]", which is formatted once and then copied:
 * most addresses of a trace are executed many times.
 */
#ifndef FARGS_CMD_REPORT_PT_PLACES_H
#define FARGS_CMD_REPORT_PT_PLACES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "source/pt/decode/names.h"

/* Longer texts are rare. They are formatted each time. */
#define FARGS_PT_PLACE_BYTES	104
/* Number of texts that are kept. */
#define FARGS_PT_PLACES		4096

struct fargs_pt_place {
	uint64_t addr;
	uint64_t ns;		/* time of the name; irrelevant if @is_lasting */
	bool is_lasting;
	bool is_kept;		/* @text is complete */
	uint16_t bytes;		/* length of @text */
	char text[FARGS_PT_PLACE_BYTES];
};

/* How the text is written. */
enum fargs_pt_place_form {
	/* "    ffffffff81000000 name+0x0": as in lines of branches. Without a name: "[unknown]". */
	FARGS_PT_PLACE_ADDR,
	/* "name", or "name+0x1f" in the middle of a function. Without a name: "0xffffffff81000000". */
	FARGS_PT_PLACE_NAME,
};

/* Most bytes of a text that are not its name and module: 16 digits and " ", "+0x" and 16 digits. */
#define FARGS_PT_PLACE_OTHER	(16 + 1 + 3 + 16)
/* Number of names that are kept. */
#define FARGS_PT_PLACES_NAMES	512

/* A name, escaped, and the addresses that have it at all times. */
struct fargs_pt_places_name {
	uint64_t begin, end;
	uint64_t addr;		/* address of the function's beginning */
	/* Length of the name in @text, and of " [module]" after it; 0: none. */
	uint16_t name_bytes, module_bytes;
	char text[FARGS_PT_PLACE_BYTES - FARGS_PT_PLACE_OTHER];
};

/* Texts of one form, for one thread. The members are private. */
struct fargs_pt_places {
	const struct fargs_pt_names *names;
	enum fargs_pt_place_form form;
	struct fargs_buf text;		/* the last text that was not kept */
	struct fargs_pt_places_name named[FARGS_PT_PLACES_NAMES];
	struct fargs_pt_place places[FARGS_PT_PLACES];
};

/* @names must outlive the result. Returns NULL if out of memory. */
struct fargs_pt_places *fargs_pt_places_create(const struct fargs_pt_names *names,
					       enum fargs_pt_place_form form);
void fargs_pt_places_destroy(struct fargs_pt_places *places);

/* Private, for fargs_pt_places_put(). */
void fargs_pt_places_put_other(struct fargs_pt_places *places, struct fargs_pt_place *place,
			       struct fargs_buf *out, uint64_t addr, uint64_t ns);

/*
 * Copies @bytes, which is at most @most, a constant. Both @to and @from must have @most bytes: copies
 * of constant size need no call and no loop.
 */
#define fargs_pt_copy(to, from, bytes, most)			\
	do {							\
		memcpy(to, from, (most) < 48 ? (most) : 48);	\
		if ((most) > 48 && (bytes) > 48)		\
			memcpy((to) + 48, (from) + 48, (most) > 48 ? (most) - 48 : 0);	\
	} while (0)

/* Writes the text of @addr at time @ns to @out. */
static inline void fargs_pt_places_put(struct fargs_pt_places *places, struct fargs_buf *out,
				       uint64_t addr, uint64_t ns)
{
	struct fargs_pt_place *place = &places->places[(addr ^ addr >> 12) % FARGS_PT_PLACES];

	if (!place->is_kept || place->addr != addr || (place->ns != ns && !place->is_lasting) ||
	    !fargs_buf_reserve(out, FARGS_PT_PLACE_BYTES)) {
		fargs_pt_places_put_other(places, place, out, addr, ns);
		return;
	}
	fargs_pt_copy(out->text + out->n, place->text, place->bytes, FARGS_PT_PLACE_BYTES);
	out->n += place->bytes;
}

#endif
