// SPDX-License-Identifier: GPL-2.0-only
// Which events have what is looked for. A word is compared with each different string once, and
// what a shape has in it with none of its rows.

const search = { text: '', hits: [], isHit: null, at: -1 };

const UNITS = { k: 1024n, m: 1024n ** 2n, g: 1024n ** 3n };
const TIME_UNITS = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9 };
// What is looked at for names of one's own; others are those of arguments.
const ALIASES = { func: 'name', function: 'name', dur: 'duration', 'ret': 'result', '$ret': 'result',
		  'duration_ns': 'duration', '$comm': 'comm', '$cpu': 'cpu', '$tid': 'tid',
		  '$pid': 'pid', '$func': 'name', '$caller': 'caller', '$duration': 'duration',
		  '$module': 'module' };

// A number, exactly; undefined: it is text.
function numberOf(text)
{
	const parts = /^(-?)(0x[0-9a-f]{1,32}|\d{1,39})([kmg]?)$/i.exec(text);

	if (!parts)
		return undefined;
	const n = BigInt(parts[2]) * (UNITS[parts[3].toLowerCase()] || 1n);

	return parts[1] ? -n : n;
}

// 10us; without a unit ns.
function durationOf(text)
{
	const parts = /^(\d+(?:\.\d+)?)(ns|us|µs|ms|s)?$/.exec(text);

	return parts ? Number(parts[1]) * TIME_UNITS[parts[2] || 'ns'] : undefined;
}

// {key, op, text, number} each; a word has no key.
function parseSearch(text)
{
	const words = text.match(/(?:"[^"]*"?|[^\s"])+/g) || [];

	return words.map((word) => {
		const parts = /^([\w$][\w$.:>*[\]-]*?)(==|!=|<=|>=|=|<|>)(.+)$/.exec(word);
		const plain = (parts ? parts[3] : word).replace(/"/g, '').toLowerCase();
		const key = parts ? ALIASES[parts[1]] || parts[1] : '';

		// An argument may be called as something else is.
		return { key, own: parts ? parts[1] : '', op: parts ? parts[2].replace('==', '=') : '', text: plain,
			 number: key === 'duration' ? durationOf(plain) : numberOf(plain) };
	}).filter((term) => term.text !== '');
}

// By which names a leaf is found, and whether a word finds it, too: what events are numbered with
// is of no value.
function leafNames(shape, path)
{
	const names = [];
	let isWord = false, i = 1;

	if (path[0] === 'args' || path[0] === 'out' || path[0] === 'result') {
		const arg = path[0] === 'result' ? shape.result : shape[path[0]][path[i++]];

		if (path[i] === 'error')
			return { names: ['error'], isWord: true };
		if (path[i] !== 'value')
			return { names, isWord };
		// Of an enum both, of a struct its members.
		const members = path.slice(i + 1).filter((k) => typeof k === 'string' &&
			!['struct', 'enum', 'number', 'symbol', 'fault', 'string', 'bytes'].includes(k));
		const base = path[0] === 'result' ? 'result' : arg.name;
		const add = (name) => names.push([name, ...members].join('.'));

		if (members[0] === 'offset' || members[0] === 'module' || members[0] === 'address')
			members.length = 0;
		add(base);
		// An expression that names its type.
		if (base.includes(':'))
			add(base.split(':')[0]);
		return { names, isWord: true };
	}
	if (path[0] === 'duration_ns')
		return { names: ['duration'], isWord };
	isWord = ['tid', 'pid', 'comm', 'caller', 'stack', 'text'].includes(path[0]);
	return { names: [path[0]], isWord };
}

function compare(a, op, b)
{
	switch (op) {
	case '':
	case '=':
		// Not ===, which tells 5n from 5.
		return a == b;
	case '!=':
		return a != b;
	case '<':
		return a < b;
	case '<=':
		return a <= b;
	case '>':
		return a > b;
	default:
		return a >= b;
	}
}

function isTextMatch(term, text)
{
	const has = String(text).toLowerCase().includes(term.text);

	return term.op === '!=' ? !has : (term.op === '' || term.op === '=') && has;
}

function isMatch(term, v)
{
	if (typeof v === 'number')
		return term.number !== undefined && compare(v, term.op, term.number);
	if (typeof v === 'string') {
		const n = term.number === undefined || !PLAIN.test(v) ? undefined : numberOf(v);

		if (n !== undefined && compare(n, term.op, term.number))
			return true;
		return n !== undefined && term.key ? false : isTextMatch(term, v);
	}
	// Of callers it is the names.
	if (Array.isArray(v))
		return isTextMatch(term, v.map((e) => typeof e === 'object' && e ? symbolText(e) : e)
			.join(' '));
	return isTextMatch(term, typeof v === 'object' && v ? symbolText(v) : v);
}

// What is the same in all events of a shape. undefined: nothing of it is asked for.
function matchShape(term, s)
{
	const name = s.system ? `${s.system}:${s.name}` : s.name || s.address || '';

	if (!term.key)
		return isTextMatch(term, name) || isTextMatch(term, s.module || '') ||
		       (s.type === 'lost' && isTextMatch(term, `lost ${s.of}`)) || undefined;
	if (term.key === 'name' || term.key === 'module' || term.key === 'type') {
		const isAsked = term.key === 'name' ? name : s[term.key];

		return isAsked === undefined ? undefined : isTextMatch(term, isAsked) || undefined;
	}
	return undefined;
}

// A function of a row. Of a table each element is compared once: what came of it is kept.
function makeLeafTest(term, leaf, kept)
{
	if (leaf.kind === LEAF_INTEGER)
		return (row) => isMatch(term, row[leaf.column]);
	const table = leaf.kind === LEAF_STRING ? trace.strings : trace.values;
	const known = kept[leaf.kind] || (kept[leaf.kind] = new Uint8Array(table.length));

	return (row) => {
		const n = row[leaf.column];

		if (!known[n])
			known[n] = isMatch(term, table[n]) ? 2 : 1;
		return known[n] === 2;
	};
}

// Of all shapes: true, false, or the tests of which one is enough.
function makeTests(term)
{
	const kept = {};

	return trace.shapes.map((made) => {
		if (matchShape(term, made.shape))
			return true;
		const leaves = made.leaves.filter((leaf) => {
			const { names, isWord } = leafNames(made.shape, leaf.path);

			return term.key ? names.includes(term.key) || names.includes(term.own) : isWord;
		});

		return leaves.length ? leaves.map((leaf) => makeLeafTest(term, leaf, kept)) : false;
	});
}

function runSearch(text)
{
	const terms = parseSearch(text).map(makeTests);

	search.text = text;
	search.hits = [];
	search.isHit = null;
	search.at = -1;
	tracks.forEach((track) => { track.hits = []; });
	if (!terms.length)
		return;
	search.isHit = new Uint8Array(nrEvents);
	for (let i = 0; i < nrEvents; i++) {
		const row = trace.rows[i];

		if (terms.every((tests) => {
			const test = tests[row[0]];

			return typeof test === 'boolean' ? test : test.some((t) => t(row));
		})) {
			search.isHit[i] = 1;
			search.hits.push(i);
		}
	}
	markHits();
}

// Is it found, or the call that is drawn with it?
function isFound(i)
{
	return search.isHit[i] || (partnerOf[i] >= 0 && search.isHit[partnerOf[i]]);
}

// By the beginnings of what was found: seen also where all else is too narrow.
function markHits()
{
	for (const track of tracks)
		for (const lane of track.lanes)
			for (const i of lane.events)
				if (isFound(i))
					track.hits.push(startOf[i]);
	tracks.forEach((track) => { track.hits = Float64Array.from(track.hits).sort(); });
}
