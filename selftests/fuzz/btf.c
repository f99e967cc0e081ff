// SPDX-License-Identifier: GPL-2.0-only
/*
 * Feeds untrusted BTF to all code that reads BTF: the parser, the layout compiler, the printers of
 * prototypes and of structs. None may crash, hang or leak memory; their messages must be one line
 * without control bytes, and the module's verifier must accept each layout.
 *
 *	btf [-n N] [-t SECONDS] [-s SEED] [BASE [SPLIT...]]
 *
 * Inputs are generated; with BASE, they are mutations of BASE; with SPLITs, mutations of these,
 * based on the unchanged BASE. Files are raw BTF, or ELF files that contain BTF. Stops after N
 * (1000) inputs, or after SECONDS. An input depends only on its seed, which starts with SEED and is
 * incremented: -n 1 -s SEED repeats a single input.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/btf.h>
#include <sanitizer/common_interface_defs.h>

#include "fuzz/btf_input.h"
#include "fuzz/json_check.h"
#include "fuzz/options.h"
#include "kernel/btf/btfs.h"
#include "kernel/btf/funcs.h"
#include "kernel/btf/proto.h"
#include "lib/verifier.h"
#include "model/decoder.h"
#include "select/codegen/compile.h"
#include "sink/json/json.h"
#include "sink/json/json_event.h"
#include "sink/text/aggregate.h"
#include "sink/text/text.h"
#include "uapi/fargs_layout.h"

/* Maximum number of functions, and of structs, that are tried per input. */
#define FUNCS_MAX	64
#define STRUCTS_MAX	64

/* Number of split BTFs that are added to a base before the base is read again. */
#define SPLITS_MAX	256

#define HANG_SECONDS	60

static uint64_t seed = 1;
static struct fuzz_random rnd;

static struct {
	unsigned long inputs, taken, funcs, layouts, prototypes, aggregates;
} nr;

static void print_seed(void)
{
	fprintf(stderr, "fuzz: at -s %llu\n", (unsigned long long)seed);
}

static void require(bool cond, const char *what)
{
	if (cond)
		return;
	fprintf(stderr, "fuzz: %s\n", what);
	print_seed();
	abort();
}

static void on_alarm(int sig)
{
	static const char text[] = "fuzz: it hangs\n";

	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		_exit(1);
	abort();
}

static void fill(void *data, size_t bytes)
{
	uint8_t *p = data;

	while (bytes--)
		*p++ = fuzz_once_in(&rnd, 3) ? fuzz_random(&rnd) : fuzz_below(&rnd, 4);
}

static void require_line(const char *text, size_t bytes, const char *what)
{
	size_t i;

	for (i = 0; i < bytes; i++)
		require((uint8_t)text[i] >= ' ' && text[i] != 0x7f, what);
}

/* Makes a record of the layout at @data, with random values. *@ip: address of its function. */
static struct fargs_record *make_record(const unsigned char *data, uint64_t *ip)
{
	struct fargs_layout layout;
	struct fargs_record *rec;
	struct fargs_values it;
	struct fargs_value val;

	memcpy(&layout, data, sizeof(layout));
	*ip = layout.addr;
	rec = calloc(1, sizeof(*rec) + layout.body_len);
	require(rec, "no memory");
	rec->len = sizeof(*rec) + layout.body_len;
	rec->kind = FARGS_KIND_ENTRY;
	rec->ip = *ip;
	memcpy(rec + 1, data + layout.size - layout.body_len, layout.body_len);
	require(fargs_record_check(rec, rec->len, NULL) == rec->len, "a body that is no record");
	fargs_record_values(rec, &it);
	while (fargs_record_next(&it, &val, NULL) == 1)
		fill((void *)val.data, val.bytes);
	return rec;
}

static void show(struct fargs_btfs *btfs, const char *module, uint32_t func_id,
		 const unsigned char *layout)
{
	struct fargs_func func = { .name = "f", .btf_id = func_id };
	struct fargs_meta meta = {
		.info = { .nr_cpus = 1, .tsc_khz = 1000000 },
		.funcs = &func,
		.nr_funcs = 1,
		.btfs = btfs,
	};
	struct fargs_decoder *d;
	struct fargs_record *rec;
	struct fargs_event ev;
	struct fargs_buf text = { };

	rec = make_record(layout, &func.ip);
	func.addr = func.ip;
	func.module = strcmp(module, FARGS_BTF_VMLINUX) ? (char *)module : NULL;
	d = fargs_decoder_create(&meta, NULL);
	require(!!d, "no memory");
	require(!fargs_decoder_event(d, 0, rec, &ev), "a record is corrupt");
	require(!fargs_text_event(&text, d, &ev), "an event is not shown");
	require(text.n && text.text[text.n - 1] == '\n', "a line without an end");
	require_line(text.text, text.n - 1, "a control byte in a line");
	text.n = 0;
	require(!fargs_json_event(&text, d, &ev), "an event is not shown as JSON");
	require(json_lines_are_valid(text.text, text.n), "a line is no JSON");
	fargs_buf_deinit(&text);
	fargs_decoder_destroy(d);
	free(rec);
}

static void try_func(struct fargs_btfs *btfs, const char *module, const struct btf *btf,
		     struct fargs_proto *protos, uint32_t id)
{
	struct fargs_layouts layouts = { };
	enum fargs_refusal why;
	const char *text;

	nr.funcs++;
	require(!fargs_layout_compile(&layouts, btf, id, 0x1000, &why), "no memory");
	require(why < FARGS_REFUSALS && !why == (layouts.nr == 1), "neither layout nor reason");
	if (!why) {
		text = verifier_check(layouts.data, layouts.bytes);
		require(!text, text);
		show(btfs, module, id, layouts.data);
		nr.layouts++;
	}
	fargs_layouts_deinit(&layouts);
	errno = 0;
	text = fargs_proto_text(protos, id, NULL);
	require(text || errno, "neither prototype nor error");
	nr.prototypes += !!text;
}

/* Returns a decoder without symbols. JSON output needs a decoder in order to use types. */
static struct fargs_decoder *any_decoder(void)
{
	static struct fargs_meta meta = { .info = { .nr_cpus = 1, .tsc_khz = 1000000 } };
	static struct fargs_decoder *d;

	if (!d)
		d = fargs_decoder_create(&meta, NULL);
	require(!!d, "no memory");
	return d;
}

static void try_json(const struct fargs_arg *arg)
{
	struct fargs_buf text = { };

	fargs_json_put_value(&text, any_decoder(), arg);
	fargs_buf_add_char(&text, '\n');
	require(json_lines_are_valid(text.text, text.n), "a struct is no JSON");
	fargs_buf_deinit(&text);
}

static void try_struct(const struct btf *btf, uint32_t id, uint32_t bytes)
{
	struct fargs_arg arg = {
		.btf = btf, .btf_id = id, .base_id = id, .shape = FARGS_SHAPE_AGGREGATE,
	};
	struct fargs_span span;
	void *data = malloc(bytes ? bytes : 1);

	require(data, "no memory");
	fill(data, bytes);
	arg.val = (struct fargs_value){
		.name = "s", .type = FARGS_TYPE_BYTES, .data = data, .bytes = bytes,
	};
	fargs_aggregate_text(&span, NULL, &arg);
	require(span.n <= FARGS_SPAN_MAX && !span.is_over, "a struct's text is too long");
	require_line(span.text, span.n, "a control byte in a struct");
	try_json(&arg);
	nr.aggregates++;
	free(data);
}

static void try_types(struct fargs_btfs *btfs, const char *module, const struct btf *btf)
{
	const struct btf *base = btf__base_btf(btf);
	struct fargs_btf_funcs *funcs = fargs_btf_funcs_create(btf);
	struct fargs_proto *protos = fargs_proto_create(btf);
	uint32_t id, nr_funcs = 0, nr_structs = 0;
	const struct btf_type *t;

	require(funcs && protos, "no memory");
	fargs_btf_funcs_are_consistent(btf);
	for (id = base ? btf__type_cnt(base) : 1; id < btf__type_cnt(btf); id++) {
		t = btf__type_by_id(btf, id);
		if (btf_is_func(t) && nr_funcs++ < FUNCS_MAX)
			try_func(btfs, module, btf, protos, id);
		if (btf_is_composite(t) && nr_structs++ < STRUCTS_MAX && t->size <= UINT16_MAX)
			try_struct(btf, id, t->size);
	}
	fargs_proto_destroy(protos);
	fargs_btf_funcs_destroy(funcs);
}

/* Reads BTF. Returns true if it was accepted. */
static bool try_btf(struct fargs_btfs *btfs, const char *module, const void *data, size_t size)
{
	struct fargs_error_text err = { "" };
	struct btf *btf;

	alarm(HANG_SECONDS);
	nr.inputs++;
	if (fargs_btfs_add(btfs, module, data, size, &err)) {
		require(err.text[0], "refused without a reason");
		require_line(err.text, strlen(err.text), "a control byte in an error");
		return false;
	}
	btf = fargs_btfs_get(btfs, module, &err);
	require(btf, "BTF that was taken is gone");
	nr.taken++;
	try_types(btfs, module, btf);
	return true;
}

/* The BTF files given as arguments. */
struct corpus {
	struct btf **btfs;	/* the first one is the base */
	size_t nr;
};

static uint8_t *copy_of(const struct btf *btf, size_t *size)
{
	uint32_t bytes;
	const void *data = btf__raw_data(btf, &bytes);
	uint8_t *copy = malloc(bytes);

	require(copy, "no memory");
	memcpy(copy, data, bytes);
	*size = bytes;
	return copy;
}

static void corpus_init(struct corpus *c, char **paths, size_t n)
{
	size_t i;

	c->nr = n;
	c->btfs = calloc(n + 1, sizeof(*c->btfs));
	require(c->btfs, "no memory");
	for (i = 0; i < n; i++) {
		c->btfs[i] = i ? btf__parse_split(paths[i], c->btfs[0]) :
				 btf__parse(paths[i], NULL);
		require(c->btfs[i], paths[i]);
	}
}

static void corpus_deinit(struct corpus *c)
{
	while (c->nr)
		btf__free(c->btfs[--c->nr]);
	free(c->btfs);
}

static void try_whole(const struct corpus *c)
{
	struct fargs_btfs *btfs = fargs_btfs_create();
	uint8_t *data;
	size_t size;

	require(btfs, "no memory");
	data = c->nr ? copy_of(c->btfs[0], &size) : fuzz_btf_generate(&rnd, &size);
	if (c->nr || fuzz_once_in(&rnd, 2))
		fuzz_btf_mutate(&rnd, data, &size, c->nr ? btf__type_cnt(c->btfs[0]) : 64);
	try_btf(btfs, FARGS_BTF_VMLINUX, data, size);
	free(data);
	fargs_btfs_destroy(btfs);
}

/*
 * Adds a mutated split BTF to *@btfs, which contains the base and the split BTFs accepted so far.
 * If *@btfs is NULL, it is created.
 */
static void try_split(const struct corpus *c, struct fargs_btfs **btfs)
{
	static unsigned int nr_splits;
	const struct btf *from;
	uint8_t *data;
	char name[32];
	size_t size;

	if (nr_splits >= SPLITS_MAX) {
		fargs_btfs_destroy(*btfs);
		*btfs = NULL;
	}
	if (!*btfs) {
		nr_splits = 0;
		*btfs = fargs_btfs_create();
		data = copy_of(c->btfs[0], &size);
		require(*btfs && !fargs_btfs_add(*btfs, FARGS_BTF_VMLINUX, data, size, NULL),
			"the base is not taken");
		free(data);
	}
	from = c->btfs[1 + fuzz_below(&rnd, c->nr - 1)];
	data = copy_of(from, &size);
	fuzz_btf_mutate(&rnd, data, &size, btf__type_cnt(from));
	snprintf(name, sizeof(name), "split%u", nr_splits);
	nr_splits += try_btf(*btfs, name, data, size);
	free(data);
}

int main(int argc, char **argv)
{
	struct fuzz_options options = { .nr = 1000, .seed = seed };
	struct fargs_btfs *btfs = NULL;
	struct corpus corpus;
	unsigned long i;

	if (!fuzz_options_read(&options, argc, argv))
		return 2;
	seed = options.seed;
	__sanitizer_set_death_callback(print_seed);
	signal(SIGALRM, on_alarm);
	corpus_init(&corpus, argv + optind, argc - optind);
	for (i = 0; fuzz_goes_on(&options, i); i++, seed++) {
		rnd.state = seed;
		if (corpus.nr > 1)
			try_split(&corpus, &btfs);
		else
			try_whole(&corpus);
	}
	fargs_btfs_destroy(btfs);
	corpus_deinit(&corpus);
	printf("%lu inputs, %lu taken, %lu functions, %lu layouts, %lu prototypes, %lu structs\n",
	       nr.inputs, nr.taken, nr.funcs, nr.layouts, nr.prototypes, nr.aggregates);
	return 0;
}
