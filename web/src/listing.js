// A sortable, searchable, paginated table. Only one page of rows is in the document, so that it may have 100,000.
import {button, make} from './dom.js';
import {aligned, share} from './number.js';

const leaf = 20;

const compareWords = new Intl.Collator('en', {numeric: true}).compare;

/** Row numbers in the order of a column; rows without a value come last either way. */
function sorted(rows, column, falling) {
  const sign = falling ? -1 : 1;
  if (column.words) return rows.sort((a, b) => sign * compareWords(column.words[a], column.words[b]) || a - b);
  const {numbers} = column;
  return rows.sort((a, b) => {
    const x = numbers[a];
    const y = numbers[b];
    if (x === null || y === null) return (x === null) - (y === null) || a - b;
    return sign * (x - y) || a - b;
  });
}

/** Where an interval and its middle lie between the least and the largest end of the column. */
function intervalCell(column, scale, row) {
  const cell = make('td', {class: 'interval'});
  const middle = column.numbers[row];
  const [lower, upper] = column.lower ? [column.lower[row], column.upper[row]] : [middle, middle];
  if (lower === null || upper === null || (lower === 0 && upper === 0)) return cell;
  const place = (value) => `${(100 * (value - scale.least)) / (scale.most - scale.least || 1)}%`;
  const track = make('span', {class: 'track', 'aria-hidden': 'true'});
  const part = (kind, left, right) => {
    const piece = make('i', {class: kind});
    piece.style.left = place(left);
    if (right !== undefined) piece.style.width = `calc(${place(right)} - ${place(left)})`;
    track.append(piece);
  };
  part('zero', 0);
  part('range', lower, upper);
  part('middle', middle);
  cell.append(track);
  return cell;
}

function scaleOf(column) {
  let least = 0;
  let most = 0;
  for (const value of column.lower ?? column.numbers) least = Math.min(least, value ?? 0);
  for (const value of column.upper ?? column.numbers) most = Math.max(most, value ?? 0);
  return {least, most};
}

/** Cells of one column of data: functions of the row. An interval takes columns of its own. */
function cellsOf(column) {
  if (column.words) return [(row) => make('td', {}, column.words[row])];
  const number = (write) => (row) => make('td', {class: 'number'}, write(row));
  if (column.share) {
    return [(row) => {
      const value = column.numbers[row];
      const bar = make('i', {class: 'bar', 'aria-hidden': 'true'});
      bar.style.width = `${100 * (value ?? 0)}%`;
      return make('td', {class: 'number share'}, make('span', {class: 'bar-ground'}, bar), make('span', {class: 'value'}, share(value)));
    }];
  }
  const write = aligned(column.numbers);
  const cells = [number((row) => write(column.numbers[row]))];
  if (column.drawn) {
    const scale = scaleOf(column);
    cells.push((row) => intervalCell(column, scale, row));
  } else if (column.lower) {
    const ends = aligned(column.lower.concat(column.upper));
    cells.push(number((row) => ends(column.lower[row])), number((row) => ends(column.upper[row])));
  }
  return cells;
}

export function drawListing(place, block) {
  const {columns} = block;
  const count = columns.length ? (columns[0].words ?? columns[0].numbers).length : 0;
  const atFirst = block.order.length ? block.order : Array.from({length: count}, (_, k) => k);
  const marked = new Set(block.marked);
  const lowered = columns.filter((c) => c.words).map((c) => c.words.map((w) => w.toLowerCase()));
  const cells = columns.map(cellsOf);
  const state = {sort: -1, falling: true, words: '', marked: false, leaf: 0, rows: atFirst};

  const search = make('input', {type: 'search', placeholder: 'Search', 'aria-label': `Search ${block.label}`});
  const only = make('input', {type: 'checkbox'});
  const tools = make('div', {class: 'tools'}, search);
  if (marked.size && marked.size < count) {
    tools.append(make('label', {class: 'only'}, only, ` ${block.markedLabel} only (${marked.size})`));
  }
  const body = make('tbody');
  const heads = [];
  const headRow = make('tr');
  columns.forEach((column, k) => {
    const sorter = button(column.title, `Sort by ${column.title}`, () => {
      state.falling = state.sort === k ? !state.falling : !column.words;
      state.sort = k;
      arrange();
    });
    if (column.meaning) sorter.title = column.meaning;
    const head = make('th', {scope: 'col', class: column.words ? '' : 'number'}, sorter);
    heads.push(head);
    headRow.append(head);
    if (column.drawn) {
      headRow.append(make('th', {scope: 'col', class: 'interval'}, make('span', {class: 'hidden'}, 'interval')));
    } else if (column.lower) {
      headRow.append(make('th', {scope: 'col', class: 'number'}, '2.5%'), make('th', {scope: 'col', class: 'number'}, '97.5%'));
    }
  });
  const table = make('table', {}, make('thead', {}, headRow), body);
  const status = make('output', {'aria-live': 'polite'});
  const back = button('‹', 'Previous page', () => turn(-1));
  const on = button('›', 'Next page', () => turn(1));
  const pager = make('div', {class: 'pager'}, back, on, status);
  place.querySelectorAll('.plain').forEach((old) => old.remove());
  place.append(tools, make('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': block.label || 'Table'}, table), pager);

  function arrange() {
    const wanted = state.words.trim().toLowerCase();
    const holds = (row) => (!state.marked || marked.has(row)) && (!wanted || lowered.some((words) => words[row].includes(wanted)));
    state.rows = atFirst.filter(holds);
    if (state.sort >= 0) sorted(state.rows, columns[state.sort], state.falling);
    heads.forEach((head, k) => {
      if (k === state.sort) head.setAttribute('aria-sort', state.falling ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    });
    state.leaf = 0;
    fill();
  }

  function fill() {
    const first = state.leaf * leaf;
    const rows = state.rows.slice(first, first + leaf);
    body.replaceChildren(...rows.map((row) => make('tr', {class: marked.has(row) ? 'marked' : ''}, ...cells.flat().map((cell) => cell(row)))));
    const total = state.rows.length;
    const of = total === count ? String(count) : `${total} (of ${count})`;
    status.textContent = total ? `${first + 1}–${first + rows.length} of ${of}` : `no matches among ${count}`;
    back.disabled = state.leaf === 0;
    on.disabled = first + leaf >= total;
    pager.hidden = count <= leaf && total === count;
  }

  function turn(step) {
    state.leaf += step;
    fill();
  }

  search.addEventListener('input', () => {
    state.words = search.value;
    arrange();
  });
  only.addEventListener('change', () => {
    state.marked = only.checked;
    arrange();
  });
  if (count <= 8) search.hidden = true;
  arrange();
}
