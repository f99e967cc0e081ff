// SPDX-License-Identifier: GPL-2.0-only
// Details of an event: the tooltip and the tab below. Everything is inserted as text, never as
// HTML.

function showTip(x, y, lines)
{
	const tip = document.getElementById('tip');

	tip.textContent = lines.join('\n');
	tip.hidden = false;
	const left = x + 14 + tip.offsetWidth > window.innerWidth ? x - 10 - tip.offsetWidth : x + 14;
	const top = y + 14 + tip.offsetHeight > window.innerHeight ? y - 10 - tip.offsetHeight : y + 14;

	tip.style.left = `${Math.max(0, left)}px`;
	tip.style.top = `${Math.max(0, top)}px`;
}

function hideTip()
{
	document.getElementById('tip').hidden = true;
}

function cut(text, max)
{
	return text.length > max ? `${text.slice(0, max)}…` : text;
}

function eventTip(i)
{
	const e = eventOf(i), pair = partnerOf[i] >= 0 ? eventOf(partnerOf[i]) : null;
	const call = pair && e.type === 'return' ? pair : e, done = pair && e.type === 'call' ? pair : e;
	const lines = [trace.functions[functionOf[i]].name + (e.module ? ` [${e.module}]` : '')];
	const args = (list, sign) => (list || []).forEach((a) =>
		lines.push(cut(`  ${a.name}${sign} ${argText(a)}`, 300)));

	if (e.type === 'lost')
		lines[0] = eventText(e);
	if (e.type === 'switch')
		lines[0] = eventText(e);
	if (e.type === 'sample' || e.type === 'error')
		lines[0] = eventText(e);
	if (e.text)
		lines.push(cut(`  ${e.text}`, 300));
	args(call.args, ' =');
	args(done.out, ' (at the return) =');
	if (done.result)
		lines.push(cut(`  returned ${resultText(done.result)}`, 300));
	if (endOf[i] > startOf[i])
		lines.push(`  took ${durationText(endOf[i] - startOf[i])}`);
	lines.push(`${timeText(startOf[i])} s` + (e.cpu !== undefined ? `  CPU ${e.cpu}` : '') +
		   (e.comm !== undefined ? `  ${e.comm}-${e.tid}` : ''));
	return lines;
}

function addRow(table, name, text, className)
{
	const row = table.insertRow(), head = document.createElement('th');

	head.textContent = name;
	row.append(head);
	row.insertCell().textContent = text;
	if (className)
		row.cells[1].className = className;
}

function addArgs(table, args)
{
	for (const arg of args || []) {
		addRow(table, arg.name, argText(arg));
		const type = table.rows[table.rows.length - 1].insertCell();

		type.textContent = arg.type;
		type.className = 'dim';
	}
}

function contextText(e)
{
	return [...(e.context || []), e.preempt_depth ? `preempt_depth ${e.preempt_depth}` : '']
		.filter((word) => word).join(', ');
}

// Adds the details of one event as rows.
function addEvent(table, i)
{
	const e = eventOf(i), own = trace.functions[functionOf[i]];

	addRow(table, e.type, e.type === 'lost' || e.type === 'switch' ? eventText(e) :
	       own.name + (own.module ? ` [${own.module}]` : ''), 'name');
	if (e.time_ns !== undefined)
		addRow(table, 'time', `${timeText(endOf[i])} s`);
	else
		addRow(table, 'time', 'not known: after the last event of its CPU');
	if (e.duration_ns !== undefined)
		addRow(table, 'took', `${durationText(Number(e.duration_ns))} (${e.duration_ns} ns), ` +
		       `from ${timeText(startOf[i])} s` + (ownTimeOf[i] < endOf[i] - startOf[i] ?
		       `; without nested calls: ${durationText(ownTimeOf[i])}` : ''));
	if (e.cpu !== undefined)
		addRow(table, 'CPU', e.cpu);
	if (e.comm !== undefined)
		addRow(table, 'task', `${e.comm}  tid ${e.tid}` +
		       (e.pid !== undefined ? `, pid ${e.pid}` : '') +
		       (e.ns_tid !== undefined ? `, tid in its namespace ${e.ns_tid}` : ''));
	addArgs(table, e.args);
	if (e.variadic)
		addRow(table, '...', 'there may be more arguments');
	if (e.bytes)
		addRow(table, 'bytes', e.bytes);
	if (e.text !== undefined)
		addRow(table, 'text', e.text);
	if (e.result)
		addRow(table, 'returned', resultText(e.result), e.result.error ? 'error' : '');
	if (e.out && e.out.length) {
		addRow(table, 'at the return', '');
		addArgs(table, e.out);
	}
	if (e.place)
		addRow(table, 'place', symbolText(e.place));
	if (e.target)
		addRow(table, 'target', symbolText(e.target));
	if (e.period !== undefined)
		addRow(table, 'period', e.period);
	if (e.caller)
		addRow(table, 'caller', symbolText(e.caller));
	if (e.stack)
		addRow(table, 'stack', e.stack.map(symbolText).join('\n'));
	if (contextText(e))
		addRow(table, 'context', contextText(e));
	if (e.trigger)
		addRow(table, 'trigger', 'this call is a trigger');
	if (e.seq !== undefined)
		addRow(table, 'number', `${e.seq} on its CPU`);
}

function showDetails(i)
{
	const tab = document.getElementById('tab-event'), table = document.createElement('table');

	tab.textContent = '';
	if (i < 0) {
		tab.textContent = 'Click an event, or use the search.';
		return;
	}
	table.id = 'event-table';
	// A call is listed before its return.
	for (const n of [i, partnerOf[i]].filter((m) => m >= 0).sort((a, b) => a - b))
		addEvent(table, n);
	tab.append(table);
}
