// The OpenAPI description as a page to read.
import { el, notice } from './dom.js';

const kind = (schema = {}) => schema.$ref ? schema.$ref.split('/').at(-1) : schema.enum ? schema.enum.join(' | ')
  : schema.anyOf ? schema.anyOf.map(kind).filter(name => name !== 'null').join(' | ') : schema.type === 'array' ? `${kind(schema.items)}[]` : schema.type || '';

function fields(rows) {
  if (!rows.length) return null;
  const head = el('thead', {}, el('tr', {}, ['field', 'type', 'default', ''].map(name => el('th', { scope: 'col' }, name || 'meaning'))));
  return el('div', { class: 'wide', tabindex: 0, role: 'group', 'aria-label': 'A table, to scroll' }, el('table', {}, head, el('tbody', {}, rows.map(([name, schema, required, text]) => el('tr', {},
    el('td', {}, el('code', {}, name)), el('td', {}, kind(schema)), el('td', {}, required ? 'required' : JSON.stringify(schema.default ?? null)), el('td', {}, text || schema.description || ''))))));
}

function example(path, method, form) {
  const values = Object.entries(form?.properties || {}).filter(([, schema]) => schema.examples || schema.anyOf?.some(one => one.examples))
    .filter(([name]) => !name.endsWith('s')).map(([name, schema]) => [name, (schema.examples || schema.anyOf.find(one => one.examples).examples)[0]]);
  const body = values.length ? ` -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(Object.fromEntries(values))}'` : '';
  return method === 'post' && body ? el('pre', { tabindex: '0' }, `curl ${location.origin}${path}${body}`) : null;
}

function operation(path, method, about, schemas) {
  const form = schemas[about.requestBody?.content['application/json'].schema.$ref?.split('/').at(-1)];
  const rows = [
    ...(about.parameters || []).map(one => [one.in === 'header' ? `${one.name} (header)` : one.name, one.schema, one.required, one.description]),
    ...Object.entries(form?.properties || {}).map(([name, schema]) => [name, schema, form.required?.includes(name)]),
  ];
  return el('article', { class: 'card' }, el('h2', {}, el('code', {}, `${method.toUpperCase()} ${path}`)), el('p', {}, about.description || about.summary),
    form?.description && el('p', { class: 'soft' }, form.description), fields(rows), example(path, method, form));
}

try {
  const described = await (await fetch('/openapi.json')).json();
  const cards = Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, about]) => operation(path, method, about, described.components.schemas)));
  document.getElementById('main').append(el('p', {}, described.info.description), ...cards);
} catch { notice('The description cannot be read.', 'bad'); }
document.documentElement.dataset.ready = 'yes';
