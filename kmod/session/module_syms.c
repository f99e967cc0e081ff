// SPDX-License-Identifier: GPL-2.0-only
#include "session/module_syms.h"

#include <linux/elf.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#include "compat/module.h"

void fargs_module_syms_each(const struct module *mod,
			    void (*fn)(void *arg, const char *name, unsigned long addr),
			    void *arg)
{
	const struct mod_kallsyms *kallsyms;
	u32 i;

	/*
	 * Only the task that loads the module replaces the table, and that task is running this
	 * notifier. module_kallsyms_on_each_symbol(), which takes a lock and is not exported, walks
	 * the table in the same way.
	 */
	kallsyms = rcu_dereference_protected(mod->kallsyms, mod->state == MODULE_STATE_COMING);
	for (i = 1; i < kallsyms->num_symtab; i++) {
		const Elf_Sym *sym = &kallsyms->symtab[i];

		/* After relocation, st_value is an address. */
		if (sym->st_shndx != SHN_UNDEF && ELF_ST_TYPE(sym->st_info) == STT_FUNC)
			fn(arg, kallsyms->strtab + sym->st_name, sym->st_value);
	}
}

/*
 * Searches the module's read-only data for the note with the build ID. sysfs does not show the note
 * yet while the module is COMING, and the kernel stores the build ID in struct module only with
 * CONFIG_STACKTRACE_BUILD_ID, which Debian does not set.
 */
bool fargs_module_has_build_id(const struct module *mod, const u8 *id, u32 len)
{
	const struct elf_note head = { .n_namesz = 4, .n_descsz = len, .n_type = 3 };
	const u32 note_bytes = sizeof(head) + 4 + len;
	size_t bytes, at;
	const u8 *rodata = fargs_compat_module_rodata(mod, &bytes);

	for (at = 0; at + note_bytes <= bytes; at += 4) {
		const u8 *note = rodata + at;

		if (!memcmp(note, &head, sizeof(head)) &&
		    !memcmp(note + sizeof(head), "GNU", 4) &&
		    !memcmp(note + sizeof(head) + 4, id, len))
			return true;
	}
	return false;
}
