// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/perf_db/tables.h"

#define BIGINT(name)		{ name, FARGS_PDB_BIGINT }
#define INTEGER(name)		{ name, FARGS_PDB_INTEGER }
#define TEXT(name)		{ name, FARGS_PDB_TEXT }
#define REF(name, table)	{ name, FARGS_PDB_BIGINT, table }
#define ID(table)		{ "id", FARGS_PDB_BIGINT, table }

const struct fargs_pdb_table fargs_pdb_tables[FARGS_PDB_TABLES] = {
	[FARGS_PDB_SELECTED_EVENTS] = { "selected_events", { BIGINT("id"), TEXT("name") }, 2 },
	[FARGS_PDB_MACHINES] = { "machines", {
		BIGINT("id"), INTEGER("pid"), TEXT("root_dir"),
	}, 3 },
	[FARGS_PDB_THREADS] = { "threads", {
		BIGINT("id"), REF("machine_id", "machines"), REF("process_id", "threads"),
		INTEGER("pid"), INTEGER("tid"),
	}, 5 },
	[FARGS_PDB_COMMS] = { "comms", {
		BIGINT("id"), TEXT("comm"), REF("c_thread_id", "threads"), BIGINT("c_time"),
		{ "exec_flag", FARGS_PDB_BOOLEAN },
	}, 5 },
	[FARGS_PDB_COMM_THREADS] = { "comm_threads", {
		BIGINT("id"), REF("comm_id", "comms"), REF("thread_id", "threads"),
	}, 3 },
	[FARGS_PDB_DSOS] = { "dsos", {
		BIGINT("id"), REF("machine_id", "machines"), TEXT("short_name"), TEXT("long_name"),
		TEXT("build_id"),
	}, 5 },
	[FARGS_PDB_SYMBOLS] = { "symbols", {
		BIGINT("id"), REF("dso_id", "dsos"), BIGINT("sym_start"), BIGINT("sym_end"),
		INTEGER("binding"), TEXT("name"),
	}, 6 },
	[FARGS_PDB_BRANCH_TYPES] = { "branch_types", { INTEGER("id"), TEXT("name") }, 2 },
	[FARGS_PDB_SAMPLES] = { "samples", {
		BIGINT("id"), REF("evsel_id", "selected_events"), REF("machine_id", "machines"),
		REF("thread_id", "threads"), REF("comm_id", "comms"), REF("dso_id", "dsos"),
		REF("symbol_id", "symbols"), BIGINT("sym_offset"), BIGINT("ip"), BIGINT("time"),
		INTEGER("cpu"), REF("to_dso_id", "dsos"), REF("to_symbol_id", "symbols"),
		BIGINT("to_sym_offset"), BIGINT("to_ip"), BIGINT("period"), BIGINT("weight"),
		BIGINT("transaction"), BIGINT("data_src"), INTEGER("branch_type"),
		{ "in_tx", FARGS_PDB_BOOLEAN }, BIGINT("call_path_id"), BIGINT("insn_count"),
		BIGINT("cyc_count"), INTEGER("flags"),
	}, 25 },
	[FARGS_PDB_CALL_PATHS] = { "call_paths", {
		BIGINT("id"), REF("parent_id", "call_paths"), REF("symbol_id", "symbols"),
		BIGINT("ip"),
	}, 4 },
	[FARGS_PDB_CALLS] = { "calls", {
		BIGINT("id"), REF("thread_id", "threads"), REF("comm_id", "comms"),
		REF("call_path_id", "call_paths"), BIGINT("call_time"), BIGINT("return_time"),
		BIGINT("branch_count"), REF("call_id", "samples"), REF("return_id", "samples"),
		REF("parent_call_path_id", "call_paths"), INTEGER("flags"), BIGINT("parent_id"),
		BIGINT("insn_count"), BIGINT("cyc_count"),
	}, 14 },
	[FARGS_PDB_PTWRITE] = { "ptwrite", {
		ID("samples"), BIGINT("payload"), { "exact_ip", FARGS_PDB_SMALL_BOOLEAN },
	}, 3 },
	[FARGS_PDB_CBR] = { "cbr", {
		ID("samples"), INTEGER("cbr"), INTEGER("mhz"), INTEGER("percent"),
	}, 4 },
	[FARGS_PDB_MWAIT] = { "mwait", {
		ID("samples"), INTEGER("hints"), INTEGER("extensions"),
	}, 3 },
	[FARGS_PDB_PWRE] = { "pwre", {
		ID("samples"), INTEGER("cstate"), INTEGER("subcstate"),
		{ "hw", FARGS_PDB_SMALL_BOOLEAN },
	}, 4 },
	[FARGS_PDB_EXSTOP] = { "exstop", {
		ID("samples"), { "exact_ip", FARGS_PDB_SMALL_BOOLEAN },
	}, 2 },
	[FARGS_PDB_PWRX] = { "pwrx", {
		ID("samples"), INTEGER("deepest_cstate"), INTEGER("last_cstate"),
		INTEGER("wake_reason"),
	}, 4 },
	[FARGS_PDB_CONTEXT_SWITCHES] = { "context_switches", {
		BIGINT("id"), REF("machine_id", "machines"), BIGINT("time"), INTEGER("cpu"),
		REF("thread_out_id", "threads"), REF("comm_out_id", "comms"),
		REF("thread_in_id", "threads"), REF("comm_in_id", "comms"), INTEGER("flags"),
	}, 9 },
};
