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
        shown += hit && row.tagName === 'TR' ? 1 : 0;
      }
      const told = document.getElementById('shown');
      if (told) told.textContent = typed === '' ? '' : shown + ' shown';
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
