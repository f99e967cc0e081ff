/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libtraceevent's plugin for events of kvm. The plugin calls tep_plugin_kvm_get_func(3) and
 * tep_plugin_kvm_put_func(3) of the program to resolve an address of a guest. They are defined
 * here, so that a program has either both them and the plugin or neither.
 *
 * tep_record.priv of an event holds the symbols (struct fargs_ksyms) of its guest, or NULL.
 */
#ifndef FARGS_MODEL_KVM_PLUGIN_H
#define FARGS_MODEL_KVM_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>

struct tep_event;
struct tep_handle;

struct fargs_kvm_plugin;

/*
 * Loads this plugin only, from the library's own directory, unless an environment variable names
 * another one: the caller must unset it. NULL: the plugin is not installed.
 */
struct fargs_kvm_plugin *fargs_kvm_plugin_load(struct tep_handle *tep);
/* Call before @tep is freed. */
void fargs_kvm_plugin_unload(struct fargs_kvm_plugin *plugin, struct tep_handle *tep);

/* Does the plugin print the text of @event, from fields that exist, whatever the data are? */
bool fargs_kvm_plugin_prints(struct tep_event *event);

/*
 * Number of bytes to replace at the start of the plugin's @text (@n bytes) of an exit, because
 * the plugin does not know the reason. 0: none.
 */
size_t fargs_kvm_plugin_unknown(const char *text, size_t n);
/*
 * Finds the reason in the kernel's own @text of an exit (@n bytes): sets *@words to it and
 * returns its length. 0: there is none.
 */
size_t fargs_kvm_plugin_reason(const char *text, size_t n, const char **words);

#endif
