// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/pt_places.h"

#include <stdlib.h>

#include "base/hex.h"
#include "base/put.h"
#include "sink/text/pt_line.h"

struct fargs_pt_places *fargs_pt_places_create(const struct fargs_pt_names *names,
					       enum fargs_pt_place_form form)
{
	struct fargs_pt_places *places = calloc(1, sizeof(*places));

	if (!places)
		return NULL;
	places->names = names;
	places->form = form;
	return places;
}

void fargs_pt_places_destroy(struct fargs_pt_places *places)
{
	if (!places)
		return;
	fargs_buf_deinit(&places->text);
	free(places);
}

static void put_module(struct fargs_buf *out, const char *module)
{
	fargs_put(out, " [");
	fargs_put_escaped(out, module, strlen(module), NULL);
	fargs_put_char(out, ']');
}

/* Writes the text of an address that has no kept name to places->text. */
static void put_text(struct fargs_pt_places *places, const struct fargs_pt_name *name,
		     uint64_t addr)
{
	bool has_addr = places->form == FARGS_PT_PLACE_ADDR;
	struct fargs_buf *out = &places->text;

	out->n = 0;
	if (has_addr) {
		fargs_pt_line_hex(out, addr);
		fargs_put_char(out, ' ');
	}
	if (!name->name && has_addr) {
		fargs_put(out, "[unknown]");
	} else if (!name->name) {
		fargs_put_hex(out, addr);
	} else {
		fargs_put_escaped(out, name->name, strlen(name->name), NULL);
		if (has_addr || addr != name->addr) {
			fargs_put_char(out, '+');
			fargs_put_hex(out, addr - name->addr);
		}
		if (name->module)
			put_module(out, name->module);
	}
}

/* Keeps @name in @to if it fits. Uses places->text. */
static bool keep_name(struct fargs_pt_places *places, struct fargs_pt_places_name *to,
		      const struct fargs_pt_name *name, uint64_t begin, uint64_t end)
{
	struct fargs_buf *text = &places->text;

	text->n = 0;
	fargs_put_escaped(text, name->name, strlen(name->name), NULL);
	to->name_bytes = text->n;
	if (name->module)
		put_module(text, name->module);
	if (text->is_short || text->n > sizeof(to->text)) {
		to->end = 0;
		return false;
	}
	to->module_bytes = text->n - to->name_bytes;
	memcpy(to->text, text->text, text->n);
	to->begin = begin;
	to->end = end;
	to->addr = name->addr;
	return true;
}

/* Writes the text of @addr, which has the name @name, to @to, which has room for it. */
static void keep_place(const struct fargs_pt_places *places, struct fargs_pt_place *to,
		       const struct fargs_pt_places_name *name, uint64_t addr)
{
	char *p = to->text;

	if (places->form == FARGS_PT_PLACE_ADDR) {
		fargs_hex_right(p, addr);
		p[16] = ' ';
		p += 17;
	}
	/* A copy of constant size needs no call. There is room for all of it. */
	memcpy(p, name->text, sizeof(name->text));
	p += name->name_bytes;
	if (places->form == FARGS_PT_PLACE_ADDR || addr != name->addr) {
		memcpy(p, "+0x", 3);
		p += 3 + fargs_hex(p + 3, addr - name->addr);
	}
	if (name->module_bytes)
		memcpy(p, name->text + name->name_bytes, name->module_bytes);
	to->bytes = p + name->module_bytes - to->text;
	to->is_lasting = true;
	to->is_kept = true;
	to->addr = addr;
}

/* Keeps the text of @addr at time @ns in @to, if it is in places->text and fits. */
static void keep_text(const struct fargs_pt_places *places, struct fargs_pt_place *to,
		      uint64_t addr, uint64_t ns, bool is_lasting)
{
	to->is_kept = places->text.n <= sizeof(to->text) && !places->text.is_short;
	if (!to->is_kept)
		return;
	to->addr = addr;
	to->ns = ns;
	to->is_lasting = is_lasting;
	to->bytes = places->text.n;
	memcpy(to->text, places->text.text, places->text.n);
}

/* Formats the text of @addr and keeps it in @place. Otherwise, returns false: it is in places->text. */
static bool make_place(struct fargs_pt_places *places, struct fargs_pt_place *place,
		       uint64_t addr, uint64_t ns)
{
	struct fargs_pt_places_name *kept = &places->named[addr / 64 % FARGS_PT_PLACES_NAMES];
	struct fargs_pt_name name = { .is_lasting = true };
	uint64_t begin, end;

	if (addr < kept->begin || addr >= kept->end) {
		/* Address 0 means unknown. */
		if (addr)
			fargs_pt_names_find_range(places->names, addr, ns, &name, &begin, &end);
		if (!addr || !name.name || !name.is_lasting ||
		    !keep_name(places, kept, &name, begin, end)) {
			put_text(places, &name, addr);
			keep_text(places, place, addr, ns, name.is_lasting);
			return place->is_kept;
		}
	}
	keep_place(places, place, kept, addr);
	return true;
}

void fargs_pt_places_put_other(struct fargs_pt_places *places, struct fargs_pt_place *place,
			       struct fargs_buf *out, uint64_t addr, uint64_t ns)
{
	const struct fargs_buf *text = &places->text;

	if (make_place(places, place, addr, ns)) {
		fargs_buf_add(out, place->text, place->bytes);
		return;
	}
	out->is_short |= text->is_short;
	fargs_buf_add(out, text->text, text->n);
}
