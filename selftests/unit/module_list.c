// SPDX-License-Identifier: GPL-2.0-only
/* Tests addresses of modules from /proc/modules, and symbols of addresses in modules. */
#include "unit/ktap.h"

#include <errno.h>
#include <stdlib.h>

#include "kernel/sym/ksyms.h"
#include "kernel/sym/module_list.h"

#define MODULES	"late 16384 0 - Live 0xffffffffc0300000\n"			\
		"nf_tables 282624 3 nft_ct,nft_chain_nat, Live 0xffffffffc0100000\n"	\
		"tainted 4096 0 - Live 0xffffffffc0200000 (OE)\n"

static struct fargs_error_text err;

static struct fargs_module_list *list_of(const char *text)
{
	return fargs_module_list_parse(text, strlen(text), &err);
}

static void finds(const struct fargs_module_list *l, uint64_t addr, const char *label)
{
	const struct fargs_module_place *place = fargs_module_list_find(l, addr);

	CHECK_STR(place ? place->label : "", label);
}

static void finds_modules_by_address(void)
{
	struct fargs_module_list *l = list_of(MODULES);

	REQUIRE(l);
	CHECK_INT(fargs_module_list_count(l), 3);
	CHECK_STR(fargs_module_list_at(l, 0)->name, "nf_tables");
	CHECK_INT(fargs_module_list_at(l, 0)->bytes, 0x45000);
	finds(l, 0xffffffffc00fffff, "");
	finds(l, 0xffffffffc0100000, "[nf_tables]");
	finds(l, 0xffffffffc0144fff, "[nf_tables]");
	finds(l, 0xffffffffc0145000, "");
	finds(l, 0xffffffffc0200fff, "[tainted]");
	finds(l, 0xffffffffc0201000, "");
	finds(l, 0xffffffffc0303fff, "[late]");
	finds(l, 0xffffffffc0304000, "");
	finds(l, 0, "");
	finds(l, UINT64_MAX, "");
	fargs_module_list_destroy(l);
}

/*
 * Tests overlapping ranges: since Linux 6.4, the size in /proc/modules includes all parts of a
 * module, but some parts may be far from the listed address.
 */
static void takes_the_nearer_of_two(void)
{
	struct fargs_module_list *l = list_of("a 65536 0 - Live 0xffffffffc0100000\n"
					      "b 4096 0 - Live 0xffffffffc0108000\n");

	REQUIRE(l);
	finds(l, 0xffffffffc0107fff, "[a]");
	finds(l, 0xffffffffc0108000, "[b]");
	fargs_module_list_destroy(l);
}

static void takes_a_kernel_without_modules(void)
{
	struct fargs_module_list *l = list_of("");

	REQUIRE(l);
	CHECK_INT(fargs_module_list_count(l), 0);
	finds(l, 0xffffffffc0100000, "");
	fargs_module_list_destroy(l);
}

static void takes_carriage_returns(void)
{
	struct fargs_module_list *l = list_of("a 4096 0 - Live 0xffffffffc0100000\r\n\r\n"
					      "b 4096 0 - Live 0xffffffffc0108000 (OE)\r");

	REQUIRE(l);
	CHECK_INT(fargs_module_list_count(l), 2);
	finds(l, 0xffffffffc0100fff, "[a]");
	finds(l, 0xffffffffc0108fff, "[b]");
	fargs_module_list_destroy(l);
}

static void refuses(const char *text, size_t n, int code, const char *why)
{
	err.text[0] = '\0';
	errno = 0;
	CHECK(!fargs_module_list_parse(text, n, &err));
	CHECK_INT(errno, code);
	CHECK_STR(err.text, why);
}

#define LINE(n)	"line " #n " is not in the format of /proc/modules"

static void refuses_other_forms(void)
{
	static const char *const bad[] = {
		"#!/bin/sh\n", "Module Size Used by\n", "a 4096 0 - Live\n",
		"a x 0 - Live 0xffffffffc0100000\n", "a -4096 0 - Live 0xffffffffc0100000\n",
		"a 4096 0 - Live 0xffffffffc010000g\n", "a 4096 0 - Live 0xfffffffffffff001\n",
		"a 99999999999999999999 0 - Live 0xffffffffc0100000\n",
		"ffffffff81000000 T startup_64\n",
	};
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		refuses(bad[i], strlen(bad[i]), EINVAL, LINE(1));
	refuses(MODULES "a\n", strlen(MODULES) + 2, EINVAL, LINE(4));
	refuses("a 4096 0 - Live 0x10\0\n", 22, EINVAL, LINE(1));
	refuses("\0\0\0\0", 4, EINVAL, LINE(1));
}

static void refuses_hidden_addresses(void)
{
	static const char zeros[] = "a 4096 0 - Live 0x0000000000000000\n"
				    "b 4096 0 - Live 0x0000000000000000\n";

	refuses(zeros, strlen(zeros), EPERM,
		"all addresses of modules are 0, because kernel.kptr_restrict hides them");
}

static void comes_back_from_its_text(void)
{
	struct fargs_module_list *l = list_of(MODULES), *again;
	size_t bytes, i;
	char *text;

	REQUIRE(l);
	text = fargs_module_list_text(l, &bytes);
	REQUIRE(text);
	CHECK_INT(bytes, strlen(text));
	again = fargs_module_list_parse(text, bytes, &err);
	REQUIRE(again);
	CHECK_INT(fargs_module_list_count(again), 3);
	for (i = 0; i < 3; i++) {
		CHECK_STR(fargs_module_list_at(again, i)->name, fargs_module_list_at(l, i)->name);
		CHECK_INT(fargs_module_list_at(again, i)->addr, fargs_module_list_at(l, i)->addr);
		CHECK_INT(fargs_module_list_at(again, i)->bytes, fargs_module_list_at(l, i)->bytes);
	}
	free(text);
	fargs_module_list_destroy(l);
	fargs_module_list_destroy(again);
}

static void names(const struct fargs_ksyms *ks, uint64_t addr, const char *name, uint64_t start)
{
	const struct fargs_ksym *sym = fargs_ksyms_find_addr(ks, addr);

	CHECK_STR(sym ? sym->name : "", name);
	CHECK_INT(sym ? sym->addr : 0, start);
}

static void names_what_symbols_do_not(void)
{
	static const char symbols[] = "ffffffff81000000 T startup_64\n"
				      "ffffffffc0100000 t first\t[nf_tables]\n"
				      "ffffffffc0110000 t last\t[nf_tables]\n"
				      "ffffffffc0200000 t only\t[tainted]\n"
				      "ffffffffc0144800 t bpf_prog\t[bpf]\n";
	struct fargs_ksyms *ks = fargs_ksyms_parse(symbols, strlen(symbols), &err);

	REQUIRE(ks);
	names(ks, 0xffffffffc0300010, "", 0);
	CHECK(!fargs_ksyms_set_modules(ks, list_of(MODULES)));
	names(ks, 0xffffffffc0300010, "[late]", 0xffffffffc0300000);
	names(ks, 0xffffffffc0304000, "", 0);
	/* Functions are still found by their symbols. */
	names(ks, 0xffffffff81000004, "startup_64", 0xffffffff81000000);
	names(ks, 0xffffffffc0100010, "first", 0xffffffffc0100000);
	names(ks, 0xffffffffc010ffff, "first", 0xffffffffc0100000);
	names(ks, 0xffffffffc0110fff, "last", 0xffffffffc0110000);
	/* Addresses after the page of the last function belong only to the module. */
	names(ks, 0xffffffffc0111000, "[nf_tables]", 0xffffffffc0100000);
	names(ks, 0xffffffffc0144810, "bpf_prog", 0xffffffffc0144800);
	fargs_ksyms_destroy(ks);
}

/* Tests that a module's last function ends with the module, even within a page. */
static void ends_functions_where_modules_end(void)
{
	static const char symbols[] = "ffffffffc0100000 t only\t[small]\n";
	struct fargs_ksyms *ks = fargs_ksyms_parse(symbols, strlen(symbols), &err);

	REQUIRE(ks);
	names(ks, 0xffffffffc0100800, "only", 0xffffffffc0100000);
	CHECK(!fargs_ksyms_set_modules(ks, list_of("small 2048 0 - Live 0xffffffffc0100000\n")));
	names(ks, 0xffffffffc01007ff, "only", 0xffffffffc0100000);
	names(ks, 0xffffffffc0100800, "", 0);
	fargs_ksyms_destroy(ks);
}

static const struct ktap_test tests[] = {
	{ "finds modules by address", finds_modules_by_address },
	{ "uses the nearer of two that overlap", takes_the_nearer_of_two },
	{ "accepts a kernel without modules", takes_a_kernel_without_modules },
	{ "accepts lines that end with carriage returns", takes_carriage_returns },
	{ "refuses other formats", refuses_other_forms },
	{ "refuses hidden addresses", refuses_hidden_addresses },
	{ "survives writing and reading", comes_back_from_its_text },
	{ "names the module of addresses without symbol", names_what_symbols_do_not },
	{ "ends functions where modules end", ends_functions_where_modules_end },
};

int main(void)
{
	return KTAP_RUN(tests);
}
