// SPDX-License-Identifier: GPL-2.0-only
/* Tests that errors in selectors are reported with their column. */
#include <errno.h>

#include "unit/expr_world.h"

static struct world w;

struct diagnostic {
	const char *text;
	const char *want;
};

static void check_all(int func, const struct diagnostic *diagnostics, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		CHECK_STR(world_diagnostic(&w, func, diagnostics[i].text), diagnostics[i].want);
}

#define CHECK_ALL(func, diagnostics)							\
	check_all(func, diagnostics, sizeof(diagnostics) / sizeof((diagnostics)[0]))

static void words(void)
{
	static const struct diagnostic diagnostics[] = {
		{ "", "1: the name of a function is missing: write NAME or MODULE:NAME" },
		{ "  (count)", "3: the name of a function is missing: write NAME or MODULE:NAME" },
		{ "f(count = 1)", "9: '=' is not a comparison: write '=='" },
		{ "f(count == 1 # 2)", "14: unexpected character '#'" },
		{ "f(count == \x01)", "12: unexpected byte 0x01" },
		{ "f(count == 10kk)", "12: '10kk' is not a number: write it like 10, 0x1f, 0644, "
				      "4k, 1M or 1.5ms" },
		{ "f(count == 089)", "12: '089' is not a number: write it like 10, 0x1f, 0644, "
				     "4k, 1M or 1.5ms" },
		{ "f(count == 1.5)", "12: '1.5' is not a number: write it like 10, 0x1f, 0644, "
				     "4k, 1M or 1.5ms" },
		{ "f(count == 0x)", "12: '0x' is not a number: write it like 10, 0x1f, 0644, 4k, "
				    "1M or 1.5ms" },
		{ "f(count == 18446744073709551616)",
		  "12: the number does not fit into 64 bits" },
		{ "f(count == 17179869184G)",
		  "12: the number does not fit into 64 bits" },
		{ "f(count == 'ab')", "12: a character is written like 'a' or '\\n'" },
		{ "f(count == '')", "12: a character is written like 'a' or '\\n'" },
		{ "f(count == '", "12: a character is written like 'a' or '\\n'" },
		{ "f(name == \"x)", "11: the string has no closing '\"'" },
		{ "f(name == \"x\\\")", "11: the string has no closing '\"'" },
	};

	world_init(&w);
	CHECK_ALL(w.f, diagnostics);
	world_deinit(&w);
}

static void grammar(void)
{
	static const struct diagnostic diagnostics[] = {
		{ "f(count", "8: an operator, ',' or ')' is missing at the end" },
		{ "f(count count)", "9: expected an operator, ',' or ')', not 'count'" },
		{ "f(count >)", "10: expected a value, not ')'" },
		{ "f(count > ", "11: a value is missing at the end" },
		{ "f(,)", "3: expected a value, not ','" },
		{ "f(count,)", "9: expected a value, not ')'" },
		{ "f(count |)", "10: expected a value, not ')'" },
		{ "f(file->)", "9: expected the name of a member, not ')'" },
		{ "f(file->arr[1)", "14: expected ']', not ')'" },
		{ "f((count)", "10: an operator, ',' or ')' is missing at the end" },
		{ "f(file:foo)", "8: there is no format 'foo': the formats are "
		  "str, ustr, x, d, u, o, path, cgroup, bdev, mac, uuid, inet, skb" },
		{ "f(1 < count < 3)", "13: comparisons cannot be chained: join them with &&" },
		{ "f(count) count", "10: expected '(', '->' or the end, not 'count'" },
		{ "f(count) ->", "12: a value is missing at the end" },
		{ "f -> ret)", "9: expected an operator, ',' or the end, not ')'" },
		{ "f ->", "5: a value is missing at the end" },
	};

	world_init(&w);
	CHECK_ALL(w.f, diagnostics);
	world_deinit(&w);
}

static void names(void)
{
	static const struct diagnostic diagnostics[] = {
		{ "f(file->f_flagz)", "9: no member 'f_flagz' in struct file; did you mean "
				      "'f_flags'?" },
		{ "f(file->in.z == 1)",
		  "12: no member 'z' in struct inner; did you mean 'x' or 'y'?" },
		{ "f(cuont > 1)", "3: 'cuont' is neither an argument of f nor a constant; did you "
				  "mean 'count'?" },
		{ "f(cuont)", "3: f has no argument 'cuont'; did you mean 'count'?" },
		{ "f(fiel->f_err)", "3: f has no argument 'fiel'; did you mean 'file'?" },
		{ "f(file->f_flags & O_DIRCT)", "19: 'O_DIRCT' is neither an argument of f nor a "
						"constant; did you mean 'O_DIRECT'?" },
		{ "f(file->col == GRENE)", "16: 'GRENE' is neither an argument of f nor a "
					   "constant; did you mean 'GREEN'?" },
		{ "f(count == TWICE)", "12: 'TWICE' has different values in several enums: write "
				       "the number" },
		{ "f(comm == \"x\")", "3: 'comm' is neither an argument of f nor a constant; did "
				      "you mean '$comm'?" },
		{ "f(pid)", "3: f has no argument 'pid'; did you mean '$pid'?" },
		{ "f($comn == \"x\")", "3: there is no $comn; did you mean '$comm'?" },
		{ "f($zzzzzzz)", "3: there is no $zzzzzzz: the names are $comm $pid $tid $cpu $uid "
				 "$caller $cgroup $task $duration $ret" },
		{ "f(xyzzyx == plughp)", "3: 'xyzzyx' is neither an argument of f nor a constant" },
	};

	world_init(&w);
	CHECK_ALL(w.f, diagnostics);
	world_deinit(&w);
}

static void types(void)
{
	static const struct diagnostic diagnostics[] = {
		{ "f(file.f_flags)", "8: 'file' is of type struct file *, a pointer: write '->'" },
		{ "f(file->in->x)", "13: 'file->in' is of type struct inner, not a pointer: write "
				    "'.'" },
		{ "f(count.x)", "9: unsigned long has no members" },
		{ "f(name->x)", "9: char has no members" },
		{ "f(*count)", "4: 'count' is of type unsigned long, which is neither a pointer "
			       "nor an array" },
		{ "f(count[1])", "3: 'count' is of type unsigned long, which is neither a pointer "
				 "nor an array" },
		{ "f(*file->raw)", "3: 'file->raw' is of type void *, whose target has no known "
				   "type; [0..n] reads n bytes" },
		{ "f(file->raw[1])", "12: 'file->raw' is of type void *, whose target has no known "
				     "type; [0..n] reads n bytes" },
		{ "f(file->fwd->x)", "14: BTF does not describe struct fwd here" },
		{ "f(*file->fwd)", "10: the size of struct fwd is not known" },
		{ "f(file->arr[4])", "13: 'file->arr' is of type unsigned short[4], which has no "
				     "such element" },
		{ "f(file->arr[-1])",
		  "13: 'file->arr' is of type unsigned short[4], which has no such element" },
		{ "f(file->flex)", "9: the length of int[0] is not known: give a range, [0..n]" },
		{ "f(file->real)", "9: values of type double cannot be shown" },
		{ "f(count:str)", "" },
		{ "f(fd:str)", "3: 'fd' is of type int, not the address of a string" },
		{ "f(file:str)", "3: 'file' is of type struct file *, not the address of a "
				 "string" },
		{ "f(file->arr:str)",
		  "9: 'file->arr' is of type unsigned short[4], not the address of a string" },
		{ "f(name[0..4]:str)", "7: a range is not a string" },
		{ "f(name[0..4] == 1)", "7: a range cannot be compared" },
		{ "f(name[0..4].x)", "7: nothing can follow a range" },
		{ "f(name[4..2])", "11: the range ends before it starts, or is too long" },
		{ "f(name[name..4])", "8: this is not a number of elements" },
		{ "f(name[0..name:str])", "16: this is not a number of elements" },
		{ "f((count:x):x)", "10: a format must follow the whole value" },
		{ "f($comm.x)", "9: '$comm' has no members" },
		{ "f($cpu:str)", "3: this is a number, not a string" },
		{ "f(4)", "3: this is a constant, not a value of the call" },
		{ "f(\"x\")", "3: this is not a value of a call" },
		{ "f(pair.to->iname[9])", "18: 'pair.to->iname' is of type char[8], which has no "
					  "such element" },
	};

	world_init(&w);
	CHECK_ALL(w.f, diagnostics);
	world_deinit(&w);
}

static void comparisons(void)
{
	static const struct diagnostic diagnostics[] = {
		{ "f(count == -1)", "12: 'count' is unsigned, so it is never negative" },
		{ "f(count < 0)", "11: 'count' is unsigned, so it is never below 0" },
		{ "f(count == -ENOENT)", "12: 'count' is unsigned, so it is never negative" },
		{ "f(small == 256)", "12: 'small' is never 256: its values range from 0 to 255" },
		{ "f(tiny > 128)", "10: 'tiny' is never 128: its values range from -128 to 127" },
		{ "f(fd == 0x80000000)", "9: 'fd' is never 2147483648: its values range from "
					 "-2147483648 to 2147483647" },
		{ "f(file->hi == 16)", "15: 'file->hi' is never 16: its values range from -16 to "
		  "15" },
		{ "f(file->lo == 8)", "15: 'file->lo' is never 8: its values range from 0 to 7" },
		{ "f(file->ok == 2)", "15: 'file->ok' is never 2: its values range from 0 to 1" },
		{ "f(file < 0)", "10: 'file' is a pointer, so it is never below 0: error pointers "
				 "are >= -4095" },
		{ "f(file == -4096)", "11: 'file' is a pointer, so it is never negative" },
		{ "f(file->huge == 1)", "9: values of 128 bits cannot be compared" },
		{ "f(file->in == 1)", "9: 'file->in' is not a single value: compare its members" },
		{ "f(file->comm == 1)", "9: 'file->comm' is a string: compare it with a pattern in "
					"\"\", using == or !=" },
		{ "f(name < \"x\")", "10: a string can only be compared using == or !=" },
		{ "f(count == \"x\")", "" },
		{ "f(fd == \"x\")", "3: 'fd' is of type int, not the address of a string" },
		{ "f(3 == \"x\")", "5: both sides of this comparison are constants" },
		{ "f(3 == 4)", "5: both sides of this comparison are constants" },
		{ "f(4 && count)", "3: a constant is not a condition" },
		{ "f((count > 1) == 1)", "10: this is true or false, not a number" },
		{ "f((count | fd) == -1)", "19: '(count|fd)' is unsigned, so it is never "
					   "negative" },
		{ "f(count == 1 << 64)", "17: a shift must be by 0 to 63 bits" },
		{ "f(count == -18446744073709551615)", "12: this does not fit into 64 bits" },
		{ "f(count == 1us)", "12: only $duration can be compared with a time" },
		{ "f($duration > 10)", "15: a duration can only be compared with a time and its "
				       "unit: 10us, 1.5ms, 2s" },
		{ "f($duration == 1s)", "16: no duration is exactly this value: use < or >" },
		{ "f($duration > count)", "3: a duration can only be compared with a time and its "
					  "unit: 10us, 1.5ms, 2s" },
		{ "f($duration & 1)", "13: '&' cannot be applied to a duration" },
		{ "f($duration > 18446744074s)", "15: the number does not fit into 64 bits" },
		{ "f($duration > 18446744073s)", "15: no call takes this long" },
	};

	world_init(&w);
	CHECK_ALL(w.f, diagnostics);
	world_deinit(&w);
}

/* Mistakes in values that are computed. */
static void computed(void)
{
	static const struct diagnostic diagnostics[] = {
		{ "f(count / 2)", "9: there is no '/': the kernel module does not divide; shift "
				  "with >>, or test bits with &" },
		{ "f(count * fd)", "9: the kernel module can only multiply by a constant" },
		{ "f(count << fd)", "12: the kernel module can only shift by a constant" },
		{ "f(fd << 32)", "9: this value can be shifted by 0 to 31 bits" },
		{ "f(fd >> -1)", "9: this value can be shifted by 0 to 31 bits" },
		{ "f(cuont + 1)", "3: 'cuont' is neither an argument of f nor a constant; did you "
				  "mean 'count'?" },
		{ "f(count + fdd > 3)", "11: 'fdd' is neither an argument of f nor a constant; did "
					"you mean 'fd'?" },
		{ "f(count + file->in)", "17: 'file->in' is of type struct inner, not a number" },
		{ "f(count + $comm)", "11: '$comm' is a string, not a number" },
		{ "f(file->huge + 1)", "9: there is no arithmetic with values of 128 bits" },
		{ "f(count - 1 < 0)", "15: 'count-1' is unsigned, so it is never below 0" },
		{ "f((u8)fd == 256)", "13: '(u8)fd' is never 256: its values range from 0 to 255" },
		{ "f(file * 2)", "8: 'file' is a pointer, to which '*' cannot be applied: cast it "
				 "to u64" },
		{ "f(file + file->next)", "8: 'file' is a pointer, to which '+' cannot be applied: "
					  "cast it to u64" },
		{ "f(-name)", "3: 'name' is a pointer, to which '-' cannot be applied: cast it to "
			      "u64" },
		{ "f(&file->two[1] - &file->two[0])", "" },
		{ "f(&pair - &pair)", "3: 'pair' is not in memory, so it has no address" },
		{ "f(&file->lo)", "3: 'file->lo' is a bitfield, which has no address" },
		{ "f(&count)", "3: 'count' is not in memory, so it has no address" },
		{ "f(file - (struct file *)0x1000)", "10: there is no arithmetic with constant "
		  "pointers: cast both sides to u64" },
		{ "f(file + (struct file *)0x1000)", "10: there is no arithmetic with constant "
		  "pointers: cast both sides to u64" },
		{ "f(file - file->next)", "8: the difference of these pointers cannot be computed "
					  "in elements: cast both of them to u64" },
		{ "f((struct fiel *)file)", "4: there is no struct 'fiel'; did you mean 'file'?" },
		{ "f((file *)name)", "4: there is no type 'file': write 'struct file'" },
		{ "f((struct offset_t)count)",
		  "4: there is no struct 'offset_t': write 'offset_t'" },
		{ "f((struct fwd *)file)->a)",
		  "25: expected an operator, ',' or the end, not ')'" },
		{ "f(((struct fwd *)file)->a)", "5: BTF does not describe struct fwd" },
		{ "f((struct file)count)",
		  "4: a value cannot be cast to struct file, but its address can: write "
		  "'*(TYPE *)&'" },
		{ "f((struct)count)", "10: expected the name of a type, not ')'" },
		{ "f((unsigned signed)fd)", "4: C has no such type" },
		{ "f((u32 fd)", "8: expected '*' or ')' after the type, not 'fd'" },
		{ "f((void)fd)", "4: a value cannot be cast to void" },
		{ "f((u32)file->in)", "14: 'file->in' is of type struct inner, not a number" },
		{ "f((offset_t)small + 1)", "" },
		{ "f((small_t)~fd)", "" },
		{ "f(sizeof(struct file))", "3: this is a constant, not a value of the call" },
		{ "f(count > sizeof(struct flie))",
		  "18: there is no struct 'flie'; did you mean 'file'?" },
		{ "f(count > sizeof(file->lo))", "24: a bitfield has no size in bytes" },
		{ "f(count > sizeof(3))", "18: a constant has no size" },
		{ "f(count > sizeof count)", "18: expected an operator, ',' or ')', not 'count'" },
		{ "f(container_of(file, struct file, nxt))",
		  "35: no member 'nxt' in struct file; did you mean 'next'?" },
		{ "f(container_of(file->dentry, struct file, next))",
		  "22: 'file->dentry' points to struct dentry, but the member is of type struct "
		  "file *" },
		{ "f(container_of(count, struct file, next))",
		  "16: 'count' is not a pointer: cast it to one" },
		{ "f(container_of(&file->in, struct file *, in))",
		  "27: container_of() needs a struct, not a pointer to one" },
		{ "f(container_of(file, struct file))", "33: expected ',', not ')'" },
		{ "f(container_of(file, 3, in))", "22: expected a type, not '3'" },
		{ "f(container_of(&file->f_err, struct file, next->f_err))",
		  "49: 'f_err' is in another object: a member of the type itself is expected" },
		{ "f(file->ptr[name])", "13: this is not an index" },
		{ "f(file->raw[fd])", "12: the elements have no known type; [i..n] reads bytes" },
		{ "f(fd in {})", "10: expected a value, not '}'" },
		{ "f(fd in 3)", "9: expected '{', not '3'" },
		{ "f(fd in {1, 2)", "14: expected an operator, ',' or '}', not ')'" },
		{ "f(fd in {1..3})", "11: write '...' for a range with both of its ends" },
		{ "f(fd in {3...1})", "11: this range ends before it starts" },
		{ "f(fd in {1...count})", "11: both ends of a range must be constants" },
		{ "f(small in {1, 256})", "16: 'small' is never 256: its values range from 0 to "
					  "255" },
		{ "f(fd in {1, \"x\"})", "13: a set has either strings or numbers" },
		{ "f(name in {\"x\", 1})", "17: a set has either strings or numbers" },
		{ "f(fd in {\"x\"})", "3: 'fd' is of type int, not the address of a string" },
		{ "f($duration in {1ms})", "3: no duration is exactly this value: use < or >" },
		{ "f(fd in {1ms})", "10: only $duration can be compared with a time" },
		{ "f((fd in {1}) + 1)", "7: this is true or false, not a number" },
		{ "f(3 in {fd})", "3: a constant is not a value of the call" },
		{ "f($duration + 1)", "13: '+' cannot be applied to a duration" },
		{ "f((u32)$duration)", "3: a duration cannot be cast" },
		{ "f(name:str + 1)", "8: a format must follow the whole value" },
		{ "f(file->comm + 1)", "9: 'file->comm' is of type char[8], not a number" },
		{ "f(count + \"x\")", "11: a string can only be compared using == or !=" },
	};

	world_init(&w);
	CHECK_ALL(w.f, diagnostics);
	world_deinit(&w);
}

static void times(void)
{
	static const struct diagnostic diagnostics[] = {
		{ "f(ret)",
		  "3: the return value is known only at the return: write it after '->'" },
		{ "f($ret:x)", "3: the return value is known only at the return: write it after "
			       "'->'" },
		{ "f($duration)", "3: the duration is known only at the return: write it after "
				  "'->'" },
		{ "f -> seventh == 1", "6: 'seventh' is passed on the stack, which is no longer "
				       "available when the function returns" },
		{ "f -> pair.a:x", "11: 'pair.a' is passed on the stack, which is no longer "
				   "available when the function returns" },
		{ "f(ret == seventh)", "10: 'seventh' is passed on the stack, which is no longer "
				       "available when the function returns" },
	};

	world_init(&w);
	CHECK_ALL(w.f, diagnostics);
	CHECK_STR(world_diagnostic(&w, w.v, "v -> $ret == 0"), "6: v returns nothing");
	CHECK_STR(world_diagnostic(&w, w.rp, "rp -> *ret"),
		  "8: 'ret' is of type struct pair, which is neither a pointer nor an array");
	CHECK_STR(world_diagnostic(&w, w.g, "g(pair.to->iname, pair:x)"),
		  "19: 'pair' is passed by value and has no address: fetch its members one by one");
	world_deinit(&w);
}

/* Returns @start, @n times @part, and @end as one string, which the caller frees. */
static char *repeated(const char *start, const char *part, const char *end, unsigned int n)
{
	char *text = malloc(strlen(start) + n * strlen(part) + strlen(end) + 1), *p = text;

	p = stpcpy(p, start);
	while (n--)
		p = stpcpy(p, part);
	strcpy(p, end);
	return text;
}

static void check_repeated(const char *start, const char *part, const char *end, unsigned int n,
			   const char *want)
{
	char *text = repeated(start, part, end, n);
	const char *got = world_diagnostic(&w, w.f, text);

	if (!strstr(got, want) || (!*want && *got))
		ktap_fail(__FILE__, __LINE__, "%u of %s: %s", n, part, got);
	free(text);
}

static void limits(void)
{
	world_init(&w);
	check_repeated("f(", "(", "count", 64, "')' is missing at the end");
	check_repeated("f(", "(", "count", 65, "nested too deeply");
	check_repeated("f(", "!", "count", 65, "nested too deeply");
	check_repeated("f(", "*", "count", 65, "nested too deeply");
	check_repeated("f(", "-", "count", 65, "nested too deeply");
	check_repeated("f(", "file->ptr[", "1", 65, "nested too deeply");
	check_repeated("f(", " ", "count)", 4096, "longer than 4096 bytes");
	check_repeated("f(file", "->next", "->f_err)", 15, "");
	check_repeated("f(file", "->next", "->f_err)", 16, "more than 16 pointers in a row");
	check_repeated("f(count", " + 1", ")", 64, "");
	check_repeated("f(count", " + 1", ")", 128, "more than 128 instructions");
	check_repeated("f(count", " + 1", ")", 129, "more than 128 operators");
	check_repeated("f(count > 1", "|1", ")", 129, "expected an operator");
	check_repeated("f((count", "|1", ") > 1)", 129, "more than 128 operators");
	check_repeated("f(", "(fd + ", "1", 65, "nested too deeply");
	check_repeated("f(", "(u8)", "fd)", 64, "");
	check_repeated("f(", "(u8)", "fd)", 65, "nested too deeply");
	check_repeated("f(fd == 1", " || fd == 1", ")", 300, "more than 128 instructions");
	check_repeated("f(fd == 1", " || name == \"x\"", ")", 8, "");
	check_repeated("f(fd == 1", " || name == \"x\"", ")", 9, "too many strings: at most 8");
	check_repeated("f(fd == 1", " || name != \"x\"", ")", 5, "too many strings: at most 8");
	check_repeated("f(name:str", ", name:str", ")", 9, "");
	check_repeated("f(name:str", ", name:str", ")", 11, "longer than 3072 bytes");
	check_repeated("f(name == \"", "x", "\")", 255, "");
	check_repeated("f(name == \"", "x", "\")", 256, "longer than 255 bytes");
	world_deinit(&w);
}

static void caret(void)
{
	struct fargs_error_text err;

	world_init(&w);
	world_diagnostic(&w, w.f, "f(file->f_flagz)");
	CHECK_INT(fargs_diagnostic_fail(&w.diagnostic, "f(file->f_flagz)", &err), -EINVAL);
	CHECK_STR(err.text, "'f(file->f_flagz)', column 9: no member 'f_flagz' in struct file; did "
		  "you mean 'f_flags'?\n    f(file->f_flagz)\n            ^");
	world_deinit(&w);
}

/*
 * Tests that only the part of a long expression around the error is shown, and that the caret is
 * below the error.
 */
static void caret_in_a_long_text(void)
{
	struct fargs_error_text err;
	char *text = repeated("f(", "count == 1 && ", "cuont == 1)", 20), *line, *caret;

	world_init(&w);
	world_diagnostic(&w, w.f, text);
	CHECK_INT(w.diagnostic.column, 2 + 20 * 14 + 1);
	fargs_diagnostic_fail(&w.diagnostic, text, &err);
	line = strchr(err.text, '\n');
	REQUIRE(line);
	caret = strchr(line + 1, '\n');
	REQUIRE(caret);
	CHECK(caret - line < 100);
	CHECK(!strncmp(line + (strlen(caret) - 1), "cuont", 5));
	free(text);
	world_deinit(&w);
}

static void control_bytes_do_not_get_out(void)
{
	struct fargs_error_text err;

	world_init(&w);
	world_diagnostic(&w, w.f, "f(\033[2J)");
	fargs_diagnostic_fail(&w.diagnostic, "f(\033[2J)", &err);
	CHECK(!strchr(err.text, '\033'));
	world_deinit(&w);
}

static const struct ktap_test tests[] = {
	{ "invalid words are reported", words },
	{ "misplaced words are reported", grammar },
	{ "unknown names are reported with similar ones", names },
	{ "values that a type cannot have are reported", types },
	{ "invalid comparisons are reported", comparisons },
	{ "invalid computed values are reported", computed },
	{ "values that are not available at that time are reported", times },
	{ "expressions that are too deep, long or many are reported", limits },
	{ "a line marks the column", caret },
	{ "a long selector is shown in part", caret_in_a_long_text },
	{ "control bytes are escaped", control_bytes_do_not_get_out },
};

int main(void)
{
	return KTAP_RUN(tests);
}
