// SPDX-License-Identifier: GPL-2.0-only
#include "select/resolve/rule.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Returns the rank: 2 if both MODULE and NAME are exact, 1 if only NAME is, 0 if NAME is a glob. */
static unsigned int rank_of(const struct fargs_pattern *pattern)
{
	if (!pattern->is_exact)
		return 0;
	return pattern->module && !strpbrk(pattern->module, "*?[") ? 2 : 1;
}

static int rule_init(struct fargs_rule *rule, const char *text, struct fargs_error_text *err)
{
	struct fargs_diagnostic diagnostic = { };
	int ret;

	if (fargs_selector_init(&rule->selector, text, &diagnostic))
		return fargs_diagnostic_fail(&diagnostic, text, err);
	ret = fargs_pattern_init(&rule->pattern, rule->selector.function, err);
	if (!ret)
		rule->rank = rank_of(&rule->pattern);
	return ret;
}

static int rule_init_tpoint(struct fargs_rule *rule, const char *text,
			    struct fargs_error_text *err)
{
	const struct fargs_items *at_return = &rule->selector.at_return;
	struct fargs_diagnostic diagnostic = { };
	int ret = rule_init(rule, text, err);

	if (ret || !rule->selector.has_return)
		return ret;
	fargs_diagnostic_at(&diagnostic, at_return->fetches ? at_return->fetches->column :
			    at_return->condition ? at_return->condition->column : 1,
			    FARGS_RULE_NO_RETURN);
	return fargs_diagnostic_fail(&diagnostic, text, err);
}

static int rule_init_scope(struct fargs_rule *rule, const char *text, struct fargs_error_text *err)
{
	const struct fargs_selector *sel = &rule->selector;
	const struct fargs_items *at_return = &sel->at_return;
	struct fargs_diagnostic diagnostic = { };
	int ret = rule_init(rule, text, err);

	if (ret)
		return ret;
	if (sel->entry.fetches)
		fargs_diagnostic_at(&diagnostic, sel->entry.fetches->column,
				    "calls of this function are not recorded: only a condition is "
				    "allowed, so compare the value with something");
	if (sel->has_return)
		fargs_diagnostic_at(&diagnostic, at_return->fetches ? at_return->fetches->column
							      : at_return->condition->column,
				    "the condition is evaluated at the call, when the return value "
				    "and duration are not yet known");
	return diagnostic.code ? fargs_diagnostic_fail(&diagnostic, text, err) : 0;
}

typedef int (*rule_init_fn)(struct fargs_rule *rule, const char *text,
			    struct fargs_error_text *err);

/* Parses the @nr selectors in @words, and appends their rules. */
static int parse(struct fargs_rules *rules, const char *const *words, size_t nr, rule_init_fn init,
		 struct fargs_error_text *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < nr; i++)
		ret = init(&rules->all[rules->nr++], words[i], err);
	return ret;
}

static int parse_unwanted(struct fargs_rules *rules, const struct fargs_patterns *patterns,
			  struct fargs_error_text *err)
{
	int ret = 0;

	while (!ret && rules->nr_unwanted < patterns->nr_unwanted) {
		ret = fargs_pattern_init(&rules->all_unwanted[rules->nr_unwanted],
					 patterns->unwanted[rules->nr_unwanted], err);
		rules->nr_unwanted++;
	}
	return ret;
}

static int allocate(struct fargs_rules *rules, const struct fargs_patterns *patterns)
{
	size_t nr = patterns->nr_wanted + patterns->nr_scopes + patterns->nr_triggers, i;

	rules->all = calloc(nr + 1, sizeof(*rules->all));
	rules->wanted = calloc(patterns->nr_wanted + 1, sizeof(*rules->wanted));
	rules->all_unwanted = calloc(patterns->nr_unwanted + 1, sizeof(*rules->all_unwanted));
	if (!rules->all || !rules->wanted || !rules->all_unwanted)
		return -ENOMEM;
	for (i = 0; i < patterns->nr_wanted; i++)
		rules->wanted[i] = &rules->all[i];
	rules->nr_wanted = patterns->nr_wanted;
	rules->scopes = rules->all + patterns->nr_wanted;
	rules->nr_scopes = patterns->nr_scopes;
	rules->triggers = rules->scopes + patterns->nr_scopes;
	rules->nr_triggers = patterns->nr_triggers;
	rules->unwanted = rules->all_unwanted;
	return 0;
}

int fargs_rules_init(struct fargs_rules *rules, const struct fargs_patterns *patterns,
		     struct fargs_error_text *err)
{
	rule_init_fn init = patterns->is_tpoint ? rule_init_tpoint : rule_init;
	int ret;

	*rules = (struct fargs_rules){
		.is_tpoint = patterns->is_tpoint, .options = patterns->options,
		.loaded = patterns->loaded, .unloaded = patterns->unloaded,
		.tracefs = patterns->tracefs, .missing = patterns->missing,
		.is_any = patterns->is_any,
	};
	if (allocate(rules, patterns))
		return fargs_fail(err, ENOMEM, "no memory for patterns");
	ret = parse(rules, patterns->wanted, patterns->nr_wanted, init, err);
	if (!ret)
		ret = parse(rules, patterns->scopes, patterns->nr_scopes, rule_init_scope, err);
	if (!ret)
		ret = parse(rules, patterns->triggers, patterns->nr_triggers, init, err);
	return ret ? ret : parse_unwanted(rules, patterns, err);
}

void fargs_rules_deinit(struct fargs_rules *rules)
{
	size_t i;

	for (i = 0; i < rules->nr; i++) {
		fargs_pattern_deinit(&rules->all[i].pattern);
		fargs_selector_deinit(&rules->all[i].selector);
	}
	for (i = 0; i < rules->nr_unwanted; i++)
		fargs_pattern_deinit(&rules->all_unwanted[i]);
	free(rules->all);
	free(rules->wanted);
	free(rules->all_unwanted);
	*rules = (struct fargs_rules){ };
}
