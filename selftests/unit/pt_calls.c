// SPDX-License-Identifier: GPL-2.0-only
/*
 * The calls of a kernel, over two CPUs, tasks that move between them, system calls, faults and
 * interrupts: each return is that of the innermost call that is open, and begins, ends and
 * interrupts are as many as there were.
 */
#include "unit/pt_testdata.h"

#include "pt/calls.h"
#include "pt/perf_input.h"
#include "pt/trace.h"
#include "util/file.h"

#define RECORDING	"pt-kernel"
#define TASKS_MAX	256
#define DEPTH_MAX	512

static struct fargs_pt_input in;
static struct fargs_error_text err;
static struct fargs_pt_calls_counts counts;

static int add_text(void *arg, const char *text, size_t bytes)
{
	fargs_buf_add(arg, text, bytes);
	return 0;
}

static void write_calls(struct fargs_buf *out, bool has_returns, unsigned int nr_threads,
			uint64_t segment_bytes)
{
	const struct fargs_pt_calls_options wanted = {
		.has_returns = has_returns, .window = FARGS_TIME_WINDOW_ALL,
	};
	const struct fargs_pt_trace_options how = {
		.nr_threads = nr_threads, .segment_bytes = segment_bytes,
	};
	struct fargs_pt_calls *c = fargs_pt_calls_create(&in, &wanted);
	struct fargs_pt_view view = fargs_pt_calls_view(c);

	CHECK_INT(fargs_pt_trace_run(&in, &how, &view, add_text, out, &err), 0);
	counts = *fargs_pt_calls_counts(c);
	fargs_pt_calls_destroy(c);
}

static bool open_recording(void)
{
	if (!pt_testdata_unpack(RECORDING))
		return false;
	fargs_pt_input_init(&in);
	if (!fargs_perf_input_read(&in, pt_testdata_at(RECORDING "/perf.data"), NULL, &err))
		return true;
	ktap_fail(__FILE__, __LINE__, "%s", err.text);
	fargs_pt_input_deinit(&in);
	return false;
}

/* What is open of a task, or of an idle CPU, by what its lines said. */
struct open_calls {
	long key;
	unsigned int base;	/* depth of the first one */
	unsigned int nr;
	char names[DEPTH_MAX][64];
};

static struct open_calls tasks[TASKS_MAX];
static size_t nr_tasks;

static struct open_calls *find_open(long key)
{
	size_t i;

	for (i = 0; i < nr_tasks; i++)
		if (tasks[i].key == key)
			return &tasks[i];
	if (nr_tasks == TASKS_MAX)
		return NULL;
	tasks[nr_tasks].key = key;
	return &tasks[nr_tasks++];
}

/* "comm  tid [cpu] time: word     name [module]" */
struct line {
	long tid, cpu;
	char word[16], name[64];
	unsigned int depth;
};

static bool parse(struct line *l, const char *text)
{
	const char *cpu = strchr(text, '['), *tid = cpu, *word;
	int n = 0;

	if (!cpu)
		return false;
	while (tid > text && tid[-1] == ' ')
		tid--;
	while (tid > text && tid[-1] != ' ')
		tid--;
	word = strstr(cpu, ": ");
	if (!word || sscanf(tid, "%ld [%ld]", &l->tid, &l->cpu) != 2)
		return false;
	word += 2;
	snprintf(l->word, sizeof(l->word), "%.9s", word);
	for (n = strlen(l->word); n && l->word[n - 1] == ' ';)
		l->word[--n] = '\0';
	word += 9;
	n = strspn(word, " ");
	l->depth = n / 2;
	return sscanf(word + n, "%63s", l->name) == 1;
}

static void set_name(struct open_calls *o, unsigned int i, const char *name)
{
	snprintf(o->names[i % DEPTH_MAX], sizeof(o->names[0]), "%s", name);
	o->nr = i + 1;
}

/* Is the line what can come now? */
static bool follows(const struct line *l)
{
	struct open_calls *o = find_open(l->tid ? l->tid : -1 - l->cpu);
	unsigned int top;

	if (!o || l->depth >= DEPTH_MAX)
		return false;
	top = o->nr ? o->nr - 1 : 0;
	if (!strcmp(l->word, "tr strt")) {
		set_name(o, 0, l->name);
		return l->depth == 0;
	}
	/* To a caller that was not seen, outside of an interrupt: nothing else is open. */
	if (strchr(l->name, '+') && strcmp(l->word, "tr end")) {
		set_name(o, l->depth, l->name);
		return !strcmp(l->word, "return");
	}
	if (!strcmp(l->word, "call") || !strcmp(l->word, "hw int")) {
		if (l->depth != o->nr && o->nr)
			return false;
		set_name(o, l->depth, l->name);
		return true;
	}
	if (!strcmp(l->word, "jmp")) {
		if (l->depth != top)
			return false;
		set_name(o, top, l->name);
		return true;
	}
	/* return, iret, tr end */
	if (!o->nr || l->depth != top || strcmp(o->names[top], l->name))
		return false;
	o->nr = strcmp(l->word, "tr end") ? top : 0;
	return true;
}

struct words {
	const char *word;
	uint64_t nr;
};

static uint64_t count_word(struct words *words, const char *word)
{
	for (; words->word; words++)
		if (!strcmp(words->word, word))
			return ++words->nr;
	return 0;
}

/* How many records of that kind there are in what the emulator wrote, until it was turned off. */
static uint64_t count_truth(uint32_t cpu, uint32_t kind)
{
	const struct { uint64_t pc; uint32_t nr, kind; } *runs;
	uint64_t nr = 0;
	char name[64];
	size_t size, i;

	snprintf(name, sizeof(name), RECORDING "/truth/log.%u", cpu);
	runs = (void *)fargs_file_read(pt_testdata_at(name), &size);
	for (i = 0; runs && i < size / sizeof(*runs) && runs[i].kind != 6; i++)
		nr += runs[i].kind == kind;
	free((void *)runs);
	return nr;
}

static void balance(void)
{
	struct words words[] = { { "hw int", 0 }, { "iret", 0 }, { "tr strt", 0 }, { "tr end", 0 },
				 { "call", 0 }, { "return", 0 }, { NULL, 0 } };
	struct fargs_buf text = { };
	unsigned int nr = 0, nr_wrong = 0;
	char *line, *save;
	struct line l;

	if (!open_recording())
		return;
	write_calls(&text, true, 1, 0);
	fargs_buf_add_char(&text, '\0');
	for (line = strtok_r(text.text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		nr++;
		if (!parse(&l, line) || !follows(&l)) {
			nr_wrong++;
			if (nr_wrong < 10)
				printf("# line %u: %s\n", nr, line);
		} else {
			count_word(words, l.word);
		}
	}
	printf("# %u lines, %" PRIu64 " calls, %" PRIu64 " returns, %" PRIu64 " unseen\n", nr,
	       counts.calls, counts.returns, counts.unseen);
	CHECK_INT(nr_wrong, 0);
	CHECK_INT(counts.errors, 0);
	CHECK(nr > 100000);
	CHECK_INT(words[0].nr, count_truth(0, 5) + count_truth(1, 5));
	CHECK_INT(words[1].nr, words[0].nr);
	CHECK_INT(words[2].nr, count_truth(0, 2) + count_truth(1, 2));
	/* To user space, and once on each CPU when it was turned off. */
	CHECK_INT(words[3].nr, count_truth(0, 1) + count_truth(1, 1) + 2);
	fargs_buf_deinit(&text);
	fargs_pt_input_deinit(&in);
}

static void threads_change_nothing(void)
{
	struct fargs_buf first = { }, other = { };

	if (!open_recording())
		return;
	write_calls(&first, false, 1, 0);
	write_calls(&other, false, 3, 1);
	CHECK(other.n == first.n && first.n && !memcmp(other.text, first.text, first.n));
	other.n = 0;
	write_calls(&other, false, 2, UINT64_MAX);
	CHECK(other.n == first.n && !memcmp(other.text, first.text, first.n));
	fargs_buf_deinit(&first);
	fargs_buf_deinit(&other);
	fargs_pt_input_deinit(&in);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "each return is of the innermost open call", balance },
		{ "the lines are the same with any number of threads", threads_change_nothing },
	};
	int status = KTAP_RUN(tests);

	pt_testdata_clean_up();
	return status;
}
