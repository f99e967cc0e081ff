/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libtraceevent's plugin for events of kvm. It asks the program for the function of a guest that
 * an address is in, by tep_plugin_kvm_get_func(3) and tep_plugin_kvm_put_func(3): this is where
 * these are, so that no program can have the one without the other.
 *
 * An event's guest is told by tep_record.priv: the symbols (struct fargs_ksyms), or NULL.
 */
#ifndef FARGS_DECODE_KVM_PLUGIN_H
#define FARGS_DECODE_KVM_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>

struct tep_event;
struct tep_handle;

struct fargs_kvm_plugin;

/*
 * Loads this one alone, out of the library's own directory unless a variable of the
 * environment, which the caller has to take away, names another. NULL: it is not there.
 */
struct fargs_kvm_plugin *fargs_kvm_plugin_load(struct tep_handle *tep);
/* Before @tep ends. */
void fargs_kvm_plugin_unload(struct fargs_kvm_plugin *plugin, struct tep_handle *tep);

/* Is the text of @event the plugin's, by fields that it has, whatever the data are? */
bool fargs_kvm_plugin_prints(struct tep_event *event);

/*
 * Of the plugin's @text (@n bytes) of an exit: how many bytes are to be replaced, since it does
 * not know the reason. 0: none.
 */
size_t fargs_kvm_plugin_unknown(const char *text, size_t n);
/*
 * The reason's words in the kernel's own @text of an exit (@n bytes): *@words of it. 0: there are
 * none.
 */
size_t fargs_kvm_plugin_reason(const char *text, size_t n, const char **words);

#endif
