// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/list_members.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "abi/signature.h"
#include "base/cleanup.h"
#include "base/put.h"
#include "cmd/screen/cmd.h"
#include "kernel/btf/proto.h"
#include "select/resolve/tpoints.h"
#include "select/syntax/selector.h"
#include "select/typing/constant.h"
#include "select/typing/member.h"
#include "select/typing/path.h"
#include "select/typing/typename.h"
#include "session/traceable.h"

/* A selector, and the first function that it matches. */
struct members {
	struct fargs_selector sel;
	struct fargs_constants constants;
	struct fargs_signature func;
	struct fargs_proto *proto;
	struct fargs_diagnostic diagnostic;
};

static int print_member(void *arg, const char *name, uint32_t type_id, uint32_t bitfield_bits)
{
	struct members *m = arg;
	const char *text = fargs_proto_decl(m->proto, type_id, name);

	if (!text)
		return -errno;
	/* BTF may come from an untrusted file, so the name is escaped. */
	fargs_print_escaped(stdout, name);
	putchar('\t');
	fargs_print_escaped(stdout, text);
	if (bitfield_bits)
		printf(":%u", bitfield_bits);
	putchar('\n');
	return 0;
}

static int print_params(struct members *m)
{
	char unnamed[FARGS_SIGNATURE_UNNAMED];
	int ret = 0;
	size_t i;

	for (i = 0; !ret && i < m->func.nr_params; i++)
		ret = print_member(m, fargs_signature_param_name(&m->func, i, unnamed),
				   m->func.params[i].type_id, 0);
	return ret;
}

/* Returns the last expression of the selector, or NULL if it has none. */
static const struct fargs_node *find_node(const struct fargs_selector *sel)
{
	const struct fargs_node *node = sel->has_return ? sel->at_return.fetches :
							  sel->entry.fetches;

	while (node && node->next)
		node = node->next;
	return node && node->kind == FARGS_NODE_FORMAT ? node->a : node;
}

static int print_members_of(struct members *m, const struct fargs_node *node)
{
	char name[FARGS_TYPENAME_MAX];
	const struct btf *btf = m->func.btf;
	const struct btf_type *t;
	struct fargs_path path;
	struct fargs_ctype type;
	uint64_t bytes;
	int ret = fargs_path_init(&path, &m->constants, &m->func, node, &m->diagnostic);

	if (ret)
		return ret;
	type = (struct fargs_ctype){ .id = path.type_id, .pointers = path.pointers };
	t = btf__type_by_id(btf, path.base_id);
	if (path.pointers || (t && (btf_is_ptr(t) || btf_is_array(t))))
		ret = fargs_path_element(&path, &m->func, node, &type, &bytes, &m->diagnostic);
	if (ret)
		return ret;
	fargs_path_set_type(&path, btf, &type);
	t = btf__type_by_id(btf, path.base_id);
	if (!t || !btf_is_composite(t))
		return fargs_diagnostic_at(&m->diagnostic, node->column, "%s has no members",
					   fargs_path_typename(&path, btf, name));
	return fargs_member_each(btf, path.base_id, print_member, m);
}

/* Returns 0, or -errno with the reason in @err. */
static int print_of_match(struct members *m, const struct fargs_match *match,
			  struct fargs_error_text *err)
{
	const struct fargs_node *node = find_node(&m->sel);
	enum fargs_refusal why = match->is_tpoint ?
		fargs_signature_init_tpoint(&m->func, match->btf, match->func_id) :
		fargs_signature_init(&m->func, match->btf, match->func_id);
	int ret;

	if (why)
		return fargs_fail(err, EINVAL, "'%s': %s", match->sym->name,
				  fargs_refusal_text(why));
	m->proto = fargs_proto_create(match->btf);
	if (!m->proto)
		return fargs_fail(err, ENOMEM, "no memory for declarations");
	ret = node ? print_members_of(m, node) : print_params(m);
	if (m->diagnostic.code)
		return fargs_diagnostic_fail(&m->diagnostic, m->sel.text, err);
	return ret ? fargs_fail(err, -ret, "cannot print members: %s", strerror(-ret)) : 0;
}

static int print_of_function(struct members *m, const struct fargs_rules *rules,
			     struct fargs_kernel *kernel, struct fargs_error_text *err)
{
	struct fargs_select *sel = fargs_traceable_select(kernel, rules, false, err);
	int ret;

	if (!sel)
		return -EINVAL;
	ret = print_of_match(m, &sel->matches[0], err);
	fargs_select_destroy(sel);
	return ret;
}

static int print_of_tpoint(struct members *m, const struct fargs_rules *rules,
			   struct fargs_kernel *kernel, struct fargs_error_text *err)
{
	struct fargs_tpoints tpoints = { };
	const struct fargs_select *sel;
	int ret = fargs_tpoints_init(&tpoints, rules, kernel, false, err);

	if (!ret) {
		sel = tpoints.sel ? tpoints.sel : tpoints.deferred.modules[0].sel;
		ret = print_of_match(m, &sel->matches[0], err);
	}
	fargs_tpoints_deinit(&tpoints);
	return ret;
}

static int print_of(const char *text, bool is_tpoint, struct fargs_kernel *kernel)
{
	struct fargs_rules rules __cleanup_with(fargs_rules_deinit) = { };
	struct members m = { };
	const char *function;
	struct fargs_patterns patterns = { .wanted = &function, .nr_wanted = 1,
					   .is_tpoint = is_tpoint };
	struct fargs_error_text err;
	int ret;

	if (fargs_selector_init(&m.sel, text, &m.diagnostic)) {
		ret = fargs_diagnostic_fail(&m.diagnostic, text, &err);
	} else {
		function = m.sel.function;
		ret = fargs_rules_init(&rules, &patterns, &err);
		if (!ret)
			ret = is_tpoint ? print_of_tpoint(&m, &rules, kernel, &err) :
					  print_of_function(&m, &rules, kernel, &err);
	}
	if (ret)
		cmd_fail("%s", err.text);
	fargs_proto_destroy(m.proto);
	fargs_constants_deinit(&m.constants);
	fargs_selector_deinit(&m.sel);
	return !!ret;
}

int fargs_list_members(const struct fargs_list *selectors, bool is_tpoint,
		       struct fargs_kernel *kernel)
{
	int ret = 0;
	size_t i;

	for (i = 0; !ret && i < selectors->nr; i++)
		ret = print_of(selectors->words[i], is_tpoint, kernel);
	if (fflush(stdout) && errno != EPIPE)
		ret = cmd_fail("cannot write: %s", strerror(errno));
	return ret;
}
