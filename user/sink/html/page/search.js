// SPDX-License-Identifier: GPL-2.0-only
// The search. Each distinct string is compared with a word only once, and the contents of a shape
// once for all of its rows.

const search = { text: '', hits: [], isHit: null, at: -1 };

const UNITS = { k: 1024n, m: 1024n ** 2n, g: 1024n ** 3n };
const TIME_UNITS = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9 };
// Names of event properties in searches; all other names are those of arguments.
const ALIASES = { func: 'name', function: 'name', dur: 'duration', 'ret': 'result', '$ret': 'result',
		  'duration_ns': 'duration', '$comm': 'comm', '$cpu': 'cpu', '$tid': 'tid',
		  '$pid': 'pid', '$func': 'name', '$caller': 'caller', '$duration': 'duration',
		  '$module': 'module' };

// Parses an integer exactly; undefined if text is not a number.
function numberOf(text)
{
	const parts = /^(-?)(0x[0-9a-f]{1,32}|\d{1,39})([kmg]?)$/i.exec(text);

	if (!parts)
		return undefined;
	const n = BigInt(parts[2]) * (UNITS[parts[3].toLowerCase()] || 1n);

	return parts[1] ? -n : n;
}

// Parses a duration such as 10us; the default unit is ns.
function durationOf(text)
{
	const parts = /^(\d+(?:\.\d+)?)(ns|us|µs|ms|s)?$/.exec(text);

	return parts ? Number(parts[1]) * TIME_UNITS[parts[2] || 'ns'] : undefined;
}

// Returns a list of {key, op, text, number}; a plain word has no key.
function parseSearch(text)
{
	const words = text.match(/(?:"[^"]*"?|[^\s"])+/g) || [];

	return words.map((word) => {
		const parts = /^([\w$][\w$.:>*[\]-]*?)(==|!=|<=|>=|=|<|>)(.+)$/.exec(word);
		const plain = (parts ? parts[3] : word).replace(/"/g, '').toLowerCase();
		const key = parts ? ALIASES[parts[1]] || parts[1] : '';

		// An argument may have the same name as an alias.
		return { key, own: parts ? parts[1] : '', op: parts ? parts[2].replace('==', '=') : '', text: plain,
			 number: key === 'duration' ? durationOf(plain) : numberOf(plain) };
	}).filter((term) => term.text !== '');
}

// The names by which a search finds a leaf, and whether plain words are compared with it, too; they
// are not compared with ids such as sequence numbers.
function leafNames(shape, path)
{
	const names = [];
	let isWord = false, i = 1;

	if (path[0] === 'args' || path[0] === 'out' || path[0] === 'result') {
		const arg = path[0] === 'result' ? shape.result : shape[path[0]][path[i++]];

		if (path[i] === 'error')
			return { names: ['error'], isWord: true };
		// Only by words: "flags=34" must not find the digits in a name.
		if (path[i] === 'text')
			return { names, isWord: true };
		if (path[i] !== 'value')
			return { names, isWord };
		// Both parts of an enum have the enum's name; members of structs are appended.
		const members = path.slice(i + 1).filter((k) => typeof k === 'string' &&
			!['struct', 'enum', 'number', 'symbol', 'fault', 'string', 'bytes'].includes(k));
		const base = path[0] === 'result' ? 'result' : arg.name;
		const add = (name) => names.push([name, ...members].join('.'));

		if (members[0] === 'offset' || members[0] === 'module' || members[0] === 'address')
			members.length = 0;
		add(base);
		// An expression with a type is also found without it.
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
		// Not ===, for which 5n and 5 differ.
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
	// Callers and stacks are compared by their symbols.
	if (Array.isArray(v))
		return isTextMatch(term, v.map((e) => typeof e === 'object' && e ? symbolText(e) : e)
			.join(' '));
	return isTextMatch(term, typeof v === 'object' && v ? symbolText(v) : v);
}

// Compares a term with the properties that all events of a shape share. undefined: the term is not
// about any of them.
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

// Returns a test for rows. Results for elements of tables are cached, so that each is compared
// once.
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

// Returns, for each shape, true, false, or a list of tests of which one must succeed.
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

// Does event i match, or the other event of its call?
function isFound(i)
{
	return search.isHit[i] || (partnerOf[i] >= 0 && search.isHit[partnerOf[i]]);
}

// Collects the start times of matches by track, to mark them even if events are too narrow to see.
function markHits()
{
	for (const track of tracks)
		for (const lane of track.lanes)
			for (const i of lane.events)
				if (isFound(i))
					track.hits.push(startOf[i]);
	tracks.forEach((track) => { track.hits = Float64Array.from(track.hits).sort(); });
}
