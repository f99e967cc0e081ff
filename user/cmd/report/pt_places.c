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
	places->space = -1;
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
	to->state = FARGS_PT_PLACE_LASTS;
	to->addr = addr;
}

/* Keeps places->text, the text of @addr at time @ns, in @to. Returns false if it does not fit. */
static bool keep_text(const struct fargs_pt_places *places, struct fargs_pt_place *to,
		      uint64_t addr, uint64_t ns, const struct fargs_pt_name *name)
{
	to->state = FARGS_PT_PLACE_NONE;
	if (places->text.n > sizeof(to->text) || places->text.is_short)
		return false;
	to->addr = addr;
	to->ns = ns;
	to->space = places->space;
	to->state = !name->is_lasting ? FARGS_PT_PLACE_AT :
		    name->is_user ? FARGS_PT_PLACE_IN : FARGS_PT_PLACE_LASTS;
	to->bytes = places->text.n;
	memcpy(to->text, places->text.text, places->text.n);
	return true;
}

const struct fargs_pt_place *fargs_pt_places_make(struct fargs_pt_places *places,
						  struct fargs_pt_place *place, uint64_t addr,
						  uint64_t ns)
{
	struct fargs_pt_places_name *kept = &places->named[addr / 64 % FARGS_PT_PLACES_NAMES];
	struct fargs_pt_name name = { .is_lasting = true };
	uint64_t begin, end;

	if (addr < kept->begin || addr >= kept->end) {
		/* Address 0 means unknown. */
		if (addr)
			fargs_pt_names_find_range(places->names, places->space, addr, ns, &name,
						  &begin, &end);
		if (!name.name || !name.is_lasting || name.is_user ||
		    !keep_name(places, kept, &name, begin, end)) {
			put_text(places, &name, addr);
			return keep_text(places, place, addr, ns, &name) ? place : NULL;
		}
	}
	keep_place(places, place, kept, addr);
	return place;
}
