// SPDX-License-Identifier: GPL-2.0-only
#include "verifier.h"

#include <stdlib.h>

/* Not the tool's header of that name: the module's. */
#include "../../kmod/layout.h"
#include "../../kmod/refusal.h"
#include "../../kmod/template.h"

const char *verifier_check(const void *data, size_t bytes)
{
	static struct fargs_refusal refusal;
	void *template;
	int ret;

	fargs_refusal_init(&refusal);
	ret = fargs_layout_verify(data, bytes, 0, &refusal);
	if (ret < 0)
		return refusal.error.text;
	if ((size_t)ret != bytes)
		return "it is shorter than its bytes";
	/* Memory of its exact size, so that a sanitizer sees any step out of it. */
	template = malloc(fargs_template_size(data));
	if (!template)
		return "no memory for its template";
	fargs_template_make(data, template);
	free(template);
	return NULL;
}

size_t verifier_template_bytes(const void *data)
{
	return fargs_template_size(data);
}
