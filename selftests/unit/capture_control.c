// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests commands of another process, in the protocol of perf record --control (perf-record(1)): as
 * text, and by the engine, which records nothing here. The traced command sends them.
 */
#include "capture/capture.h"
#include "capture/control.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel/sym/ksyms.h"
#include "unit/capture_world.h"

/* Do not load the symbols of this machine, because that takes long and they are not needed. */
struct fargs_ksyms *__wrap_fargs_ksyms_load(struct fargs_error_text *err);

struct fargs_ksyms *__wrap_fargs_ksyms_load(struct fargs_error_text *err)
{
	return NULL;
}

static struct fargs_control control;
static struct fargs_error_text err;
static int to[2], from[2];

static void open_pipes(void)
{
	char spec[64];

	if (pipe(to) || pipe(from))
		abort();
	snprintf(spec, sizeof(spec), "fd:%d,%d", to[0], from[1]);
	CHECK_INT(fargs_control_open(&control, spec, &err), 0);
}

static void close_pipes(void)
{
	fargs_control_close(&control);
	close(to[0]);
	close(to[1]);
	close(from[0]);
	close(from[1]);
}

static void put(const char *text)
{
	if (write(to[1], text, strlen(text)) < 0)
		abort();
}

static enum fargs_control_verb next(void)
{
	char text[FARGS_CONTROL_MAX];

	return fargs_control_next(&control, text);
}

static void commands(void)
{
	char text[FARGS_CONTROL_MAX];

	open_pipes();
	CHECK_INT(next(), FARGS_CONTROL_NONE);
	put("enable\ndisable\nsnapshot\n\nstop\nping\nevlist\nevlist -v\n");
	CHECK_INT(next(), FARGS_CONTROL_ENABLE);
	CHECK_INT(next(), FARGS_CONTROL_DISABLE);
	CHECK_INT(next(), FARGS_CONTROL_SNAPSHOT);
	CHECK_INT(next(), FARGS_CONTROL_STOP);
	CHECK_INT(next(), FARGS_CONTROL_PING);
	CHECK_INT(next(), FARGS_CONTROL_EVLIST);
	CHECK_INT(next(), FARGS_CONTROL_EVLIST);
	CHECK_INT(next(), FARGS_CONTROL_NONE);
	/* A command may arrive in pieces, and ends at the newline only. */
	put("pi");
	CHECK_INT(next(), FARGS_CONTROL_NONE);
	put("ng");
	CHECK_INT(next(), FARGS_CONTROL_NONE);
	put("\nx");
	CHECK_INT(next(), FARGS_CONTROL_PING);
	put("\npings\nenable cycles\n");
	CHECK_INT(next(), FARGS_CONTROL_UNKNOWN);
	CHECK_INT(fargs_control_next(&control, text), FARGS_CONTROL_UNKNOWN);
	CHECK_STR(text, "pings");
	CHECK_INT(fargs_control_next(&control, text), FARGS_CONTROL_UNKNOWN);
	CHECK_STR(text, "enable cycles");
	close_pipes();
}

static void long_command(void)
{
	char text[FARGS_CONTROL_MAX], many[200];

	open_pipes();
	memset(many, 'p', sizeof(many));
	many[sizeof(many) - 1] = '\0';
	put(many);
	put("\nping\n");
	CHECK_INT(fargs_control_next(&control, text), FARGS_CONTROL_UNKNOWN);
	CHECK_INT(strlen(text), FARGS_CONTROL_MAX - 1);
	CHECK_INT(next(), FARGS_CONTROL_PING);
	close_pipes();
}

static void acknowledgements(void)
{
	char text[8] = "";

	open_pipes();
	CHECK_INT(fargs_control_ack(&control), 0);
	CHECK_INT(read(from[0], text, sizeof(text)), 4);
	CHECK(!memcmp(text, "ack\n", 4));
	/* Whoever does not read them does not make the recording wait. */
	while (!fargs_control_ack(&control))
		;
	CHECK_INT(fargs_control_ack(&control), -EAGAIN);
	close(from[0]);
	signal(SIGPIPE, SIG_IGN);
	CHECK_INT(fargs_control_ack(&control), -EPIPE);
	signal(SIGPIPE, SIG_DFL);
	from[0] = -1;
	close_pipes();
}

static void closed_by_the_other_side(void)
{
	open_pipes();
	put("ping\n");
	close(to[1]);
	to[1] = -1;
	CHECK_INT(next(), FARGS_CONTROL_PING);
	CHECK_INT(next(), FARGS_CONTROL_NONE);
	/* It is not polled any more. */
	CHECK_INT(control.fd, -1);
	close_pipes();
}

static const char *refusal(const char *spec)
{
	err.text[0] = '\0';
	CHECK(fargs_control_open(&control, spec, &err) < 0);
	CHECK_INT(control.fd, -1);
	return err.text;
}

static void refusals(void)
{
	CHECK_STR(refusal("/tmp"), "'/tmp' is neither fifo:FILE[,FILE] nor fd:N[,N]");
	CHECK_STR(refusal(""), "'' is neither fifo:FILE[,FILE] nor fd:N[,N]");
	CHECK_STR(refusal("fifo:/none/x"), "cannot open '/none/x': No such file or directory");
	CHECK_STR(refusal("fifo:"), "cannot open '': No such file or directory");
	CHECK_STR(refusal("fifo:/dev/null"), "'/dev/null' is not a FIFO: make one with mkfifo(1)");
	CHECK_STR(refusal("fd:"), "'' is not the number of a descriptor");
	CHECK_STR(refusal("fd:-1"), "'-1' is not the number of a descriptor");
	CHECK_STR(refusal("fd:0x1"), "'0x1' is not the number of a descriptor");
	CHECK_STR(refusal("fd:0,"), "'' is not the number of a descriptor");
	CHECK_STR(refusal("fd:900"), "descriptor 900 is not open");
	CHECK_STR(refusal("fd:0,900"), "descriptor 900 is not open");
}

static int sink_begin(void *arg, struct fargs_meta *meta, struct fargs_error_text *e)
{
	return 0;
}

static int drained(void *arg, uint64_t now_tsc, uint64_t held_ns, struct fargs_error_text *e)
{
	return 0;
}

static void tell(void *arg, struct fargs_capture_taken *taken, bool *is_done)
{
}

static int sink_end(void *arg, struct fargs_error_text *e)
{
	world_add("end ");
	return 0;
}

static void sink_cancel(void *arg)
{
	world_add("cancel ");
}

static char dir[64];
static int status;

/*
 * Runs a recording whose command is the shell script @script; in it, $1 is a FIFO for commands, and
 * "wait_ack" waits for the answer.
 */
static int run(const char *script)
{
	static const struct fargs_capture_output ops = {
		.begin = sink_begin, .drained = drained, .tell = tell, .end = sink_end,
		.cancel = sink_cancel,
	};
	char ctl[80], ack[80], spec[200], text[1024];
	char *const words[] = { "sh", "-c", text, "sh", ctl, ack, NULL };
	char *const argv[] = { "test", NULL };
	const struct fargs_capture_request r = {
		.has_all = true, .argv = argv, .command = words, .control = spec,
	};
	int ret;

	world_reset();
	snprintf(ctl, sizeof(ctl), "%s/ctl", dir);
	snprintf(ack, sizeof(ack), "%s/ack", dir);
	snprintf(spec, sizeof(spec), "fifo:%s,%s", ctl, ack);
	snprintf(text, sizeof(text), "exec 7<>\"$2\"\n"
		 "wait_ack() { read a <&7 && [ \"$a\" = ack ]; }\n"
		 "%s", script);
	if (mkfifo(ctl, 0600) || mkfifo(ack, 0600))
		abort();
	status = -1;
	ret = fargs_capture_run(&r, &ops, NULL, &world_hooks, &status);
	unlink(ctl);
	unlink(ack);
	return ret;
}

static void obeyed(void)
{
	char wanted[512];

	CHECK_INT(run("for i in ping disable enable evlist; do\n"
		      "echo $i >\"$1\" && wait_ack || exit 1\n"
		      "done; exit 3"), 0);
	CHECK_INT(status, 3);
	CHECK_STR(world_log, "describe ending detached end ended ");
	/* What is refused has no answer: that to ping is the first one. */
	CHECK_INT(run("echo 'nons\033ense' >\"$1\"; echo snapshot >\"$1\"; echo ping >\"$1\"; "
		      "wait_ack && exit 4"), 0);
	CHECK_INT(status, 4);
	snprintf(wanted, sizeof(wanted), "describe note%d:'--control': 'nons?ense' is not a "
		 "command: the commands are enable, disable, snapshot, stop, ping and evlist:0/0 "
		 "note%d:'--control': 'snapshot' needs '--flight':0/0 ending detached end ended ",
		 FARGS_NOTE_WARNING, FARGS_NOTE_WARNING);
	CHECK_STR(world_log, wanted);
}

/* As for perf, the command gets SIGTERM. */
static void stopped(void)
{
	CHECK_INT(run("echo stop >\"$1\"; wait_ack || exit 1; exec sleep 100"), 0);
	CHECK_INT(status, 128 + SIGTERM);
	CHECK_STR(world_log, "describe ending detached end ended ");
}

/* Tests commands of which nobody reads the acknowledgements: they are obeyed nevertheless. */
static void unread(void)
{
	static const struct fargs_capture_output ops = {
		.begin = sink_begin, .drained = drained, .tell = tell, .end = sink_end,
		.cancel = sink_cancel,
	};
	char *const argv[] = { "test", NULL };
	char spec[64], wanted[256];
	const struct fargs_capture_request r = { .has_all = true, .argv = argv, .control = spec };

	if (pipe(to) || pipe(from))
		abort();
	close(from[0]);
	put("ping\nstop\n");
	snprintf(spec, sizeof(spec), "fd:%d,%d", to[0], from[1]);
	world_reset();
	CHECK_INT(fargs_capture_run(&r, &ops, NULL, &world_hooks, &status), 0);
	snprintf(wanted, sizeof(wanted), "describe note%d:'--control': a command could not be "
		 "acknowledged: nobody reads the acknowledgements:0/0 ", FARGS_NOTE_WARNING);
	CHECK(!strncmp(world_log, wanted, strlen(wanted)));
	CHECK_STR(world_log + 2 * strlen(wanted) - strlen("describe "),
		  "ending detached end ended ");
	close(to[0]);
	close(to[1]);
	close(from[1]);
}

static void no_fifo(void)
{
	char *const argv[] = { "test", NULL };
	const struct fargs_capture_request r = {
		.has_all = true, .argv = argv, .control = "fifo:/none/x",
	};

	world_reset();
	CHECK(fargs_capture_run(&r, NULL, NULL, &world_hooks, &status) < 0);
	CHECK_STR(world_log, "failed ");
	CHECK_INT(world_error.fault, FARGS_FAULT_CONTROL);
}

static const struct ktap_test tests[] = {
	{ "commands are lines", commands },
	{ "a command that is too long is skipped", long_command },
	{ "acknowledgements do not wait", acknowledgements },
	{ "the other side may close its descriptor", closed_by_the_other_side },
	{ "what cannot be opened is refused", refusals },
	{ "the engine obeys and acknowledges", obeyed },
	{ "stop ends the recording and the command", stopped },
	{ "acknowledgements that nobody reads are reported", unread },
	{ "a FIFO that is not there ends the recording at once", no_fifo },
};

int main(void)
{
	int failed;

	snprintf(dir, sizeof(dir), "/tmp/fargs-control-XXXXXX");
	if (!mkdtemp(dir))
		abort();
	failed = KTAP_RUN(tests);
	rmdir(dir);
	return failed;
}
