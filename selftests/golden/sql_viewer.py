# SPDX-License-Identifier: GPL-2.0-only
"""
What perf's exported-sql-viewer.py shows of a database: its own models, with their queries, run with substitutes for the
classes of Qt, and without windows.
"""
import importlib.util
import os
import pathlib
import re
import sys
import types

SCRIPT = pathlib.Path('/usr/lib/perf-core/scripts/python/exported-sql-viewer.py')


class Anything:
    """An object or a class of Qt that only has to be there."""
    def __init__(self, *_):
        pass

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return lambda *_: None


class Signal:
    def __init__(self, *_):
        pass

    def connect(self, *_):
        pass

    def emit(self, *_):
        pass


class Query:
    """QSqlQuery, on a connection of Python's database interface."""
    def __init__(self, db):
        self.db = db

    def exec_(self, text):
        try:
            self.rows, self.error = iter(self.db(text)), None
        except Exception as error:	# as Qt, which reports any error by the result
            self.error = error
        return self.error is None

    def next(self):
        self.row = next(self.rows, None)
        return self.row is not None

    def value(self, i):
        return self.row[i]

    def lastError(self):
        return self

    def text(self):
        return str(self.error)


class Fetcher:
    """In the script, a process that reads rows ahead."""
    def __init__(self, glb, sql, prep, process_data):
        query, last, is_repeated = Query(glb.db), -1, True
        self.done = Signal()
        while is_repeated:
            if not query.exec_(sql.replace('$$last_id$$', str(last))):
                raise ValueError(f'{query.text()}: {sql}')
            is_repeated = False
            while query.next():
                last, is_repeated = query.value(0), '$$last_id$$' in sql
                process_data(prep(query))

    def Fetch(self, _):
        pass


def load():
    """The script as a module; None: it is not installed."""
    if not SCRIPT.exists():
        return None
    package = types.ModuleType('PySide2')
    package.__path__ = []
    sys.modules['PySide2'] = package
    names = set(re.findall(r'\bQ[A-Z]\w+', SCRIPT.read_text(encoding='utf-8')))
    for part in 'QtCore', 'QtGui', 'QtSql', 'QtWidgets':
        module = sys.modules['PySide2.' + part] = types.ModuleType('PySide2.' + part)
        for name in names:
            setattr(module, name, type(name, (Anything,), {}))
        module.Signal, module.Qt, module.QSqlQuery = Signal, Anything(), Query
    sys.path.append(str(SCRIPT.parent))
    spec = importlib.util.spec_from_file_location('viewer', SCRIPT)
    viewer = importlib.util.module_from_spec(spec)
    sys.modules['viewer'] = viewer
    spec.loader.exec_module(viewer)
    viewer.SQLFetcher = Fetcher
    return viewer


def tree(item):
    """The rows below an item, with those below each."""
    item.childCount()
    return [(child.data, tree(child)) for child in item.child_items]


def rows(model):
    return [child.data for child in model.child_items]


def show(viewer, query, is_sqlite):
    """
    By the name of each report, what it shows. @query: runs SQL and returns the rows.
    """
    os.environ.setdefault('HOME', '/')
    dbref = viewer.DBRef(is_sqlite, 'db')
    glb = viewer.Glb(dbref, query, 'db')
    shown = {'call graph': tree(viewer.CallGraphModel(glb).root), 'call tree': tree(viewer.CallTreeModel(glb).root),
             'top calls': rows(viewer.TopCallsModel(glb, viewer.ReportVars('', ' WHERE calls.id > 0', '')))}
    for number, event in enumerate(viewer.GetEventList(query), 1):
        if event.startswith('branches'):
            shown['all branches'] = rows(viewer.BranchModel(glb, number, '').root)
            where = " AND (symbols.name = 'f') AND (samples.id > 10)"
            shown['selected branches'] = rows(viewer.BranchModel(glb, number, where).root)
    for name in viewer.GetTableList(glb):
        if name != 'sqlite_master' and not name.startswith('information_schema.'):
            shown['table ' + name] = rows(viewer.SQLAutoTableModel(glb, name))
    shown['times'] = [glb.HostStartTime(), glb.HostFinishTime()]
    return shown
