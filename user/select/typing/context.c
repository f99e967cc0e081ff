// SPDX-License-Identifier: GPL-2.0-only
#include "select/typing/context.h"

#include <string.h>

#include "select/syntax/suggest.h"
#include "uapi/fargs_prog.h"
#include "uapi/fargs_record.h"

static const struct {
	const char *name;	/* name of the variable, including the $ */
	int ctx;
	struct fargs_scalar scalar;
} contexts[] = {
	{ "$comm", FARGS_CTX_COMM, { .type = FARGS_TYPE_PTR, .bits = 64 } },
	{ "$pid", FARGS_CTX_TGID, { .type = FARGS_TYPE_S32, .bits = 32, .is_signed = true } },
	{ "$tid", FARGS_CTX_TID, { .type = FARGS_TYPE_S32, .bits = 32, .is_signed = true } },
	{ "$cpu", FARGS_CTX_CPU, { .type = FARGS_TYPE_U32, .bits = 32 } },
	{ "$uid", FARGS_CTX_UID, { .type = FARGS_TYPE_U32, .bits = 32 } },
	{ "$caller", FARGS_CTX_CALLER,
	  { .type = FARGS_TYPE_PTR, .bits = 64, .is_pointer = true } },
	{ "$cgroup", FARGS_CTX_CGROUP, { .type = FARGS_TYPE_U64, .bits = 64 } },
	{ "$task", FARGS_CTX_TASK, { .type = FARGS_TYPE_PTR, .bits = 64, .is_pointer = true } },
	{ "$duration", FARGS_CTX_DURATION,
	  { .type = FARGS_TYPE_U64, .bits = 64, .is_duration = true } },
};

#define NR_CONTEXTS	(sizeof(contexts) / sizeof(contexts[0]))

int fargs_context_find(const struct fargs_node *node, struct fargs_diagnostic *m)
{
	struct fargs_near near = { };
	char wanted[32], names[FARGS_SUGGEST_MAX];
	size_t i;

	for (i = 0; i < NR_CONTEXTS; i++)
		if (fargs_node_is(node, contexts[i].name + 1))
			return contexts[i].ctx;
	if (node->len >= sizeof(wanted))
		return fargs_diagnostic_at(m, node->column, "there is no $ value of this name");
	memcpy(wanted, node->text, node->len);
	wanted[node->len] = '\0';
	near.wanted = wanted;
	for (i = 0; i < NR_CONTEXTS; i++)
		fargs_near_offer(&near, contexts[i].name + 1);
	fargs_suggest(&near, "$", names);
	return fargs_diagnostic_at(m, node->column, "there is no $%s%s", wanted, near.nr ? names :
				   ": the names are $comm $pid $tid $cpu $uid $caller $cgroup "
				   "$task $duration $ret");
}

void fargs_context_scalar(int ctx, struct fargs_scalar *s)
{
	size_t i;

	for (i = 0; i < NR_CONTEXTS; i++)
		if (contexts[i].ctx == ctx)
			*s = contexts[i].scalar;
}

void fargs_context_offer(struct fargs_near *near)
{
	size_t i;

	for (i = 0; i < NR_CONTEXTS; i++)
		if (!strcmp(contexts[i].name + 1, near->wanted))
			fargs_near_offer(near, contexts[i].name);
}
