// SPDX-License-Identifier: GPL-2.0-only
/* Tests statistics of vcpus from entries and exits: counts, reasons, functions and times. */
#include "unit/ktap.h"

#include <stdlib.h>

#include "sink/summary/vcpus.h"

static struct fargs_vcpus all;

/* Returns an event of thread @tid, which runs vcpu @id of process 10 on CPU @cpu. */
static struct fargs_vcpu_moment moment(pid_t tid, unsigned int id, unsigned int cpu, uint64_t ns)
{
	return (struct fargs_vcpu_moment){ .vm = 10, .name = "vmm", .tid = tid, .id = id,
					   .cpu = cpu, .ns = ns };
}

static void enter(pid_t tid, unsigned int id, unsigned int cpu, uint64_t ns)
{
	struct fargs_vcpu_moment m = moment(tid, id, cpu, ns);

	CHECK(!fargs_vcpus_enter(&all, &m));
}

static void leave_at(pid_t tid, unsigned int id, unsigned int cpu, uint64_t ns, uint64_t reason,
		     const char *reason_name, uint64_t addr, const char *function)
{
	struct fargs_vcpu_moment m = moment(tid, id, cpu, ns);
	struct fargs_vcpu_exit why = { reason, reason_name, addr, function };

	CHECK(!fargs_vcpus_leave(&all, &m, &why));
}

static void leave(pid_t tid, unsigned int id, unsigned int cpu, uint64_t ns)
{
	leave_at(tid, id, cpu, ns, 0x7b, "io", 0x1000, "start");
}

static void check_times(uint64_t guest_ns, uint64_t nr_guest, uint64_t host_ns, uint64_t nr_host)
{
	const struct fargs_vcpu_stats *s;

	CHECK(!fargs_vcpus_finish(&all));
	CHECK_INT(all.nr, 1);
	s = &all.vms[0].total;
	CHECK_INT(s->guest_ns, guest_ns);
	CHECK_INT(s->nr_guest, nr_guest);
	CHECK_INT(s->host_ns.sum, host_ns);
	CHECK_INT(s->host_ns.nr, nr_host);
	fargs_vcpus_deinit(&all);
}

static void adds_up_times(void)
{
	enter(11, 0, 0, 1000);
	leave(11, 0, 0, 1300);
	enter(11, 0, 0, 1350);
	leave(11, 0, 0, 1351);
	enter(11, 0, 0, 1371);
	check_times(301, 2, 70, 2);
}

static void begins_and_ends_anywhere(void)
{
	leave(11, 0, 0, 1000);
	enter(11, 0, 0, 1010);
	leave(11, 0, 0, 1015);
	check_times(5, 1, 10, 1);
}

/* Tests two consecutive events of the same kind: an event between them is missing. */
static void leaves_out_what_is_not_sure(void)
{
	enter(11, 0, 0, 1000);
	enter(11, 0, 0, 2000);
	leave(11, 0, 0, 2001);
	leave(11, 0, 0, 3000);
	enter(11, 0, 0, 3003);
	check_times(1, 1, 3, 1);
}

static void counts_no_time_over_a_loss(void)
{
	enter(11, 0, 0, 1000);
	fargs_vcpus_lose(&all);
	leave(11, 0, 0, 2000);
	fargs_vcpus_lose(&all);
	enter(11, 0, 0, 3000);
	leave(11, 0, 0, 3004);
	enter(11, 0, 0, 3009);
	check_times(4, 1, 5, 1);
}

/*
 * Tests migration: a vcpu cannot move to another CPU while it is in the guest, but can between an
 * exit and an entry.
 */
static void knows_where_a_vcpu_may_move(void)
{
	enter(11, 0, 0, 1000);
	leave(11, 0, 1, 1100);
	enter(11, 0, 0, 1200);
	leave(11, 0, 0, 1201);
	enter(11, 0, 3, 1203);
	check_times(1, 1, 102, 2);
}

static void takes_no_time_that_goes_back(void)
{
	enter(11, 0, 0, 1000);
	leave(11, 0, 0, 999);
	enter(11, 0, 0, 998);
	check_times(0, 0, 0, 0);
}

static void keeps_vcpus_apart(void)
{
	struct fargs_vcpu_moment other = moment(21, 0, 0, 1005);

	other.vm = 20;
	other.name = NULL;
	/*
	 * Two vcpus run on the same CPU, one after the other; a vcpu of another VM has the same id.
	 */
	enter(12, 1, 0, 1000);
	leave(12, 1, 0, 1001);
	enter(11, 0, 0, 1002);
	leave(11, 0, 0, 1004);
	CHECK(!fargs_vcpus_enter(&all, &other));
	enter(12, 1, 0, 1010);
	CHECK(!fargs_vcpus_finish(&all));
	REQUIRE(all.nr == 2 && all.vms[0].nr == 2 && all.vms[1].nr == 1);
	CHECK_INT(all.vms[0].pid, 10);
	CHECK_STR(all.vms[0].name, "vmm");
	CHECK_INT(all.vms[1].pid, 20);
	CHECK_STR(all.vms[1].name, "");
	CHECK_INT(all.vms[0].vcpus[0].id, 0);
	CHECK_INT(all.vms[0].vcpus[0].tid, 11);
	CHECK_INT(all.vms[0].vcpus[0].stats.guest_ns, 2);
	CHECK_INT(all.vms[0].vcpus[1].stats.guest_ns, 1);
	CHECK_INT(all.vms[0].vcpus[1].stats.host_ns.sum, 9);
	CHECK_INT(all.vms[0].total.guest_ns, 3);
	CHECK_INT(all.vms[0].total.entries, 3);
	CHECK_INT(all.vms[0].total.exits, 2);
	CHECK_INT(all.vms[1].total.entries, 1);
	fargs_vcpus_deinit(&all);
}

/* Tests exits without a vcpu id, as reported by older kernels. */
static void finds_the_vcpu_of_a_thread(void)
{
	leave(11, FARGS_VCPU_ANY, 0, 1000);
	enter(11, 5, 0, 1001);
	leave(11, FARGS_VCPU_ANY, 0, 1003);
	REQUIRE(all.nr == 1 && all.vms[0].nr == 1);
	CHECK_INT(all.vms[0].vcpus[0].id, 5);
	check_times(2, 1, 1, 1);
}

static void check_row(const struct fargs_exit_table *t, size_t i, const char *name, uint64_t key,
		      uint64_t nr, uint64_t host_ns, uint64_t max_ns)
{
	REQUIRE(i < t->nr);
	CHECK_STR(t->rows[i].name ? t->rows[i].name : "", name);
	CHECK_INT(t->rows[i].key, key);
	CHECK_INT(t->rows[i].nr, nr);
	CHECK_INT(t->rows[i].host_ns, host_ns);
	CHECK_INT(t->rows[i].max_ns, max_ns);
}

static void counts_reasons_and_functions(void)
{
	const struct fargs_vcpu_stats *s;

	leave_at(11, 0, 0, 1000, 0x78, "hlt", 0x1100, "idle");
	enter(11, 0, 0, 1500);
	leave_at(11, 0, 0, 1501, 0x7b, "io", 0x1000, "start");
	enter(11, 0, 0, 1503);
	leave_at(11, 0, 0, 1504, 0x7b, "io", 0x7f0000001000, NULL);
	enter(11, 0, 0, 1511);
	/* The time until the next entry is unknown. */
	leave_at(11, 0, 0, 1512, 0x7b, "io", 0x1000, "start");
	/* The address belongs to another vcpu, and has no name. */
	leave_at(12, 1, 0, 1600, 0x7b, "io", 0x1000, NULL);
	enter(12, 1, 0, 1601);
	CHECK(!fargs_vcpus_finish(&all));
	s = &all.vms[0].vcpus[0].stats;
	CHECK_INT(s->exits, 4);
	CHECK_INT(s->reasons.nr, 2);
	check_row(&s->reasons, 0, "io", 0x7b, 3, 9, 7);
	CHECK_INT(s->reasons.rows[0].nr_timed, 2);
	check_row(&s->reasons, 1, "hlt", 0x78, 1, 500, 500);
	CHECK_INT(s->functions.nr, 3);
	check_row(&s->functions, 0, "start", 0x1000, 2, 2, 2);
	check_row(&s->functions, 1, "idle", 0x1100, 1, 500, 500);
	check_row(&s->functions, 2, "", 0x7f0000001000, 1, 7, 7);
	s = &all.vms[0].total;
	check_row(&s->reasons, 0, "io", 0x7b, 4, 10, 7);
	CHECK_INT(s->functions.nr, 4);
	check_row(&s->functions, 3, "", 0x1000, 1, 1, 1);
	fargs_vcpus_deinit(&all);
}

/* Tests more functions than the table can hold before it grows. */
static void takes_many_places(void)
{
	const struct fargs_exit_table *t;
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < 30000; i++)
		leave_at(11, 0, 0, i, 1, "io", i % 10000 << 12, NULL);
	CHECK(!fargs_vcpus_finish(&all));
	t = &all.vms[0].vcpus[0].stats.functions;
	CHECK_INT(t->nr, 10000);
	for (i = 0; i < t->nr; i++) {
		CHECK_INT(t->rows[i].nr, 3);
		CHECK_INT(t->rows[i].key, (uint64_t)i << 12);
		sum += t->rows[i].key;
	}
	CHECK_INT(sum, 49995000ull << 12);
	fargs_vcpus_deinit(&all);
}

static const struct ktap_test tests[] = {
	{ "adds up times in guest and host", adds_up_times },
	{ "a recording may begin and end with an entry or an exit", begins_and_ends_anywhere },
	{ "omits times that are not certain", leaves_out_what_is_not_sure },
	{ "counts no time across a loss", counts_no_time_over_a_loss },
	{ "handles migration of a vCPU", knows_where_a_vcpu_may_move },
	{ "ignores times that go back", takes_no_time_that_goes_back },
	{ "counts each vCPU separately", keeps_vcpus_apart },
	{ "finds the vCPU of a thread", finds_the_vcpu_of_a_thread },
	{ "counts reasons and functions", counts_reasons_and_functions },
	{ "handles many addresses", takes_many_places },
};

int main(void)
{
	return KTAP_RUN(tests);
}
