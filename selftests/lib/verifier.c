// SPDX-License-Identifier: GPL-2.0-only
#include "verifier.h"

#include <stdlib.h>
#include <string.h>

/* The module's headers, not those of the same names in user/. */
#include "../../kmod/layout/layout.h"
#include "../../kmod/base/refusal.h"
#include "../../kmod/prog/template.h"

#define GUARD_BYTES	4096

static struct fargs_refusal refusal;

const char *verifier_check(const void *data, size_t bytes)
{
	void *template;
	int ret;

	fargs_refusal_init(&refusal);
	ret = fargs_layout_verify(data, bytes, 0, &refusal);
	if (ret < 0)
		return refusal.error.text;
	if ((size_t)ret != bytes)
		return "the layout is shorter than its buffer";
	/*
	 * The layout is copied to memory of its exact size, so that a sanitizer detects accesses
	 * outside it.
	 */
	template = malloc(fargs_template_size(data));
	if (!template)
		return "no memory for the template";
	fargs_template_make(data, NULL, template);
	free(template);
	return NULL;
}

uint32_t verifier_field(void)
{
	return refusal.error.field;
}

uint32_t verifier_reads(const void *data)
{
	u32 field = FARGS_NONE;
	bool reads = fargs_layout_reads(data, &field) != FARGS_READS_NOTHING;

	return reads == (field != FARGS_NONE) ? field : 0;
}

bool verifier_template_fits(const void *data)
{
	size_t i, bytes = fargs_template_size(data);
	u8 *template = malloc(bytes + GUARD_BYTES);
	bool is_whole = template;

	if (!template)
		return false;
	memset(template + bytes, 0xee, GUARD_BYTES);
	fargs_template_make(data, NULL, template);
	for (i = 0; i < GUARD_BYTES; i++)
		is_whole &= template[bytes + i] == 0xee;
	free(template);
	return is_whole;
}

size_t verifier_template_bytes(const void *data)
{
	return fargs_template_size(data);
}
