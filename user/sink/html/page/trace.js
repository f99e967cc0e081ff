// SPDX-License-Identifier: GPL-2.0-only
// Decodes the page's data: events as rows of integers, by shape (user/sink/html/rows.h).

const LEAF_INTEGER = 0, LEAF_STRING = 1, LEAF_VALUE = 2;

const trace = {
	about: null, shapes: [], strings: [], values: [], rows: [],
	base: 0n,		// origin of times, in ns: too large for an exact double
	from: 0, to: 0,		// ns since base
	functions: [],		// {name, module, kind}
	tasks: [],		// {key, tid, pid, comm}
	lost: 0n, isLostUnknown: false,
};

// Properties of events, indexed by event number, which is the row number.
let nrEvents, startOf, endOf, cpuOf, taskOf, functionOf, shapeOf, isError, hasDuration, partnerOf;

// JSON escapes characters that change the direction of text (user/base/escape.h). Keeps them
// escaped on the page, too, by escaping the backslash of "\u202e". Matching each backslash with the
// character it escapes avoids false matches.
function showBidi(json)
{
	return json.replace(/\\(u061c|u200[ef]|u202[a-e]|u206[6-9]|[^])/g,
			    (all, what) => (what.length > 1 ? `\\${all}` : all));
}

function takeData(name)
{
	const elements = [...document.getElementsByClassName(name)];
	const data = elements.map((e) => JSON.parse(showBidi(e.textContent)));

	// Free the memory of the text.
	elements.forEach((e) => e.remove());
	return data;
}

// Calls leaf(kind, path) for each leaf of a shape, in the order of the row's columns.
function walkLeaves(shape, path, leaf)
{
	if (typeof shape === 'number')
		leaf(shape, path);
	else if (Array.isArray(shape))
		shape.forEach((v, i) => walkLeaves(v, path.concat(i), leaf));
	else if (typeof shape === 'object' && shape !== null)
		for (const key of Object.keys(shape))
			walkLeaves(shape[key], path.concat(key), leaf);
}

function cell(kind, row, column)
{
	const v = row[column];

	return kind === LEAF_STRING ? trace.strings[v] : kind === LEAF_VALUE ? trace.values[v] : v;
}

// Restores the event as an object of report --json.
function eventOf(i)
{
	const row = trace.rows[i];
	let column = 1;

	function fill(shape)
	{
		if (typeof shape === 'number')
			return cell(shape, row, column++);
		if (Array.isArray(shape))
			return shape.map(fill);
		if (typeof shape !== 'object' || shape === null)
			return shape;
		// Without a prototype, so that no member name has a special meaning.
		const object = Object.create(null);
		for (const key of Object.keys(shape))
			object[key] = fill(shape[key]);
		return object;
	}
	return fill(trace.shapes[row[0]].shape);
}

// Finds the columns that the timeline needs.
function makeShape(shape)
{
	const made = { shape, type: shape.type, leaves: [], at: Object.create(null), of: -1 };

	walkLeaves(shape, [], (kind, path) => {
		made.leaves.push({ kind, path, column: made.leaves.length + 1 });
		if (path.length === 1)
			made.at[path[0]] = made.leaves[made.leaves.length - 1];
	});
	made.hasError = 'result' in shape && 'error' in shape.result;
	return made;
}

function topCell(shape, row, name)
{
	const leaf = shape.at[name];

	return leaf ? cell(leaf.kind, row, leaf.column) : undefined;
}

function relative(time)
{
	return Number(BigInt(time) - trace.base);
}

// Returns the index of the event's function, or of whatever else names the event.
function findFunction(byName, shape, row)
{
	const s = shape.shape, id = topCell(shape, row, 'id');
	const name = s.system ? `${s.system}:${s.name}` : s.name ? s.name : s.address ? s.address :
		     id !== undefined ? `${s.type} ${id}` : s.type;
	const key = `${name} ${s.module || ''} ${s.address || ''}`;

	if (!byName.has(key)) {
		byName.set(key, trace.functions.length);
		trace.functions.push({ name, module: s.module || '', isCall: 'address' in s });
	}
	return byName.get(key);
}

// Returns the event's task. The idle tasks share tid 0 and are distinguished by CPU.
function findTask(byKey, shape, row)
{
	const tid = topCell(shape, row, 'tid'), comm = topCell(shape, row, 'comm');
	const key = tid === 0 ? `idle ${topCell(shape, row, 'cpu')}` : tid;
	let task = byKey.get(key);

	if (task === undefined) {
		task = trace.tasks.length;
		byKey.set(key, task);
		trace.tasks.push({ tid, pid: topCell(shape, row, 'pid'), comm, key });
	}
	trace.tasks[task].comm = comm;
	return task;
}

// Pairs calls and returns that have an event each (--graph); they are drawn as one, the return.
function pairCalls()
{
	const open = trace.tasks.map(() => []);
	let i, at, calls, call;

	for (i = 0; i < nrEvents; i++) {
		const type = trace.shapes[shapeOf[i]].type;

		if (type === 'call')
			open[taskOf[i]].push(i);
		if (type !== 'return')
			continue;
		calls = open[taskOf[i]];
		for (at = calls.length - 1; at >= 0; at--) {
			call = calls[at];
			// Limit the search for tasks with many calls that never return.
			if (at < calls.length - 1000)
				break;
			// Both times derive from the same clock reading, but are rounded.
			if (functionOf[call] !== functionOf[i] ||
			    (hasDuration[i] && Math.abs(startOf[call] - startOf[i]) > 2))
				continue;
			partnerOf[call] = i;
			partnerOf[i] = call;
			startOf[i] = startOf[call];
			calls.length = at;
			break;
		}
	}
}

function readEvent(i, row, functions, tasks)
{
	const shape = trace.shapes[row[0]], time = topCell(shape, row, 'time_ns');

	shapeOf[i] = row[0];
	cpuOf[i] = topCell(shape, row, 'cpu');
	if (shape.of < 0 || shape.at.id)
		shape.of = findFunction(functions, shape, row);
	functionOf[i] = shape.of;
	taskOf[i] = shape.at.tid ? findTask(tasks, shape, row) : -1;
	endOf[i] = time === undefined ? NaN : relative(time);
	hasDuration[i] = shape.at.duration_ns ? 1 : 0;
	startOf[i] = endOf[i] - (hasDuration[i] ? Number(topCell(shape, row, 'duration_ns')) : 0);
	isError[i] = shape.hasError ? 1 : 0;
	if (shape.type !== 'lost')
		return;
	if (shape.at.lost)
		trace.lost += BigInt(topCell(shape, row, 'lost'));
	else
		trace.isLostUnknown = true;
}

function readTrace()
{
	const tables = takeData('tables')[0], functions = new Map(), tasks = new Map();
	let i;

	trace.about = takeData('about')[0];
	trace.strings = tables.strings;
	trace.values = tables.values;
	trace.shapes = tables.shapes.map(makeShape);
	trace.rows = [].concat(...takeData('rows'));
	nrEvents = trace.rows.length;
	[startOf, endOf] = [0, 0].map(() => new Float64Array(nrEvents));
	[cpuOf, taskOf, functionOf, shapeOf, partnerOf] =
		[0, 0, 0, 0, 0].map(() => new Int32Array(nrEvents));
	[isError, hasDuration] = [0, 0].map(() => new Uint8Array(nrEvents));
	partnerOf.fill(-1);
	for (i = 0; i < nrEvents; i++) {
		const time = topCell(trace.shapes[trace.rows[i][0]], trace.rows[i], 'time_ns');

		if (time !== undefined) {
			trace.base = BigInt(time);
			break;
		}
	}
	for (i = 0; i < nrEvents; i++)
		readEvent(i, trace.rows[i], functions, tasks);
	pairCalls();
	trace.from = Infinity;
	trace.to = -Infinity;
	for (i = 0; i < nrEvents; i++) {
		trace.from = startOf[i] < trace.from ? startOf[i] : trace.from;
		trace.to = endOf[i] > trace.to ? endOf[i] : trace.to;
	}
	if (!(trace.to > trace.from)) {
		trace.from = trace.from === Infinity ? 0 : trace.from;
		trace.to = trace.from + 1000;
	}
	// Events without a time are put at the end.
	for (i = 0; i < nrEvents; i++)
		if (Number.isNaN(endOf[i]))
			startOf[i] = endOf[i] = trace.to;
}
