// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/perf_db/views.h"

/* Subqueries: what the row of another table, with the id in a column, has. */
#define NAME_OF(table, id)	"(SELECT name FROM " table " WHERE " table ".id = " id ")"
#define DSO_OF(id)		"(SELECT short_name FROM dsos WHERE dsos.id = " id ")"
#define PID_OF(id)		"(SELECT pid FROM threads WHERE threads.id = " id ")"
#define TID_OF(id)		"(SELECT tid FROM threads WHERE threads.id = " id ")"
#define COMM_OF(id)		"(SELECT comm FROM comms WHERE comms.id = " id ")"
#define HOST_OR_GUEST		"(SELECT host_or_guest FROM machines_view" \
				" WHERE machines_view.id = machine_id) AS host_or_guest"
/* Instructions per cycle, with two digits. */
#define IPC			"CASE WHEN cyc_count = 0 THEN round(0.0, 2)" \
				" ELSE round(1.0 * insn_count / cyc_count, 2) END AS IPC"
/* The time and the CPU of the sample with the same id. */
#define OF_SAMPLE(table)	" FROM " table " INNER JOIN samples ON samples.id = " table ".id"
#define TRUTH(column)		"CASE WHEN " column " THEN 'True' ELSE 'False' END"
#define WAKE_REASON		"CASE wake_reason WHEN 1 THEN 'Interrupt'" \
				" WHEN 2 THEN 'Timer Deadline' WHEN 4 THEN 'Monitored Address'" \
				" WHEN 8 THEN 'HW' ELSE text(wake_reason) END"

const struct fargs_pdb_view fargs_pdb_views[] = {
	{ "machines_view", FARGS_PDB_MACHINES,
	  "SELECT id, pid, root_dir, CASE WHEN id = 0 THEN 'unknown' WHEN pid = -1 THEN 'host'"
	  " ELSE 'guest' END AS host_or_guest FROM machines" },
	{ "dsos_view", FARGS_PDB_DSOS,
	  "SELECT id, machine_id, " HOST_OR_GUEST ", short_name, long_name, build_id FROM dsos" },
	{ "symbols_view", FARGS_PDB_SYMBOLS,
	  "SELECT id, name, " DSO_OF("dso_id") " AS dso, dso_id, sym_start, sym_end,"
	  " CASE binding WHEN 0 THEN 'local' WHEN 1 THEN 'global' ELSE 'weak' END AS binding"
	  " FROM symbols" },
	{ "threads_view", FARGS_PDB_THREADS,
	  "SELECT id, machine_id, " HOST_OR_GUEST ", process_id, pid, tid FROM threads" },
	{ "comm_threads_view", FARGS_PDB_COMM_THREADS,
	  "SELECT comm_id, " COMM_OF("comm_id") " AS command, thread_id, "
	  PID_OF("thread_id") " AS pid, " TID_OF("thread_id") " AS tid FROM comm_threads" },
	{ "call_paths_view", FARGS_PDB_CALL_PATHS,
	  "SELECT c.id, to_hex(c.ip) AS ip, c.symbol_id, s.name AS symbol, s.dso_id, "
	  DSO_OF("s.dso_id") " AS dso_short_name, c.parent_id, to_hex(p.ip) AS parent_ip,"
	  " p.symbol_id AS parent_symbol_id, t.name AS parent_symbol, t.dso_id AS parent_dso_id, "
	  DSO_OF("t.dso_id") " AS parent_dso_short_name FROM call_paths AS c"
	  " INNER JOIN call_paths AS p ON p.id = c.parent_id"
	  " LEFT JOIN symbols AS s ON s.id = c.symbol_id"
	  " LEFT JOIN symbols AS t ON t.id = p.symbol_id" },
	{ "calls_view", FARGS_PDB_CALLS,
	  "SELECT calls.id, thread_id, " PID_OF("thread_id") " AS pid, " TID_OF("thread_id")
	  " AS tid, " COMM_OF("comm_id") " AS command, call_path_id, to_hex(ip) AS ip, symbol_id, "
	  NAME_OF("symbols", "symbol_id") " AS symbol, call_time, return_time,"
	  " return_time - call_time AS elapsed_time, branch_count, insn_count, cyc_count, " IPC ","
	  " call_id, return_id, CASE flags WHEN 0 THEN '' WHEN 1 THEN 'no call'"
	  " WHEN 2 THEN 'no return' WHEN 3 THEN 'no call/return' WHEN 6 THEN 'jump'"
	  " ELSE text(flags) END AS flags, parent_call_path_id, calls.parent_id"
	  " FROM calls INNER JOIN call_paths ON call_paths.id = call_path_id" },
	{ "samples_view", FARGS_PDB_SAMPLES,
	  "SELECT id, time, cpu, " PID_OF("thread_id") " AS pid, " TID_OF("thread_id") " AS tid, "
	  COMM_OF("comm_id") " AS command, " NAME_OF("selected_events", "evsel_id") " AS event,"
	  " to_hex(ip) AS ip_hex, " NAME_OF("symbols", "symbol_id") " AS symbol, sym_offset, "
	  DSO_OF("dso_id") " AS dso_short_name, to_hex(to_ip) AS to_ip_hex, "
	  NAME_OF("symbols", "to_symbol_id") " AS to_symbol, to_sym_offset, "
	  DSO_OF("to_dso_id") " AS to_dso_short_name, "
	  NAME_OF("branch_types", "branch_type") " AS branch_type_name, in_tx, insn_count,"
	  " cyc_count, " IPC ", flags FROM samples" },
	{ "ptwrite_view", FARGS_PDB_PTWRITE,
	  "SELECT ptwrite.id, time, cpu, to_hex(payload) AS payload_hex, " TRUTH("exact_ip")
	  " AS exact_ip" OF_SAMPLE("ptwrite") },
	{ "cbr_view", FARGS_PDB_CBR,
	  "SELECT cbr.id, time, cpu, cbr, mhz, percent" OF_SAMPLE("cbr") },
	{ "mwait_view", FARGS_PDB_MWAIT,
	  "SELECT mwait.id, time, cpu, to_hex(hints) AS hints_hex,"
	  " to_hex(extensions) AS extensions_hex" OF_SAMPLE("mwait") },
	{ "pwre_view", FARGS_PDB_PWRE,
	  "SELECT pwre.id, time, cpu, cstate, subcstate, " TRUTH("hw") " AS hw" OF_SAMPLE("pwre") },
	{ "exstop_view", FARGS_PDB_EXSTOP,
	  "SELECT exstop.id, time, cpu, " TRUTH("exact_ip") " AS exact_ip" OF_SAMPLE("exstop") },
	{ "pwrx_view", FARGS_PDB_PWRX,
	  "SELECT pwrx.id, time, cpu, deepest_cstate, last_cstate, " WAKE_REASON " AS wake_reason"
	  OF_SAMPLE("pwrx") },
	{ "context_switches_view", FARGS_PDB_CONTEXT_SWITCHES,
	  "SELECT c.id, c.machine_id, c.time, c.cpu, o.pid AS pid_out, o.tid AS tid_out,"
	  " oc.comm AS comm_out, i.pid AS pid_in, i.tid AS tid_in, ic.comm AS comm_in,"
	  " CASE c.flags WHEN 0 THEN 'in' WHEN 1 THEN 'out' WHEN 3 THEN 'out preempt'"
	  " ELSE text(c.flags) END AS flags FROM context_switches AS c"
	  " INNER JOIN threads AS o ON o.id = c.thread_out_id"
	  " INNER JOIN threads AS i ON i.id = c.thread_in_id"
	  " INNER JOIN comms AS oc ON oc.id = c.comm_out_id"
	  " INNER JOIN comms AS ic ON ic.id = c.comm_in_id" },
	{ }
};

/* The tables whose rows power_events_view combines. */
#define POWER_TABLES		" FROM samples INNER JOIN selected_events" \
				" ON selected_events.id = evsel_id" \
				" LEFT JOIN cbr ON cbr.id = samples.id" \
				" LEFT JOIN mwait ON mwait.id = samples.id" \
				" LEFT JOIN pwre ON pwre.id = samples.id" \
				" LEFT JOIN exstop ON exstop.id = samples.id" \
				" LEFT JOIN pwrx ON pwrx.id = samples.id"

/* Numbers are padded, and texts of other events are NULL. */
const char fargs_pdb_power_view[] =
	"SELECT samples.id, time, cpu, name AS event, format('%6s', cbr.cbr) AS cbr,"
	" format('%6s', mhz) AS MHz, format('%5s', percent) AS percent,"
	" to_hex(hints) AS hints_hex, to_hex(extensions) AS extensions_hex,"
	" format('%3s', cstate) AS cstate, format('%3s', subcstate) AS subcstate,"
	" CASE WHEN hw THEN 'True' WHEN NOT hw THEN 'False' END AS hw,"
	" CASE WHEN exact_ip THEN 'True' WHEN NOT exact_ip THEN 'False' END AS exact_ip,"
	" format('%3s', deepest_cstate) AS deepest_cstate,"
	" format('%3s', last_cstate) AS last_cstate, CASE wake_reason WHEN 1 THEN 'Interrupt'"
	" WHEN 2 THEN 'Timer Deadline' WHEN 4 THEN 'Monitored Address' WHEN 8 THEN 'HW'"
	" ELSE format('%2s', wake_reason) END AS wake_reason" POWER_TABLES
	" WHERE coalesce(cbr.id, mwait.id, pwre.id, exstop.id, pwrx.id) IS NOT NULL"
	" ORDER BY samples.id";

/* What other events have is an empty text. */
#define OWN(column)		"coalesce(" column ", '')"

const char fargs_pdb_power_view_sqlite[] =
	"SELECT samples.id, time, cpu, name AS event, " OWN("cbr.cbr") " AS cbr, "
	OWN("mhz") " AS mhz, " OWN("percent") " AS percent, "
	"CASE WHEN mwait.id IS NULL THEN '' ELSE to_hex(hints) END AS hints_hex, "
	"CASE WHEN mwait.id IS NULL THEN '' ELSE to_hex(extensions) END AS extensions_hex, "
	OWN("cstate") " AS cstate, " OWN("subcstate") " AS subcstate, " OWN("hw") " AS hw, "
	OWN("exact_ip") " AS exact_ip, " OWN("deepest_cstate") " AS deepest_cstate, "
	OWN("last_cstate") " AS last_cstate, " OWN(WAKE_REASON) " AS wake_reason" POWER_TABLES
	" WHERE name IN ('cbr', 'mwait', 'exstop', 'pwre', 'pwrx')";
