/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libtraceevent's plugin for events of kvm. To resolve an address of a guest, the plugin calls
 * tep_plugin_kvm_get_func(3) and tep_plugin_kvm_put_func(3), which the program must define.
 * kvm_plugin.c defines them, so that every program that loads the plugin has them.
 *
 * tep_record.priv of an event points to the symbols (struct fargs_ksyms) of its guest, or is NULL.
 */
#ifndef FARGS_MODEL_KVM_PLUGIN_H
#define FARGS_MODEL_KVM_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>

struct tep_event;
struct tep_handle;

struct fargs_kvm_plugin;

/*
 * Loads only the plugin of kvm, from libtraceevent's own directory. The caller must unset the
 * environment variable that would name another directory. Returns NULL if the plugin is not
 * installed.
 */
struct fargs_kvm_plugin *fargs_kvm_plugin_load(struct tep_handle *tep);
/* Unloads the plugin. To be called before @tep is freed. */
void fargs_kvm_plugin_unload(struct fargs_kvm_plugin *plugin, struct tep_handle *tep);

/*
 * Can the plugin print @event? Returns true if the event has the fields that the plugin needs, and
 * printing is safe for any data.
 */
bool fargs_kvm_plugin_prints(struct tep_event *event);

/*
 * @text (@n bytes) is the plugin's text for an exit. If the plugin cannot name the reason of the
 * exit, returns the number of bytes at the start of @text that are to be replaced; otherwise 0.
 */
size_t fargs_kvm_plugin_unknown(const char *text, size_t n);
/*
 * Finds the reason in the kernel's own @text (@n bytes) of an exit. Sets *@words to the reason and
 * returns its length, or 0 if there is none.
 */
size_t fargs_kvm_plugin_reason(const char *text, size_t n, const char **words);

#endif
