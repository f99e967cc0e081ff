// SPDX-License-Identifier: GPL-2.0-only
#include "model/kvm_plugin.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>

#include "kernel/sym/ksyms.h"

#define PLUGIN		"plugin_kvm.so"
#define REASON		"reason "
#define UNKNOWN		REASON "UNKNOWN ("

/*
 * Attributes of tep_plugin_kvm_get_func() and tep_plugin_kvm_put_func(), which the plugin looks up
 * by name when it is loaded. Nothing in fargs calls these functions, but they must be in the
 * dynamic symbol table, even if other symbols are hidden.
 */
#if defined(__has_attribute) && __has_attribute(retain)
#define FOR_PLUGIN	__attribute__((visibility("default"), used, retain, noinline))
#else
#define FOR_PLUGIN	__attribute__((visibility("default"), used, noinline))
#endif

/* No header of libtraceevent declares these two functions. */
const char *tep_plugin_kvm_get_func(struct tep_event *event, struct tep_record *record,
				    unsigned long long *paddr);
void tep_plugin_kvm_put_func(const char *func);

struct fargs_kvm_plugin {
	void *handle;
	tep_plugin_unload_func unload;
};

/*
 * Returns the word to print before the name of the guest's function: "exit" or "enter". NULL: the
 * address in @event is not a guest's.
 */
static const char *way_of(const struct tep_event *event)
{
	return !strcmp(event->name, "kvm_exit") ? "exit" :
	       !strcmp(event->name, "kvm_entry") ? "enter" : NULL;
}

FOR_PLUGIN const char *tep_plugin_kvm_get_func(struct tep_event *event, struct tep_record *record,
					       unsigned long long *paddr)
{
	const struct fargs_ksyms *syms = record->priv;
	const char *way = way_of(event);
	const struct fargs_ksym *sym = syms && way ? fargs_ksyms_find_addr(syms, *paddr) : NULL;
	char *text;

	if (!sym || asprintf(&text, "%s %s", way, sym->name) < 0)
		return NULL;
	/*
	 * Return the start of the function in *paddr: the plugin then prints the address as an
	 * offset from it.
	 */
	*paddr = sym->addr;
	return text;
}

FOR_PLUGIN void tep_plugin_kvm_put_func(const char *func)
{
	free((char *)func);
}

/* Called for each plugin that libtraceevent finds. Loads the plugin if it is kvm's. */
static void take(struct tep_handle *tep, const char *path, const char *name, void *data)
{
	struct fargs_kvm_plugin *plugin = data;
	tep_plugin_load_func load;
	char *file;

	if (plugin->handle || strcmp(name, PLUGIN) || asprintf(&file, "%s/%s", path, name) < 0)
		return;
	plugin->handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	free(file);
	if (!plugin->handle)
		return;
	load = (tep_plugin_load_func)dlsym(plugin->handle, TEP_PLUGIN_LOADER_NAME);
	plugin->unload = (tep_plugin_unload_func)dlsym(plugin->handle, TEP_PLUGIN_UNLOADER_NAME);
	/* A plugin that cannot unregister its functions could not be unloaded, so do not use it. */
	if (load && plugin->unload && !load(tep))
		return;
	dlclose(plugin->handle);
	plugin->handle = NULL;
}

struct fargs_kvm_plugin *fargs_kvm_plugin_load(struct tep_handle *tep)
{
	struct fargs_kvm_plugin *plugin = calloc(1, sizeof(*plugin));

	if (!plugin)
		return NULL;
	tep_load_plugins_hook(tep, ".so", take, plugin);
	if (plugin->handle)
		return plugin;
	free(plugin);
	return NULL;
}

void fargs_kvm_plugin_unload(struct fargs_kvm_plugin *plugin, struct tep_handle *tep)
{
	if (!plugin)
		return;
	plugin->unload(tep);
	dlclose(plugin->handle);
	free(plugin);
}

/*
 * Returns true only for kvm_exit and kvm_entry. The events of emulated instructions are not safe:
 * the plugin takes the number of instruction bytes from the data without a check, and writes the
 * bytes to a buffer that threads share. Since Linux 5.10, events of nested guests lack the fields
 * that the plugin expects.
 */
bool fargs_kvm_plugin_prints(struct tep_event *event)
{
	if (strcmp(event->system, "kvm"))
		return false;
	if (!strcmp(event->name, "kvm_exit"))
		return tep_find_field(event, "exit_reason") && tep_find_field(event, "guest_rip");
	if (!strcmp(event->name, "kvm_entry"))
		return tep_find_field(event, "vcpu_id") && tep_find_field(event, "rip");
	return false;
}

size_t fargs_kvm_plugin_unknown(const char *text, size_t n)
{
	const char *end;

	if (n < strlen(UNKNOWN) || memcmp(text, UNKNOWN, strlen(UNKNOWN)))
		return 0;
	end = memchr(text, ')', n);
	return end ? end + 1 - text : 0;
}

size_t fargs_kvm_plugin_reason(const char *text, size_t n, const char **words)
{
	const char *from = memmem(text, n, REASON, strlen(REASON)), *end;

	if (!from)
		return 0;
	from += strlen(REASON);
	end = memmem(from, text + n - from, " rip 0x", strlen(" rip 0x"));
	*words = from;
	return end ? end - from : 0;
}
