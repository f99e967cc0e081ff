// SPDX-License-Identifier: GPL-2.0-only
#include "select/resolve/any.h"

#include <errno.h>

#include "abi/signature.h"

bool fargs_any_is_possible(enum fargs_refusal why)
{
	switch (why) {
	case FARGS_REFUSAL_CLONE:
	case FARGS_REFUSAL_FRAGMENT:
	case FARGS_REFUSAL_AMBIGUOUS:
	case FARGS_REFUSAL_ALIAS:
	case FARGS_REFUSAL_NO_BTF:
	case FARGS_REFUSAL_NO_MODULE_BTF:
	case FARGS_REFUSAL_MANY:
	case FARGS_REFUSAL_AGGREGATE:
	case FARGS_REFUSAL_ALIGNMENT:
	case FARGS_REFUSAL_FLOAT:
	case FARGS_REFUSAL_MALFORMED:
		return true;
	default:
		return false;
	}
}

/*
 * Does a rule for the function request nothing but its calls? The rules with the highest rank
 * decide, as for other functions: a rule with a condition must not be replaced by one without.
 */
static bool is_plain_wanted(const struct fargs_active_rule *actives, size_t nr)
{
	const struct fargs_active_rule *first = NULL;
	size_t i;

	for (i = 0; i < nr; i++)
		if (actives[i].is_matching && (!first || actives[i].rule->rank > first->rule->rank))
			first = &actives[i];
	return first && fargs_selector_is_plain(&first->rule->selector);
}

int fargs_any_apply(struct fargs_rule_applier *w, struct fargs_active_rule *actives, size_t nr,
		    const struct btf *btf, struct fargs_layouts *layouts,
		    struct fargs_match *match)
{
	const struct fargs_signature func = { .btf = btf, .name = match->sym->name };
	struct fargs_diagnostic ignored = { };
	size_t offset = layouts->bytes, i;
	enum fargs_refusal why;
	int ret;

	if (w->options->is_only_errors || !is_plain_wanted(actives, nr))
		return 0;
	ret = fargs_bind(w->bound, NULL, &func, w->options, &w->constants, &ignored);
	if (!ret)
		ret = fargs_layout_compile_bound(layouts, &func, w->bound, match->sym->addr, &why);
	if (ret || why)
		return ret == -ENOMEM ? ret : 0;
	match->offset = offset;
	match->why = FARGS_REFUSAL_NONE;
	match->func_id = 0;
	match->is_unproven = true;
	for (i = 0; i < nr; i++)
		actives[i].nr_matched += actives[i].is_matching;
	return 0;
}
