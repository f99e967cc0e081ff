// SPDX-License-Identifier: GPL-2.0-only
// Formats values of report --json as text for people.

// Strings that stand for numbers too large for a double, or for pointers.
const PLAIN = /^(-?[1-9][0-9]{15,38}|0x[0-9a-f]{1,16})$/;

function symbolText(s)
{
	if (s.symbol === undefined)
		return (s.address || '?') + (s.file ? ` (${s.file})` : '');
	return s.symbol + (Number(s.offset) ? '+0x' + BigInt(s.offset).toString(16) : '') +
	       (s.module ? ` [${s.module}]` : s.file ? ` (${s.file})` : '');
}

// isText: v is a text, even if it matches PLAIN.
function valueText(v, isText)
{
	if (typeof v === 'string')
		return PLAIN.test(v) && !isText ? v : JSON.stringify(v);
	if (Array.isArray(v))
		return `[${v.map((e) => valueText(e)).join(', ')}]`;
	if (typeof v !== 'object' || v === null)
		return String(v);
	if ('struct' in v)
		return `{${Object.keys(v.struct).map((k) => `.${k} = ${valueText(v.struct[k])}`)
			.join(', ')}}`;
	if ('enum' in v)
		return v.enum === null ? String(v.number) : v.enum;
	if ('fault' in v)
		return `(fault ${v.fault})`;
	if ('string' in v)
		return JSON.stringify(v.string);
	if ('bytes' in v)
		return v.bytes;
	return symbolText(v);
}

function argText(arg)
{
	const isText = /:u?str\b/.test(arg.name || '') || /^char ?\[/.test(arg.type);

	return valueText(arg.value, isText) + (arg.cut ? '...' : '') +
	       (arg.text !== undefined ? ` (${arg.text})` : '');
}

function resultText(result)
{
	return argText(result) + (result.error ? ` (${result.error})` : '');
}

function argsText(args)
{
	return (args || []).map((a) => `${a.name}=${argText(a)}`).join(', ');
}

// Formats an event as one line.
function eventText(e)
{
	if (e.type === 'lost')
		return `lost ${e.lost === undefined ? 'some' : e.lost} ${e.of}`;
	if (e.type === 'switch')
		return `switch to ${e.next_tid}`;
	if (e.type === 'error')
		return `error: ${e.text}${e.count !== undefined ? ` ${e.count}` : ''}`;
	if (e.type === 'sample')
		return `${e.name}${e.place ? ': ' + symbolText(e.place) : ''}` +
		       (e.target ? ` => ${symbolText(e.target)}` : '');
	const name = e.system ? `${e.system}:${e.name}` : e.name || e.address || `${e.type} ${e.id}`;

	if (e.type === 'event')
		return `${name} ${e.text !== undefined ? e.text : argsText(e.args) || e.bytes || ''}`;
	return `${name}(${argsText(e.args)})` + (e.result ? ` = ${resultText(e.result)}` : '');
}

// Formats a duration, such as 12.3 us, with four significant digits.
function durationText(ns)
{
	const units = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs']];
	const unit = units.find(([n]) => Math.abs(ns) >= n);

	return unit ? `${Number((ns / unit[0]).toPrecision(4))} ${unit[1]}` :
		      `${Number(ns.toPrecision(4))} ns`;
}

// Formats seconds of the perf clock as fargs report does, with up to nine decimals.
function timeText(ns, digits)
{
	const all = trace.base + BigInt(Math.round(ns));
	const sign = all < 0n ? '-' : '', n = all < 0n ? -all : all;
	const text = `${sign}${n / 1000000000n}.${String(n % 1000000000n).padStart(9, '0')}`;

	return text.slice(0, text.length - 9 + (digits === undefined ? 9 : digits));
}

// Parses the output of timeText into ns since the base; NaN if invalid.
function parseTime(text)
{
	const parts = /^(-?)(\d+)(?:\.(\d{0,9}))?$/.exec(text);

	if (!parts)
		return NaN;
	const ns = BigInt(parts[2]) * 1000000000n + BigInt((parts[3] || '').padEnd(9, '0'));

	return Number((parts[1] ? -ns : ns) - trace.base);
}
