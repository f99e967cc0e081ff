// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests which task a CPU runs according to PERF_RECORD_SWITCH. The kernel writes two records for
 * each switch: one for the old task and one for the new task, each to the events that trace the
 * task. Neither record names the other task.
 */
#include "unit/pt_testdata.h"

#include <string.h>

#include "base/file.h"
#include "cmd/report/pt_branches.h"
#include "source/pt/input/perf_input.h"
#include "source/pt/input/switches.h"
#include "source/pt/trace/trace.h"
#include "unit/add_text.h"
#include "unit/perf_world.h"
#include "unit/temp_file.h"

#define RECORDING	"pt-kernel"
/* Number of switch records in the recording: two for each switch. */
#define NR_RECORDS	314

static struct world w;
static struct fargs_error_text err;

static bool read_path(struct fargs_pt_input *in, const char *data)
{
	fargs_pt_input_init(in);
	if (!fargs_perf_input_read(in, data, NULL, &err))
		return true;
	ktap_fail(__FILE__, __LINE__, "%s", err.text);
	fargs_pt_input_deinit(in);
	return false;
}

static bool read_world(struct fargs_pt_input *in)
{
	return temp_write(w.bytes, w.n) && read_path(in, temp_path);
}

/* Returns the task that runs on CPU 0 at @ns. */
static int32_t task_at(const struct fargs_pt_input *in, uint64_t ns)
{
	struct fargs_pt_switches sw;

	fargs_pt_switches_init(&sw, in, &in->streams[0]);
	return fargs_pt_switches_task(&sw, fargs_pt_switches_at(&sw, ns));
}

/* Adds switches: tasks 7, 8 and 9 are traced, and other tasks run between 400 and 600 ns. */
static void put_switches(void)
{
	put_auxtrace_info(&w, true);
	put_auxtrace(&w, 0, 0, "trace", 5);
	put_itrace_start(&w, 7, 0, 100);
	put_task_switch(&w, 0, 7, true, 200);
	put_task_switch(&w, 0, 8, false, 201);
	/*
	 * The following records are not in order of time, because perf reads one buffer after the
	 * other.
	 */
	put_task_switch(&w, 0, 9, false, 600);
	put_task_switch(&w, 0, 8, true, 400);
	put_task_switch(&w, 1, 7, false, 450);
	put_task_switch(&w, 0, 9, true, 700);
}

static void takes_both_halves(void)
{
	struct fargs_pt_input in;
	size_t data = begin_file(&w);

	put_switches();
	finish_file(&w, data);
	REQUIRE(read_world(&in));
	CHECK_INT(task_at(&in, 150), 7);
	CHECK_INT(task_at(&in, 200), 8);
	CHECK_INT(task_at(&in, 399), 8);
	/* The tasks in between are not traced. */
	CHECK_INT(task_at(&in, 400), 9);
	CHECK_INT(task_at(&in, 650), 9);
	CHECK_INT(task_at(&in, 700), -1);
	fargs_pt_input_deinit(&in);
}

static void begins_with_a_task_that_comes(void)
{
	struct fargs_pt_input in;
	size_t data = begin_file(&w);

	put_auxtrace_info(&w, true);
	put_auxtrace(&w, 0, 0, "trace", 5);
	put_task_switch(&w, 0, 8, false, 300);
	put_task_switch(&w, 0, 8, true, 400);
	put_task_switch(&w, 0, 9, true, 500);
	put_task_switch(&w, 0, 8, false, 600);
	finish_file(&w, data);
	REQUIRE(read_world(&in));
	CHECK_INT(task_at(&in, 300), 8);
	/*
	 * The record of the switch to task 9 is lost, but the record of the switch from task 9
	 * identifies it.
	 */
	CHECK_INT(task_at(&in, 450), 9);
	CHECK_INT(task_at(&in, 550), 8);
	fargs_pt_input_deinit(&in);
}

/* Tests the record that the trace begins while a switch to another task is under way. */
static void begins_in_a_switch(void)
{
	struct fargs_pt_switches sw;
	struct fargs_pt_input in;
	size_t data = begin_file(&w);

	put_auxtrace_info(&w, true);
	put_auxtrace(&w, 0, 0, "trace", 5);
	put_switch(&w, 0, 7, 8, 300);
	put_itrace_start(&w, 7, 0, 310);
	put_switch(&w, 0, 8, 9, 400);
	put_itrace_start(&w, 9, 0, 410);
	/* Records of switches are missing: the beginning shows the task. */
	put_itrace_start(&w, 6, 0, 500);
	finish_file(&w, data);
	REQUIRE(read_world(&in));
	CHECK_INT(task_at(&in, 299), 7);
	CHECK_INT(task_at(&in, 320), 8);
	CHECK_INT(task_at(&in, 420), 9);
	CHECK_INT(task_at(&in, 510), 6);
	fargs_pt_switches_init(&sw, &in, &in.streams[0]);
	CHECK_INT(sw.nr, 4);
	fargs_pt_input_deinit(&in);
}

/*
 * Tests a task that ends, and after it the one from which it was switched to. Files of fargs are
 * sorted twice: this must not make halves of switches whole ones, after which a beginning has
 * another meaning.
 */
static void begins_again(void)
{
	struct fargs_pt_input in;
	size_t data = begin_file(&w);

	put_auxtrace_info(&w, true);
	put_auxtrace(&w, 0, 0, "trace", 5);
	put_itrace_start(&w, 7, 0, 100);
	put_task_switch(&w, 0, 7, true, 200);
	put_task_switch(&w, 0, 8, false, 201);
	put_itrace_start(&w, 7, 0, 300);
	put_task_switch(&w, 0, 7, false, 301);
	finish_file(&w, data);
	REQUIRE(read_world(&in));
	CHECK_INT(task_at(&in, 250), 8);
	CHECK_INT(task_at(&in, 300), 7);
	REQUIRE(!fargs_pt_input_sort(&in));
	CHECK_INT(task_at(&in, 250), 8);
	CHECK_INT(task_at(&in, 300), 7);
	fargs_pt_input_deinit(&in);
}

/*
 * Tests tasks of which the first ends before the second begins on the CPU: no record reports a
 * switch between them.
 */
static void begins_with_two_tasks(void)
{
	struct fargs_pt_input in;
	size_t data = begin_file(&w);

	put_auxtrace_info(&w, true);
	put_auxtrace(&w, 0, 0, "trace", 5);
	put_itrace_start(&w, 6, 0, 100);
	put_itrace_start(&w, 6, 0, 200);
	put_itrace_start(&w, 7, 0, 300);
	put_task_switch(&w, 0, 7, true, 500);
	put_task_switch(&w, 0, 8, false, 600);
	finish_file(&w, data);
	REQUIRE(read_world(&in));
	CHECK_INT(task_at(&in, 50), 6);
	CHECK_INT(task_at(&in, 299), 6);
	CHECK_INT(task_at(&in, 300), 7);
	CHECK_INT(task_at(&in, 650), 8);
	fargs_pt_input_deinit(&in);
}

/* Tests events of a task together with events of the CPU: the same switch is recorded twice. */
static void prefers_records_of_the_cpu(void)
{
	struct fargs_pt_input in;
	size_t data = begin_file(&w);

	put_auxtrace_info(&w, true);
	put_auxtrace(&w, 0, 0, "trace", 5);
	put_task_switch(&w, 0, 7, true, 200);
	put_switch(&w, 0, 7, 5, 200);
	put_switch(&w, 0, 5, 7, 300);
	put_task_switch(&w, 0, 7, false, 301);
	finish_file(&w, data);
	REQUIRE(read_world(&in));
	CHECK_INT(in.nr_switches, 2);
	CHECK_INT(task_at(&in, 100), 7);
	CHECK_INT(task_at(&in, 250), 5);
	CHECK_INT(task_at(&in, 300), 7);
	fargs_pt_input_deinit(&in);
}

/*
 * Changes all SWITCH_CPU_WIDE records to PERF_RECORD_SWITCH, and overwrites their bodies. Returns
 * their number.
 */
static unsigned int retype(uint8_t *bytes, size_t size)
{
	uint64_t at, end;
	uint32_t type;
	uint16_t n;
	unsigned int nr = 0;

	memcpy(&at, bytes + 40, sizeof(at));
	memcpy(&end, bytes + 48, sizeof(end));
	for (end += at; at < end && end <= size; at += n) {
		memcpy(&type, bytes + at, sizeof(type));
		memcpy(&n, bytes + at + 6, sizeof(n));
		if (type == 15) {
			bytes[at] = 14;
			memset(bytes + at + 8, 0xff, 8);
			nr++;
		}
		/* The data of an AUXTRACE record follow the record. */
		if (type == 71) {
			uint64_t data;

			memcpy(&data, bytes + at + 8, sizeof(data));
			at += data;
		}
	}
	return nr;
}

static void write_calls(const struct fargs_pt_input *in, struct fargs_buf *out)
{
	static const struct fargs_pt_branches_options options = {
		.has_calls = true,
	};
	const struct fargs_pt_trace_options how = { .nr_threads = 2 };
	struct fargs_pt_branches *b = fargs_pt_branches_create(in, &options, 2);
	struct fargs_pt_view view = fargs_pt_branches_view(b);

	CHECK_INT(fargs_pt_trace_run(in, &how, &view, add_text, out, &err), 0);
	fargs_pt_branches_destroy(b);
}

/* Compares calls decoded from both kinds of records, from a privileged recording of all CPUs. */
static void tasks_are_those_of_the_cpu_records(void)
{
	struct fargs_buf whole = { }, halves = { };
	struct fargs_pt_input in, other;
	char *bytes;
	size_t size, i;
	FILE *file;

	if (!pt_testdata_unpack(RECORDING))
		return;
	REQUIRE(read_path(&in, pt_testdata_at(RECORDING "/perf.data")));
	bytes = fargs_file_read(pt_testdata_at(RECORDING "/perf.data/data"), &size);
	REQUIRE(bytes);
	CHECK_INT(retype((uint8_t *)bytes, size), NR_RECORDS);
	file = fopen(pt_testdata_at(RECORDING "/perf.data/data"), "we");
	REQUIRE(file && fwrite(bytes, 1, size, file) == size && !fclose(file));
	free(bytes);
	REQUIRE(read_path(&other, pt_testdata_at(RECORDING "/perf.data")));
	CHECK_INT(other.nr_switches, in.nr_switches);
	for (i = 0; i < in.nr_switches && i < other.nr_switches; i++) {
		CHECK_INT(other.switches[i].ns, in.switches[i].ns);
		CHECK_INT(other.switches[i].cpu, in.switches[i].cpu);
		CHECK_INT(other.switches[i].to, in.switches[i].to);
	}
	write_calls(&in, &whole);
	write_calls(&other, &halves);
	CHECK(whole.n && whole.n == halves.n && !memcmp(whole.text, halves.text, whole.n));
	fargs_buf_deinit(&whole);
	fargs_buf_deinit(&halves);
	fargs_pt_input_deinit(&in);
	fargs_pt_input_deinit(&other);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "accepts both records of a switch", takes_both_halves },
		{ "begins again in the task before one that ended", begins_again },
		{ "begins with a task that is switched in", begins_with_a_task_that_comes },
		{ "the trace may begin in a switch", begins_in_a_switch },
		{ "keeps the first of two tasks without a switch", begins_with_two_tasks },
		{ "prefers records of the CPU", prefers_records_of_the_cpu },
		{ "tasks follow from the CPU's records", tasks_are_those_of_the_cpu_records },
	};
	int status = TEMP_RUN(tests);

	pt_testdata_clean_up();
	return status;
}
