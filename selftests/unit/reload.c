// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests symbols that identify functions of loaded modules after a reload. A function has such a
 * symbol only if its module's build ID is known, and its name is unique in the module.
 */
#include "unit/ktap.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "select/resolve/reload.h"

#define SYMBOLS	"ffffffff81000000 T vfs_read\n"			\
		"ffffffff81000100 t twice\n"			\
		"ffffffffc0100000 t once\t[known]\n"		\
		"ffffffffc0100040 t twice\t[known]\n"		\
		"ffffffffc0100080 t thrice\t[known]\n"		\
		"ffffffffc01000c0 t thrice\t[known]\n"		\
		"ffffffffc0200000 t twice\t[other]\n"		\
		"ffffffffc0300000 t once\t[nameless]\n"		\
		"ffffffffc0400000 t once\t[long_id]\n"

static struct fargs_ksyms *ksyms;
#define SYSFS	"/tmp/fargs-unit-XXXXXX"
static char sysfs[sizeof(SYSFS)];
static struct fargs_reload_modules modules = { .sysfs = sysfs };

/* Writes the note of a build ID of @n bytes, all @byte. */
static bool write_note(const char *module, uint32_t n, int byte)
{
	const uint32_t head[] = { 4, n, 3 };
	char path[256], id[64];
	FILE *file;

	memset(id, byte, sizeof(id));
	snprintf(path, sizeof(path), "%s/module/%s", sysfs, module);
	if (mkdir(path, 0700))
		return false;
	strcat(path, "/notes");
	if (mkdir(path, 0700))
		return false;
	strcat(path, "/.note.gnu.build-id");
	file = fopen(path, "we");
	return file && fwrite(head, sizeof(head), 1, file) == 1 &&
	       fwrite("GNU", 4, 1, file) == 1 && fwrite(id, n, 1, file) == 1 && !fclose(file);
}

static enum fargs_reload find(const char *module, const char *name, bool is_tpoint,
			      struct fargs_symbol *symbol)
{
	size_t i;

	for (i = 0; i < fargs_ksyms_count(ksyms); i++) {
		const struct fargs_ksym *sym = fargs_ksyms_at(ksyms, i);

		if (!strcmp(sym->name, name) && !strcmp(sym->module ? sym->module : "", module))
			return fargs_reload_find(&modules, ksyms, sym, is_tpoint, symbol);
	}
	return -1;
}

static void knows_a_unique_function(void)
{
	const uint8_t id[FARGS_SYMBOL_ID_MAX] = {
		7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
	};
	struct fargs_symbol symbol;

	CHECK_INT(find("known", "once", false, &symbol), FARGS_RELOAD_YES);
	CHECK_INT(symbol.index, FARGS_SYMBOL_UNIQUE);
	CHECK_INT(symbol.build_id_len, 20);
	CHECK(!memcmp(symbol.build_id, id, sizeof(id)));
	/* Functions of the same name in the kernel and in another module do not matter. */
	CHECK_INT(find("known", "twice", false, &symbol), FARGS_RELOAD_YES);
	CHECK_INT(find("other", "twice", false, &symbol), FARGS_RELOAD_YES);
	CHECK_INT(symbol.build_id[0], 8);
}

static void rejects_others(void)
{
	struct fargs_symbol symbol;

	CHECK_INT(find("", "vfs_read", false, &symbol), FARGS_RELOAD_UNUSED);
	CHECK_INT(find("known", "thrice", false, &symbol), FARGS_RELOAD_NOT_UNIQUE);
	CHECK_INT(find("nameless", "once", false, &symbol), FARGS_RELOAD_NO_BUILD_ID);
	/* struct fargs_symbol has no room for the ID. */
	CHECK_INT(find("long_id", "once", false, &symbol), FARGS_RELOAD_NO_BUILD_ID);
	/* Look up a module whose build ID was read before. */
	CHECK_INT(find("known", "once", false, &symbol), FARGS_RELOAD_YES);
	CHECK_INT(symbol.build_id[0], 7);
}

static void names_a_tracepoint_without_index(void)
{
	struct fargs_symbol symbol;

	CHECK_INT(find("known", "once", true, &symbol), FARGS_RELOAD_YES);
	CHECK_INT(symbol.index, 0);
	CHECK_INT(symbol.build_id_len, 20);
	CHECK_INT(find("nameless", "once", true, &symbol), FARGS_RELOAD_NO_BUILD_ID);
}

static const struct ktap_test tests[] = {
	{ "a function with a unique name in its module gets a symbol", knows_a_unique_function },
	{ "other functions get no symbol", rejects_others },
	{ "the symbol of a tracepoint has no index", names_a_tracepoint_without_index },
};

int main(void)
{
	char path[256];
	int status = 1;

	ksyms = fargs_ksyms_parse(SYMBOLS, strlen(SYMBOLS), NULL);
	memcpy(sysfs, SYSFS, sizeof(SYSFS));
	if (!ksyms || !mkdtemp(sysfs))
		return 1;
	snprintf(path, sizeof(path), "%s/module", sysfs);
	if (!mkdir(path, 0700) && write_note("known", 20, 7) && write_note("other", 16, 8) &&
	    write_note("long_id", 32, 9))
		status = ktap_run(tests, sizeof(tests) / sizeof(tests[0]));
	snprintf(path, sizeof(path), "rm -r %s", sysfs);
	if (system(path))
		status = 1;
	fargs_reload_modules_deinit(&modules);
	fargs_ksyms_destroy(ksyms);
	return status;
}
