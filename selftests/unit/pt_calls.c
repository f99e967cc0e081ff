// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests the calls of a kernel on two CPUs, with migrating tasks, system calls, faults and
 * interrupts: each return must belong to the innermost open call, and the numbers of begins, ends
 * and interrupts must be right.
 */
#include "unit/pt_testdata.h"

#include "base/file.h"
#include "cmd/report/pt_calls.h"
#include "kernel/sym/ksyms.h"
#include "source/pt/input/perf_input.h"
#include "source/pt/trace/trace.h"
#include "unit/add_text.h"

#define RECORDING	"pt-kernel"
#define TASKS_MAX	256
#define DEPTH_MAX	512

static struct fargs_pt_input in;
static struct fargs_error_text err;
static struct fargs_pt_calls_counts counts;

static void write_wanted(struct fargs_buf *out, const struct fargs_pt_shown_options *wanted,
			 unsigned int nr_threads, uint64_t segment_bytes)
{
	const struct fargs_pt_trace_options how = {
		.nr_threads = nr_threads, .segment_bytes = segment_bytes,
	};
	struct fargs_pt_call_lines *c = fargs_pt_call_lines_create(&in, wanted);
	struct fargs_pt_view view = fargs_pt_call_lines_view(c);

	CHECK_INT(fargs_pt_trace_run(&in, &how, &view, add_text, out, &err), 0);
	counts = *fargs_pt_call_lines_counts(c);
	fargs_pt_call_lines_destroy(c);
}

static void write_calls(struct fargs_buf *out, bool has_returns, unsigned int nr_threads,
			uint64_t segment_bytes)
{
	const struct fargs_pt_shown_options wanted = {
		.has_returns = has_returns,
	};

	write_wanted(out, &wanted, nr_threads, segment_bytes);
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

/* Calls of a task, or of an idle CPU, that are open according to the lines read so far. */
struct open_calls {
	long key;
	unsigned int base;	/* depth of the first open call */
	unsigned int nr;
	int root;		/* depth of the requested function; -1: it is not open */
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
	tasks[nr_tasks].root = -1;
	return &tasks[nr_tasks++];
}

/* The format of a line is "comm tid [cpu] time: word name [module]". */
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

/* Returns whether the line is possible after the previous lines. */
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
	/*
	 * A return, outside of an interrupt, to a caller whose call was not seen: no other call is
	 * open.
	 */
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
	/* The line is a return, iret or tr end. */
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

/* Counts the entries of @kind in the emulator's log of @cpu. */
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
	/* The trace ends at each entry to user space, and once on each CPU when it is disabled. */
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

static bool is_name(const char *name, const char *func)
{
	size_t n = strlen(func);

	return !strncmp(name, func, n) && (!name[n] || name[n] == '+');
}

/* Returns the depth of the call of @func to which a line belongs, directly or nested; -1: none. */
static int find_root(struct open_calls *o, const struct line *l, const char *func)
{
	int depth = l->depth, root = o->root;
	bool is_end = !strcmp(l->word, "tr end");

	if (!strcmp(l->word, "tr strt"))
		o->root = -1;
	/*
	 * The line is in the middle of a function whose call was not seen: the calls that were open
	 * there have ended.
	 */
	if (strchr(l->name, '+') && !is_end) {
		if (o->root >= depth)
			o->root = -1;
	} else if (is_end || !strcmp(l->word, "return") || !strcmp(l->word, "iret")) {
		if (is_end || depth <= root)
			o->root = -1;
		return root >= 0 && depth >= root ? root : -1;
	}
	if (o->root < 0 && is_name(l->name, func))
		o->root = depth;
	return o->root;
}

/*
 * Writes to @out those lines of @text, the list of all calls, that --graph-function @func must
 * show, with at most @max nested calls.
 */
static void match(struct fargs_buf *out, const char *text, const char *func, unsigned int max)
{
	const char *end, *name;
	struct open_calls *o;
	char line[256];
	int root;
	struct line l;

	nr_tasks = 0;
	for (; *text; text = end) {
		end = strchr(text, '\n') + 1;
		snprintf(line, sizeof(line), "%.*s", (int)(end - text), text);
		if (!parse(&l, line)) {
			ktap_fail(__FILE__, __LINE__, "no line of a call");
			return;
		}
		o = find_open(l.tid ? l.tid : -1 - l.cpu);
		root = o ? find_root(o, &l, func) : -1;
		if (root < 0 || (max && l.depth - root >= max))
			continue;
		name = text + (strstr(strchr(line, '['), ": ") + 2 + 9 - line);
		fargs_buf_add(out, text, name - text);
		fargs_buf_fill(out, ' ', 2 * (l.depth - root));
		name += strspn(name, " ");
		fargs_buf_add(out, name, end - name);
	}
}

static void compare_below(const char *all, const char *func, unsigned int max)
{
	struct fargs_pt_shown_options wanted = {
		.has_returns = true, .depth_max = max,
	};
	struct fargs_buf expected = { }, text = { };
	struct fargs_pt_funcs *roots;

	REQUIRE(!fargs_pt_funcs_create(&roots, &in, &func, 1, &err));
	wanted.roots = roots;
	match(&expected, all, func, max);
	write_wanted(&text, &wanted, 2, 0);
	printf("# %s: %zu bytes of %zu\n", func, text.n, strlen(all));
	CHECK(text.n && text.n < strlen(all));
	CHECK(text.n == expected.n && !memcmp(text.text, expected.text, text.n));
	fargs_pt_funcs_destroy(roots);
	fargs_buf_deinit(&expected);
	fargs_buf_deinit(&text);
}

static void below_functions(void)
{
	static const char *const funcs[] = {
		"vfs_read", "handle_mm_fault", "__schedule", "asm_sysvec_apic_timer_interrupt",
		"x64_sys_call", "kmem_cache_alloc",
	};
	struct fargs_buf all = { };
	size_t i;

	if (!open_recording())
		return;
	write_calls(&all, true, 1, 0);
	fargs_buf_add_char(&all, '\0');
	for (i = 0; i < sizeof(funcs) / sizeof(funcs[0]); i++) {
		compare_below(all.text, funcs[i], 0);
		compare_below(all.text, funcs[i], 1);
		compare_below(all.text, funcs[i], 3);
	}
	fargs_buf_deinit(&all);
	fargs_pt_input_deinit(&in);
}

static bool finds(const char *glob, const char *name, const char *module)
{
	const struct fargs_pt_name n = { .name = name, .module = module };
	struct fargs_pt_funcs *funcs;
	const struct fargs_ksym *const *sym;
	struct fargs_pt_name at = n;
	bool has;

	if (fargs_pt_funcs_create(&funcs, &in, &glob, 1, &err))
		return false;
	if (fargs_ksyms_find_name(in.ksyms, name, &sym))
		at.addr = (*sym)->addr;
	has = fargs_pt_funcs_has(funcs, &at);
	fargs_pt_funcs_destroy(funcs);
	return has;
}

static void names_functions(void)
{
	if (!open_recording())
		return;
	CHECK(finds("vfs_read", "vfs_read", NULL));
	CHECK(finds("vfs_*", "vfs_write", NULL));
	CHECK(!finds("vfs_*", "ksys_read", NULL));
	CHECK(!finds("vfs_rea", "vfs_read", NULL));
	CHECK_STR(err.text, "the trace has no function 'vfs_rea'");
	CHECK(!finds("ext4:vfs_read", "vfs_read", NULL));
	CHECK_STR(err.text, "the trace has no function 'ext4:vfs_read'");
	fargs_pt_input_deinit(&in);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "each return belongs to the innermost open call", balance },
		{ "lines are the same with any number of threads", threads_change_nothing },
		{ "calls inside a function are shown up to the requested depth", below_functions },
		{ "functions are found by name, glob and module", names_functions },
	};
	int status = KTAP_RUN(tests);

	pt_testdata_clean_up();
	return status;
}
