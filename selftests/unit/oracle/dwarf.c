// SPDX-License-Identifier: GPL-2.0-only
#include "unit/oracle/dwarf.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <dwarf.h>
#include <elfutils/libdwfl.h>

#include "uapi/fargs_layout.h"

/* The object file, and the callback for its functions. */
struct walk {
	Dwfl_Module *module;
	Dwarf_Addr bias;	/* difference of symbol addresses and DWARF addresses */
	oracle_func_fn *each;
	void *arg;
};

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

static Dwfl *open_object(const char *path, Dwfl_Module **module)
{
	Dwfl *dwfl = dwfl_begin(&callbacks);

	if (!dwfl)
		return NULL;
	*module = dwfl_report_offline(dwfl, path, path, -1);
	if (*module && !dwfl_report_end(dwfl, NULL, NULL))
		return dwfl;
	dwfl_end(dwfl);
	return NULL;
}

static bool get_symbol(Dwfl_Module *module, int i, const char **name, GElf_Addr *addr)
{
	GElf_Sym sym;

	*name = dwfl_module_getsym_info(module, i, &sym, addr, NULL, NULL, NULL);
	return *name && GELF_ST_TYPE(sym.st_info) == STT_FUNC && sym.st_shndx != SHN_UNDEF;
}

static const char *symbol_at(const struct walk *walk, Dwarf_Addr addr)
{
	int i, nr = dwfl_module_getsymtab(walk->module);
	const char *name;
	GElf_Addr at;

	for (i = 0; i < nr; i++)
		if (get_symbol(walk->module, i, &name, &at) && at == addr)
			return name;
	return NULL;
}

/*
 * Returns the index of the argument register with DWARF number @number; -1: not an argument
 * register.
 */
static int arg_reg(Dwarf_Word number)
{
	static const uint8_t numbers[FARGS_REGS] = { 5, 4, 1, 2, 8, 9 };
	int i;

	for (i = 0; i < FARGS_REGS; i++)
		if (numbers[i] == number)
			return i;
	return -1;
}

static void set_reg(struct oracle_place *places, size_t nr, Dwarf_Word number)
{
	int reg = arg_reg(number);
	size_t i;

	if (reg < 0)
		return;
	/* A register holds only the first eight bytes. */
	for (i = 0; i < nr && i < 8; i++)
		places[i] = (struct oracle_place) { FARGS_SOURCE_REG, i, reg };
}

/* @offset: from the first slot, in bytes. There are no arguments at negative offsets. */
static void set_slots(struct oracle_place *places, size_t nr, Dwarf_Sword offset)
{
	size_t i;

	if (offset < 0 || offset + nr > 8 * FARGS_STACK_SLOTS)
		return;
	for (i = 0; i < nr; i++)
		places[i] = (struct oracle_place) {
			FARGS_SOURCE_STACK, (offset + i) % 8, (offset + i) / 8,
		};
}

/*
 * Handles a part of a value that is in one place. At entry, the canonical frame address (CFA) is
 * rsp + 8, after the return address, where the first slot is. An offset from rsp itself is in the
 * function's own frame, which does not exist yet at entry.
 */
static void set_part(struct oracle_place *places, size_t nr, const Dwarf_Op *op, bool is_cfa)
{
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
		set_reg(places, nr, op->atom - DW_OP_reg0);
	else if (op->atom == DW_OP_regx)
		set_reg(places, nr, op->number);
	else if (op->atom == DW_OP_fbreg && is_cfa)
		set_slots(places, nr, (Dwarf_Sword)op->number);
	else if (op->atom == DW_OP_call_frame_cfa)
		set_slots(places, nr, 0);
}

/*
 * Handles a value whose parts are separated by DW_OP_piece. Parts with more than one operation get
 * no places.
 */
static void set_places(struct oracle_param *param, const Dwarf_Op *ops, size_t nr, bool is_cfa)
{
	size_t at = 0, first = 0, i;

	for (i = 0; i <= nr; i++) {
		bool is_end = i == nr;
		size_t bytes;

		if (!is_end && ops[i].atom != DW_OP_piece)
			continue;
		if (is_end && (first == i || at))
			break;
		bytes = is_end ? param->bytes : ops[i].number;
		if (bytes > param->bytes - at)
			bytes = param->bytes - at;
		if (i - first == 1)
			set_part(param->places + at, bytes, &ops[first], is_cfa);
		at += bytes;
		first = i + 1;
	}
}

/*
 * Returns whether the value is a constant that is only in the debug information, neither in a
 * register nor in memory.
 */
static bool is_constant(const Dwarf_Op *op)
{
	return (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31) ||
	       (op->atom >= DW_OP_const1u && op->atom <= DW_OP_consts) ||
	       op->atom == DW_OP_addr || op->atom == DW_OP_implicit_value ||
	       op->atom == DW_OP_implicit_pointer || op->atom == DW_OP_GNU_implicit_pointer ||
	       op->atom == DW_OP_GNU_parameter_ref;
}

static uint64_t type_bytes(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die type;
	Dwarf_Word bytes;

	if (!dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attr), &type) ||
	    dwarf_aggregate_size(&type, &bytes))
		return 0;
	return bytes;
}

static void param_init(struct oracle_param *param, Dwarf_Die *die, Dwarf_Addr entry, bool is_cfa)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t nr;

	memset(param, 0, sizeof(*param));
	param->name = dwarf_diename(die);
	param->bytes = type_bytes(die);
	/*
	 * Use only this function's own attributes, not those of its abstract origin: another copy
	 * of the function may have other places.
	 */
	param->is_omitted = dwarf_hasattr(die, DW_AT_const_value);
	if (!param->bytes || param->bytes > ORACLE_BYTES_MAX ||
	    !dwarf_attr(die, DW_AT_location, &attr) ||
	    dwarf_getlocation_addr(&attr, entry, &ops, &nr, 1) != 1 || !nr)
		return;
	param->is_omitted |= is_constant(&ops[0]);
	set_places(param, ops, nr, is_cfa);
}

static bool has_cfa_base(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t nr;

	return dwarf_attr_integrate(die, DW_AT_frame_base, &attr) &&
	       !dwarf_getlocation(&attr, &ops, &nr) && nr == 1 &&
	       ops[0].atom == DW_OP_call_frame_cfa;
}

/* A function with several ranges begins with the first one. */
static bool get_entry(Dwarf_Die *die, Dwarf_Addr *entry)
{
	Dwarf_Addr base, end;

	return !dwarf_lowpc(die, entry) || dwarf_ranges(die, 0, &base, entry, &end) > 0;
}

static void visit_func(const struct walk *walk, Dwarf_Die *die)
{
	static struct oracle_func func;
	Dwarf_Addr entry;
	Dwarf_Die child;

	if (!get_entry(die, &entry))
		return;
	func.name = dwarf_diename(die);
	func.addr = entry + walk->bias;
	func.symbol = symbol_at(walk, func.addr);
	func.nr = 0;
	if (!func.name || !func.symbol)
		return;
	if (!dwarf_child(die, &child)) {
		do {
			if (dwarf_tag(&child) == DW_TAG_formal_parameter &&
			    func.nr < ORACLE_PARAMS_MAX)
				param_init(&func.params[func.nr++], &child, entry,
					   has_cfa_base(die));
		} while (!dwarf_siblingof(&child, &child));
	}
	walk->each(&func, walk->arg);
}

static void visit_unit(const struct walk *walk, Dwarf_Die *unit)
{
	Dwarf_Die child;

	if (dwarf_child(unit, &child))
		return;
	do {
		if (dwarf_tag(&child) == DW_TAG_subprogram)
			visit_func(walk, &child);
	} while (!dwarf_siblingof(&child, &child));
}

int oracle_each_func(const char *path, oracle_func_fn *each, void *arg)
{
	struct walk walk = { .each = each, .arg = arg };
	Dwarf_Die *unit = NULL;
	Dwfl *dwfl = open_object(path, &walk.module);

	if (!dwfl)
		return -1;
	while ((unit = dwfl_nextcu(dwfl, unit, &walk.bias)))
		visit_unit(&walk, unit);
	dwfl_end(dwfl);
	return 0;
}

int oracle_each_symbol(const char *path, oracle_symbol_fn *each, void *arg)
{
	Dwfl_Module *module;
	Dwfl *dwfl = open_object(path, &module);
	const char *name;
	GElf_Addr addr;
	int i, nr;

	if (!dwfl)
		return -1;
	nr = dwfl_module_getsymtab(module);
	for (i = 0; i < nr; i++)
		if (get_symbol(module, i, &name, &addr))
			each(name, addr, arg);
	dwfl_end(dwfl);
	return 0;
}
