// SPDX-License-Identifier: GPL-2.0-only
// The table of functions: counts, errors and latencies.

const FUNCTIONS_MAX = 2000;
const COLUMNS = [
	{ key: 'name', title: 'function', text: (f) => f.name, isText: true },
	{ key: 'count', title: 'count', text: (f) => f.count },
	{ key: 'errors', title: 'errors', text: (f) => f.errors || '' },
	...['total', 'mean', 'p50', 'p99', 'max'].map((key) => (
		{ key, title: key, text: (f) => (f.nr ? durationText(f[key]) : '') })),
];

const functionsTable = { sort: 'count', isUp: false, isInView: false };

// The smallest value that the given part of the values does not exceed.
function quantile(sorted, part)
{
	return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)];
}

function countFunctions()
{
	const made = trace.functions.map((f) => ({ name: f.name + (f.module ? ` [${f.module}]` : ''),
		plain: f.name, count: 0, errors: 0, nr: 0, total: 0, times: [] }));

	for (let i = 0; i < nrEvents; i++) {
		const f = made[functionOf[i]], type = trace.shapes[shapeOf[i]].type;

		if (type === 'lost' || (functionsTable.isInView && (endOf[i] < view.from || startOf[i] > view.to)))
			continue;
		// A call with two events is counted once.
		f.count += isDrawn(i) ? 1 : 0;
		f.errors += isError[i];
		if (hasDuration[i])
			f.times.push(endOf[i] - startOf[i]);
	}
	for (const f of made) {
		const times = Float64Array.from(f.times).sort();

		f.nr = times.length;
		f.total = times.reduce((sum, t) => sum + t, 0);
		f.mean = f.total / f.nr;
		f.p50 = quantile(times, 0.5);
		f.p99 = quantile(times, 0.99);
		f.max = times[times.length - 1];
	}
	return made.filter((f) => f.count || f.errors);
}

function sortFunctions(list)
{
	const { sort, isUp } = functionsTable, sign = isUp ? 1 : -1;
	const value = (f) => (typeof f[sort] === 'number' && Number.isNaN(f[sort]) ? -1 :
			      f[sort] === undefined ? -1 : f[sort]);

	return list.sort((a, b) => (value(a) < value(b) ? -sign : value(a) > value(b) ? sign :
				    a.name < b.name ? -1 : 1));
}

function showFunctions()
{
	const table = document.getElementById('functions-table'), list = sortFunctions(countFunctions());
	const head = document.createElement('tr'), body = document.createElement('tbody');

	for (const column of COLUMNS) {
		const th = document.createElement('th'), button = document.createElement('button');
		const isSorted = functionsTable.sort === column.key;

		button.textContent = column.title + (isSorted ? (functionsTable.isUp ? ' ▴' : ' ▾') : '');
		button.onclick = () => sortBy(column);
		th.dataset.sort = column.key;
		th.ariaSort = isSorted ? (functionsTable.isUp ? 'ascending' : 'descending') : 'none';
		th.append(button);
		head.append(th);
	}
	for (const f of list.slice(0, FUNCTIONS_MAX)) {
		const row = body.insertRow();

		for (const column of COLUMNS)
			row.insertCell().textContent = column.text(f);
		row.cells[2].className = f.errors ? 'error' : '';
		row.title = 'search for this function';
		row.onclick = () => searchFor(`name=${f.plain.includes(' ') ? `"${f.plain}"` : f.plain}`);
	}
	table.tHead.replaceChildren(head);
	table.tBodies[0].replaceWith(body);
	document.getElementById('functions-more').textContent = list.length > FUNCTIONS_MAX ?
		`${list.length - FUNCTIONS_MAX} more not shown: sort by another column, or zoom in.` : '';
}

function sortBy(column)
{
	functionsTable.isUp = functionsTable.sort === column.key ? !functionsTable.isUp : !!column.isText;
	functionsTable.sort = column.key;
	showFunctions();
	stateChanged();
}
