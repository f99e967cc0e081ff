// SPDX-License-Identifier: GPL-2.0-only
#include "pipeline/filter/value.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/btf/btfs.h"
#include "model/flag_formats.h"
#include "pipeline/filter/eval.h"
#include "pipeline/filter/filter_check.h"
#include "select/syntax/parse.h"

#define NAME_BYTES	256

struct fargs_wanted {
	char *text;		/* text of the expression, into which nodes point */
	struct fargs_nodes nodes;
	const struct fargs_node *node;
	/* Its BTF is that of vmlinux or, if missing, @empty. */
	struct fargs_eval eval;
	struct btf *empty;
	char name[NAME_BYTES];
};

static int parse(struct fargs_wanted *w, struct fargs_diagnostic *m)
{
	struct fargs_items items = { };
	struct fargs_parser p;
	int ret;

	if (strlen(w->text) > FARGS_EXPR_TEXT_MAX)
		return fargs_diagnostic_at(m, FARGS_EXPR_TEXT_MAX, "the expression is longer than "
					   "%d bytes",
					   FARGS_EXPR_TEXT_MAX);
	ret = fargs_parser_init(&p, w->text, 0, &w->nodes, m);
	if (!ret)
		ret = fargs_parse_items(&p, &items);
	if (ret)
		return ret;
	if (p.token.kind != FARGS_TOKEN_END)
		return fargs_parser_fail(&p, "the end");
	if (items.condition || !items.fetches || items.fetches->next)
		return fargs_diagnostic_at(m, 1, "this should be a single value");
	w->node = items.fetches;
	return 0;
}

static int check(struct fargs_wanted *w, struct fargs_meta *meta, struct fargs_diagnostic *m)
{
	w->eval.btf = meta->btfs ? fargs_btfs_get(meta->btfs, FARGS_BTF_VMLINUX, NULL) : NULL;
	if (!w->eval.btf) {
		w->empty = btf__new_empty();
		w->eval.btf = w->empty;
	}
	w->eval.constants.symbolic = fargs_flag_formats_symbolic(meta);
	if (!w->eval.btf || !w->eval.constants.symbolic)
		return fargs_diagnostic_no_memory(m);
	return fargs_filter_check_value(w->node, meta, w->eval.btf, &w->eval.constants, m);
}

struct fargs_wanted *fargs_wanted_create(const char *text, struct fargs_meta *meta,
					 struct fargs_error_text *err)
{
	struct fargs_wanted *w = calloc(1, sizeof(*w));
	struct fargs_diagnostic m = { };

	if (w)
		w->text = strdup(text);
	if (!w || !w->text) {
		fargs_fail(err, ENOMEM, "out of memory");
	} else if (parse(w, &m) || check(w, meta, &m)) {
		fargs_diagnostic_fail(&m, text, err);
	} else {
		fargs_node_text(w->node, w->name, sizeof(w->name));
		return w;
	}
	fargs_wanted_destroy(w);
	return NULL;
}

void fargs_wanted_destroy(struct fargs_wanted *w)
{
	if (!w)
		return;
	fargs_nodes_deinit(&w->nodes);
	fargs_symbolic_destroy(w->eval.constants.symbolic);
	fargs_eval_deinit(&w->eval);
	btf__free(w->empty);
	free(w->text);
	free(w);
}

const char *fargs_wanted_name(const struct fargs_wanted *w)
{
	return w->name;
}

/* A name that is no value of the event must not become a constant. */
static bool is_computed(const struct fargs_node *node)
{
	switch (node->kind) {
	case FARGS_NODE_FORMAT:
		return is_computed(node->a);
	case FARGS_NODE_CAST:
	case FARGS_NODE_ADDRESS:
	case FARGS_NODE_CONTAINER:
	case FARGS_NODE_SIZEOF:
	case FARGS_NODE_NEGATIVE:
	case FARGS_NODE_INVERT:
		return true;
	default:
		return fargs_node_is_arithmetic(node);
	}
}

int fargs_wanted_get(struct fargs_wanted *w, struct fargs_decoder *d, const struct fargs_event *ev,
		     struct fargs_found *found)
{
	struct fargs_found string;
	int ret = fargs_lookup(&w->eval.lookup, d, ev, w->node, found);

	w->eval.d = d;
	w->eval.ev = ev;
	if (!ret && found->kind == FARGS_FOUND_NONE && is_computed(w->node) &&
	    !fargs_eval_number(&w->eval, w->node, NULL, found))
		*found = (struct fargs_found){ };
	if (!ret && w->eval.is_short)
		return -ENOMEM;
	if (ret || found->kind == FARGS_FOUND_STRING || found->kind == FARGS_FOUND_NONE)
		return ret;
	if (w->node->kind == FARGS_NODE_FORMAT)
		found->format = w->node->format;
	/* Prefer the string fetched from an address, or the symbol there, to the address itself. */
	ret = found->is_pointer || found->kind == FARGS_FOUND_WHOLE ?
	      fargs_lookup_string(&w->eval.lookup, d, ev, w->node, &string) : 0;
	if (!ret && (found->is_pointer || found->kind == FARGS_FOUND_WHOLE) &&
	    string.kind == FARGS_FOUND_STRING)
		*found = string;
	return ret;
}
