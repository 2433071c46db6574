'use strict';
(() => {
  const value = (row, column) => {
    const cell = row.cells[column];
    const number = cell && cell.dataset.v;
    return number === undefined ? (cell ? cell.textContent : '') : Number(number);
  };
  const order = (a, b) => {
    if (typeof a === 'number' && typeof b === 'number') return a - b;
    // What has no figure comes last.
    if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
    return a.localeCompare(b, undefined, { numeric: true });
  };
  for (const table of document.querySelectorAll('table.sortable')) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = head.querySelector('button');
      if (!button) return;
      button.addEventListener('click', () => {
        const down = head.getAttribute('aria-sort') === 'ascending';
        for (const other of heads) if (other.hasAttribute('aria-sort')) other.setAttribute('aria-sort', 'none');
        head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
        for (const body of table.tBodies) {
          const rows = [...body.rows].filter((row) => row.hasAttribute('data-n'));
          rows.sort((a, b) => {
            const [x, y] = [value(a, column), value(b, column)];
            return typeof x === typeof y && down ? order(y, x) : order(x, y);
          });
          body.append(...rows);
        }
      });
    });
  }
  for (const input of document.querySelectorAll('input.filter')) {
    input.addEventListener('input', () => {
      const typed = input.value.toLowerCase();
      let shown = 0;
      for (const row of document.querySelectorAll('[data-n]')) {
        const hit = row.dataset.n.toLowerCase().includes(typed);
        row.classList.toggle('hidden', !hit);
        if (row.tagName !== 'TR' || !hit) continue;
        shown += 1;
        if (typed !== '') row.closest('details')?.setAttribute('open', '');
      }
      const told = document.getElementById('shown');
      if (told) told.textContent = typed === '' ? '' : shown + ' shown';
    });
  }
  for (const button of document.querySelectorAll('button.axes')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      const linear = document.body.classList.toggle('linear-axes');
      for (const other of document.querySelectorAll('button.axes')) other.setAttribute('aria-pressed', linear);
    });
  }
  // A text that a spreadsheet would take for a formula gets an apostrophe, by which it knows text.
  const field = (value) => {
    if (typeof value === 'number') return String(value);
    const text = (/^[=+\-@]/.test(value) ? "'" : '') + value;
    return /[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  };
  const columns = ['record', 'package', 'target', 'case', 'reference', 'metric', 'unit', 'estimate', 'lower',
    'upper', 'confidence', 'scope', 'launches', 'finding', 'absence'];
  const csv = () => {
    const lines = [columns];
    for (const run of JSON.parse(document.getElementById('figures').textContent).runs) {
      const rows = [
        ...run.cases.flatMap((view) => view.results.map((result) => ({ case: view.id, ...result }))),
        ...run.verdicts.map((verdict) => ({ metric: 'ratio', estimate: verdict.ratio, ...verdict })),
      ];
      const { record, package: own, target } = run;
      for (const row of rows) {
        const all = { record, package: own, target, ...row };
        lines.push(columns.map((column) => field(all[column] ?? '')));
      }
    }
    return lines.map((line) => line.join(',') + '\r\n').join('');
  };
  for (const button of document.querySelectorAll('button.csv')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([csv()], { type: 'text/csv' }));
      link.download = 'figures.csv';
      link.click();
      URL.revokeObjectURL(link.href);
    });
  }
  const open = () => {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (target && target.tagName === 'DETAILS') target.open = true;
  };
  addEventListener('hashchange', open);
  open();
  let closed = [];
  addEventListener('beforeprint', () => {
    closed = [...document.querySelectorAll('details:not([open])')];
    for (const details of closed) details.open = true;
  });
  addEventListener('afterprint', () => {
    for (const details of closed) details.open = false;
  });
})();
