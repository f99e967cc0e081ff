/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text of code addresses, such as "name+0x1f [module]", which is formatted once and then
 * copied: most addresses of a trace are executed many times.
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
/* Most texts are not longer than this. */
#define FARGS_PT_PLACE_USUAL	48
/* Number of texts that are kept. */
#define FARGS_PT_PLACES		4096

enum fargs_pt_place_state {
	FARGS_PT_PLACE_NONE,
	FARGS_PT_PLACE_AT,	/* the text is valid at one time, in one space */
	FARGS_PT_PLACE_IN,	/* the text is valid at all times, in one space */
	FARGS_PT_PLACE_LASTS,	/* the text is valid at all times, in all spaces */
};

struct fargs_pt_place {
	uint64_t addr;
	uint64_t ns;		/* see FARGS_PT_PLACE_AT */
	int32_t space;		/* see FARGS_PT_PLACE_AT and FARGS_PT_PLACE_IN */
	uint8_t state;		/* enum fargs_pt_place_state */
	uint16_t bytes;		/* length of @text */
	char text[FARGS_PT_PLACE_BYTES];
};

/* How the text is written. */
enum fargs_pt_place_form {
	/* "    ffffffff81000000 name+0x0": as in lines of branches. Without a name: "[unknown]". */
	FARGS_PT_PLACE_ADDR,
	/*
	 * "name", or "name+0x1f" in the middle of a function. Without a name:
	 * "0xffffffff81000000".
	 */
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
	int32_t space;			/* see fargs_pt_places_enter() */
	enum fargs_pt_place_form form;
	struct fargs_buf text;		/* the last text that was not kept */
	struct fargs_pt_places_name named[FARGS_PT_PLACES_NAMES];
	struct fargs_pt_place places[FARGS_PT_PLACES];
};

/* @names must outlive the result. Returns NULL if out of memory. */
struct fargs_pt_places *fargs_pt_places_create(const struct fargs_pt_names *names,
					       enum fargs_pt_place_form form);
void fargs_pt_places_destroy(struct fargs_pt_places *places);

/* Sets the space of the addresses that are looked up next (index in in->spaces); -1: unknown. */
static inline void fargs_pt_places_enter(struct fargs_pt_places *places, int32_t space)
{
	places->space = space;
}

/* Private, for fargs_pt_places_find(). */
const struct fargs_pt_place *fargs_pt_places_make(struct fargs_pt_places *places,
						  struct fargs_pt_place *place, uint64_t addr,
						  uint64_t ns);

/*
 * Returns the text of @addr at time @ns, which is valid until the next call. Returns NULL if it is
 * too long: it is in places->text then.
 */
static inline const struct fargs_pt_place *fargs_pt_places_find(struct fargs_pt_places *places,
								uint64_t addr, uint64_t ns)
{
	struct fargs_pt_place *place = &places->places[(addr ^ addr >> 12) % FARGS_PT_PLACES];

	if (__builtin_expect(place->addr == addr &&
			     (place->state == FARGS_PT_PLACE_LASTS ||
			      (place->state && place->space == places->space &&
			       (place->state == FARGS_PT_PLACE_IN || place->ns == ns))), 1))
		return place;
	return fargs_pt_places_make(places, place, addr, ns);
}

/*
 * Copies the text of @place to @to, which must have room for FARGS_PT_PLACE_BYTES. Returns the end
 * of the text. Copies of constant size need no call and no loop.
 */
static inline char *fargs_pt_place_copy(char *to, const struct fargs_pt_place *place)
{
	memcpy(to, place->text, FARGS_PT_PLACE_USUAL);
	if (place->bytes > FARGS_PT_PLACE_USUAL)
		memcpy(to + FARGS_PT_PLACE_USUAL, place->text + FARGS_PT_PLACE_USUAL,
		       FARGS_PT_PLACE_BYTES - FARGS_PT_PLACE_USUAL);
	return to + place->bytes;
}

/* Writes the text of @addr at time @ns to @out. */
static inline void fargs_pt_places_put(struct fargs_pt_places *places, struct fargs_buf *out,
				       uint64_t addr, uint64_t ns)
{
	const struct fargs_pt_place *place = fargs_pt_places_find(places, addr, ns);

	if (!place) {
		out->is_short |= places->text.is_short;
		fargs_buf_add(out, places->text.text, places->text.n);
	} else if (fargs_buf_reserve(out, FARGS_PT_PLACE_BYTES)) {
		out->n = fargs_pt_place_copy(out->text + out->n, place) - out->text;
	}
}

#endif
