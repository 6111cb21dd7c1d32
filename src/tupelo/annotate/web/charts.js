// Small pictures: bars and a line, as SVG with a table's worth of words for those who do not see them.
import { el, svg } from './dom.js';

const WIDTH = 340, HEIGHT = 140, LEFT = 34, BOTTOM = 22, TOP = 8, WIDEST = 48;

export function bars(title, rows, { most = null, label = value => String(value) } = {}) {
  const top = most ?? Math.max(1, ...rows.map(row => row.value || 0)), width = (WIDTH - LEFT) / Math.max(rows.length, 1), height = HEIGHT - BOTTOM - TOP;
  const wanted = Math.max(1, Math.ceil(rows.length / 8));
  return figure(title, rows.map(row => `${row.name}: ${label(row.value)}`).join(', '), [
    ...axis(top, height, label),
    ...rows.flatMap((row, place) => {
      const size = height * Math.min(1, Math.max(0, row.value || 0) / top), x = LEFT + place * width, thick = Math.max(1, Math.min(WIDEST, width * 0.7));
      return [svg('rect', { class: 'bar', x: x + (width - thick) / 2, y: TOP + height - size, width: thick, height: size, rx: 2 }, svg('title', {}, `${row.name}: ${label(row.value)}`)),
        place % wanted ? null : svg('text', { class: 'tick', x: x + width / 2, y: HEIGHT - 6, 'text-anchor': 'middle' }, short(row.name))];
    })]);
}

export function line(title, rows, { label = value => String(value) } = {}) {
  const top = Math.max(1, ...rows.map(row => row.value || 0)), height = HEIGHT - BOTTOM - TOP, step = (WIDTH - LEFT - 10) / Math.max(rows.length - 1, 1);
  const points = rows.map((row, place) => [LEFT + 5 + place * step, TOP + height - height * (row.value || 0) / top]);
  const wanted = Math.max(1, Math.ceil(rows.length / 6));
  return figure(title, rows.map(row => `${row.name}: ${label(row.value)}`).join(', '), [
    ...axis(top, height, label), svg('polyline', { class: 'line', points: points.map(point => point.map(value => value.toFixed(1)).join(',')).join(' ') }),
    ...points.flatMap(([x, y], place) => [svg('circle', { class: 'dot', cx: x, cy: y, r: 3 }, svg('title', {}, `${rows[place].name}: ${label(rows[place].value)}`)),
      place % wanted ? null : svg('text', { class: 'tick', x, y: HEIGHT - 6, 'text-anchor': place ? 'middle' : 'start' }, short(rows[place].name))])]);
}

function axis(top, height, label) {
  return [0, 0.5, 1].flatMap(share => {
    const y = TOP + height * (1 - share);
    return [svg('line', { class: 'grid', x1: LEFT, x2: WIDTH, y1: y, y2: y }), svg('text', { class: 'tick', x: LEFT - 4, y: y + 4, 'text-anchor': 'end' }, label(share === 0.5 && Number.isInteger(top) && top % 2 ? top / 2 : top * share))];
  });
}

const short = name => name.length > 10 ? `${name.slice(0, 9)}…` : name;
const figure = (title, words, parts) => el('figure', {}, el('figcaption', {}, title), svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': `${title}. ${words || 'no data yet'}` }, parts.filter(Boolean)));
