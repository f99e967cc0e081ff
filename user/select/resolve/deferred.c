// SPDX-License-Identifier: GPL-2.0-only
#include "select/resolve/deferred.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/glob.h"
#include "base/unpack.h"
#include "kernel/btf/btfs.h"
#include "kernel/btf/file.h"
#include "kernel/btf/split.h"
#include "kernel/module_path.h"
#include "select/resolve/missing.h"
#include "select/resolve/named.h"
#include "select/resolve/tpoints.h"
#include "uapi/fargs_layout.h"

#define MODULES	"/lib/modules"

static bool is_loaded(const struct fargs_ksyms *ksyms, const char *module)
{
	size_t i, nr = fargs_ksyms_count(ksyms);

	for (i = 0; i < nr; i++) {
		const char *other = fargs_ksyms_at(ksyms, i)->module;

		if (other && !strcmp(other, module))
			return true;
	}
	return false;
}

static struct fargs_deferred_module *find(struct fargs_deferred *deferred, const char *module)
{
	size_t i;

	for (i = 0; i < deferred->nr_modules; i++)
		if (!strcmp(deferred->modules[i].name, module))
			return &deferred->modules[i];
	return NULL;
}

/* Returns the module that @rule names if that module is not loaded; else NULL. */
static const char *absent_module(const struct fargs_kernel *kernel, const struct fargs_rule *rule)
{
	const char *module = rule->pattern.module;

	if (!module || fargs_glob_is_pattern(module) || !strcmp(module, FARGS_BTF_VMLINUX) ||
	    strlen(module) >= sizeof(((struct fargs_deferred_module *)NULL)->name) ||
	    is_loaded(kernel->ksyms, module))
		return NULL;
	return module;
}

/* Relocates the BTF of @file to the kernel's BTF, and adds it to kernel->btfs. */
static int add_btf(const struct fargs_kernel *kernel, const char *module, const char *path,
		   const struct fargs_btf_file *file, struct fargs_error_text *err)
{
	struct btf *base = fargs_btfs_get(kernel->btfs, FARGS_BTF_VMLINUX, err);
	size_t bytes = file->bytes;
	struct fargs_error_text why;
	struct utsname uts;
	void *data = NULL;
	int ret;

	if (!base)
		return -ENOENT;
	/* The BTF was already added for selectors of functions; this call is for tracepoints. */
	if (fargs_btfs_get(kernel->btfs, module, NULL))
		return 0;
	uname(&uts);
	if (file->release[0] && strcmp(file->release, uts.release))
		return fargs_fail(err, ESTALE, "'%s' is for kernel %s, but this is %s", path,
				  file->release, uts.release);
	if (!file->is_split)
		return fargs_fail(err, EINVAL, "the BTF of '%s' is not split BTF based on the "
				  "kernel's",
				  path);
	if (file->base) {
		data = fargs_btf_split_relocate(file->data, file->bytes, file->base,
						file->base_bytes, base, &bytes, &why);
		if (!data)
			return fargs_fail(err, EINVAL, "'%s': %s", path, why.text);
	} else if (!fargs_btf_split_fits(file->data, file->bytes, base)) {
		return fargs_fail(err, ESTALE, "'%s' was generated for the BTF of another "
				  "kernel", path);
	}
	ret = fargs_btfs_add(kernel->btfs, module, data ? data : file->data, bytes, err);
	free(data);
	return ret;
}

/* Appends the deferred layout of one match. */
static int defer(struct fargs_layouts *layouts, const struct fargs_deferred_module *module,
		 const struct fargs_match *match, const struct fargs_build_id *id)
{
	struct fargs_symbol symbol = {
		.index = module->tpoints ? 0 : fargs_module_file_index(module->file, match->sym),
	};
	uint32_t flags = FARGS_LAYOUT_DEFERRED | (module->tpoints ? FARGS_LAYOUT_TPOINT : 0);

	if (id->bytes <= sizeof(symbol.build_id)) {
		symbol.build_id_len = id->bytes;
		memcpy(symbol.build_id, id->data, id->bytes);
	}
	return fargs_layouts_add_named(layouts, module->sel->layouts.data + match->offset,
				       flags, &symbol, module->name, match->sym->name);
}

static struct fargs_select *select_in(struct fargs_deferred_module *module,
				      const struct fargs_rules *rules,
				      const struct fargs_kernel *kernel,
				      struct fargs_error_text *err)
{
	const struct fargs_ksyms *functions = fargs_module_file_ksyms(module->file);

	if (!rules->is_tpoint)
		return fargs_select_by_rules(rules, functions, kernel->btfs,
					     fargs_module_file_avail(module->file), false, err);
	module->tpoints = fargs_tpoint_ksyms(functions, err);
	if (module->tpoints)
		return fargs_select_by_rules(rules, module->tpoints, kernel->btfs, NULL, false,
					     err);
	fargs_fail(err, ENOENT, "module '%s', which is not loaded, has no "
		   "tracepoints", module->name);
	return NULL;
}

static int choose(struct fargs_deferred *deferred, struct fargs_deferred_module *module,
		  const struct fargs_rules *rules, const struct fargs_kernel *kernel,
		  const struct fargs_build_id *id, struct fargs_error_text *err)
{
	const struct fargs_rule **wanted __cleanup_free = calloc(rules->nr_wanted, sizeof(*wanted));
	struct fargs_rules own = *rules;
	const char *name;
	size_t i;
	int ret = 0;

	if (!wanted)
		return fargs_fail(err, ENOMEM, "no memory for selectors");
	own.wanted = wanted;
	own.nr_wanted = 0;
	own.variables = kernel->ksyms;
	/* Scopes and triggers are searched for in loaded modules only. */
	own.nr_scopes = 0;
	own.nr_triggers = 0;
	for (i = 0; i < rules->nr_wanted; i++) {
		name = absent_module(kernel, rules->wanted[i]);
		if (name && !strcmp(name, module->name))
			wanted[own.nr_wanted++] = rules->wanted[i];
	}
	module->sel = select_in(module, &own, kernel, err);
	if (!module->sel)
		return -EINVAL;
	for (i = 0; !ret && i < module->sel->nr_matches; i++)
		if (defer(&deferred->layouts, module, &module->sel->matches[i], id))
			ret = fargs_fail(err, ENOMEM, "no memory for layouts");
	return ret;
}

/* Reads the module's symbols and BTF from @fd, the module's file in decompressed form. */
static int read_module(struct fargs_deferred *deferred, struct fargs_deferred_module *module,
		       int fd, const char *path, const struct fargs_rules *rules,
		       const struct fargs_kernel *kernel, struct fargs_error_text *err)
{
	struct fargs_error_text why;
	struct fargs_btf_file btf;
	char at[64];
	int ret;

	/*
	 * Both readers of the file share the descriptor's offset. This is harmless: they map the
	 * file, or read it from its start.
	 */
	snprintf(at, sizeof(at), "/proc/self/fd/%d", fd);
	module->file = fargs_module_file_create(at, path, module->name, err);
	if (!module->file)
		return -EINVAL;
	ret = fargs_btf_file_init(&btf, at, &why);
	if (ret == -ENODATA)
		return fargs_fail(err, ENODATA, "module '%s' is not loaded, and '%s' has no BTF "
				  "that describes the arguments of its "
				  "functions", module->name, path);
	if (ret)
		return fargs_fail(err, -ret, "cannot read the BTF of '%s'", path);
	ret = add_btf(kernel, module->name, path, &btf, err);
	if (!ret)
		ret = choose(deferred, module, rules, kernel, &btf.build_id, err);
	fargs_btf_file_deinit(&btf);
	return ret;
}

/*
 * Adds a hint for users of perf and bpftrace, who prefix the name of a tracepoint with the system
 * of its event.
 */
static int fail_path(const char *name, bool is_tpoint, struct fargs_error_text *err)
{
	size_t used = strlen(err->text);

	if (is_tpoint)
		snprintf(err->text + used, sizeof(err->text) - used, "; names of tracepoints have "
			 "no system: write the name alone, or '-e %s:EVENT' for formatted "
			 "events", name);
	return -ENOENT;
}

static int add_module(struct fargs_deferred *deferred, const char *name,
		      const struct fargs_rules *rules, const struct fargs_kernel *kernel,
		      struct fargs_error_text *err)
{
	struct fargs_deferred_module *larger, *module;
	char *path;
	int fd, ret;

	larger = realloc(deferred->modules, (deferred->nr_modules + 1) * sizeof(*larger));
	if (!larger)
		return fargs_fail(err, ENOMEM, "no memory for modules");
	deferred->modules = larger;
	module = &larger[deferred->nr_modules++];
	memset(module, 0, sizeof(*module));
	snprintf(module->name, sizeof(module->name), "%s", name);
	path = fargs_module_path(MODULES, name, err);
	if (!path)
		return fail_path(name, rules->is_tpoint, err);
	fd = fargs_unpack_open(path, err);
	ret = fd < 0 ? fd : read_module(deferred, module, fd, path, rules, kernel, err);
	if (fd >= 0)
		close(fd);
	free(path);
	return ret;
}

static void free_module(struct fargs_deferred_module *module)
{
	fargs_select_destroy(module->sel);
	fargs_ksyms_destroy(module->tpoints);
	fargs_module_file_destroy(module->file);
}

/* Removes the last module if nothing is selected in it. */
static void drop_empty(struct fargs_deferred *deferred)
{
	struct fargs_deferred_module *last = &deferred->modules[deferred->nr_modules - 1];

	if (last->sel && last->sel->nr_matches)
		return;
	free_module(last);
	deferred->nr_modules--;
}

/* Adds the module @name, which @rule selects. */
static int add_or_skip(struct fargs_deferred *deferred, const char *name,
		       const struct fargs_rules *rules, const struct fargs_rule *rule,
		       const struct fargs_kernel *kernel, struct fargs_error_text *err)
{
	struct fargs_missing *missing = rules->missing;
	int ret = add_module(deferred, name, rules, kernel, err);
	/* This kernel has no such module. Its other failures are no fault of the selector. */
	bool is_missing = ret == -ENOENT && !deferred->modules[deferred->nr_modules - 1].file;

	if (missing && is_missing && missing->is_ok)
		ret = fargs_missing_add(missing, rule->pattern.text, NULL) ?
		      fargs_fail(err, ENOMEM, "no memory for selectors") : 0;
	else if (missing && is_missing)
		missing->has_failed = true;
	if (missing && !ret)
		drop_empty(deferred);
	return ret;
}

int fargs_deferred_init(struct fargs_deferred *deferred, const struct fargs_rules *rules,
			const struct fargs_kernel *kernel, struct fargs_error_text *err)
{
	const char *name;
	size_t i;
	int ret = 0;

	memset(deferred, 0, sizeof(*deferred));
	deferred->wanted = calloc(rules->nr_wanted + 1, sizeof(*deferred->wanted));
	if (!deferred->wanted)
		return fargs_fail(err, ENOMEM, "no memory for selectors");
	for (i = 0; !ret && i < rules->nr_wanted; i++) {
		name = absent_module(kernel, rules->wanted[i]);
		if (!name)
			deferred->wanted[deferred->nr_wanted++] = rules->wanted[i];
		else if (!find(deferred, name))
			ret = add_or_skip(deferred, name, rules, rules->wanted[i], kernel, err);
	}
	return ret;
}

void fargs_deferred_deinit(struct fargs_deferred *deferred)
{
	size_t i;

	for (i = 0; i < deferred->nr_modules; i++)
		free_module(&deferred->modules[i]);
	free(deferred->modules);
	free(deferred->wanted);
	fargs_layouts_deinit(&deferred->layouts);
	memset(deferred, 0, sizeof(*deferred));
}
