// For those who run the project: tokens of programs, and what happened.
import { call, get, post } from './api.js';
import { button, el, field, notice } from './dom.js';
import { app } from './main.js';
import { act, link, table, when } from './page-admin.js';

const SCOPES = [['read', 'read figures and items'], ['answer', 'answer items'], ['export', 'export answers'], ['import', 'import items']];

export async function tokens() {
  const [{ tokens: list }, { people }] = await Promise.all([get('/api/tokens'), get('/api/people')]);
  const label = el('input', { type: 'text', name: 'label', required: true, maxlength: 200 }), days = el('input', { type: 'number', name: 'days', min: 1, max: 366, value: '90' });
  const person = el('select', { name: 'person' }, people.filter(each => each.active).map(each => el('option', { value: each.id, selected: each.id === app.person.id }, `${each.name} (${each.role})`)));
  const scopes = SCOPES.map(([name, words]) => [name, el('input', { type: 'checkbox', name, checked: name === 'read' }), words]), made = el('div', { 'aria-live': 'polite', 'data-made': true });
  const make = event => { event.preventDefault(); act(async () => {
    const chosen = scopes.filter(([, box]) => box.checked).map(([name]) => name);
    const { token } = await post('/api/tokens', { label: label.value.trim(), scopes: chosen, person: Number(person.value), days: Number(days.value) || 90 });
    await app.go('/tokens', true);
    document.querySelector('[data-made]').append(link(token, 'Token: '));
    notice('The token is shown only now. Give it to the program and keep it secret.');
  }); };
  const state = each => each.revoked ? 'revoked' : new Date(each.expires) < new Date() ? 'expired' : 'valid';
  return [el('h1', {}, 'Tokens'), el('p', { class: 'hint' }, 'A program with a token acts for a person: with the role of the person, and only for what the token is for.'),
    el('form', { class: 'row form', onsubmit: make }, field('Name of the program', label), field('Acts for', person), field('Days', days), el('fieldset', { class: 'row' }, el('legend', {}, 'It may'), scopes.map(([, box, words]) => el('label', { class: 'check' }, box, words))), el('button', { type: 'submit', class: 'main' }, 'Make a token')), made,
    table('Tokens', ['Program', 'Begins with', 'Acts for', 'May', 'Last used', 'Expires', 'State', ''], list.map(each => el('tr', {}, [each.label, `${each.prefix}…`, each.person, each.scopes.join(', '), when(each.used), when(each.expires), state(each)].map(value => el('td', {}, value)),
      el('td', {}, state(each) === 'valid' ? button('Revoke', () => act(async () => { await call('DELETE', `/api/tokens/${each.id}`); await app.go('/tokens', true); }), { 'aria-label': `Revoke ${each.label}` }) : ''))))];
}

const words = detail => Object.entries(detail).map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : value}`).join('; ');

export async function audit() {
  const body = el('tbody'), more = button('More', () => page(next));
  let next = null;
  const page = async before => {
    const got = await get(`/api/audit${before ? `?before=${before}` : ''}`);
    body.append(...got.events.map(each => el('tr', {}, [when(each.time), each.person ?? '–', each.kind, each.about ?? each.item ?? '–', words(each.detail)].map(value => el('td', {}, value)))));
    next = got.next; more.hidden = !next;
  };
  await page();
  return [el('h1', {}, 'Audit log'), el('p', { class: 'hint' }, 'Who came in, and who changed, decided, exported or erased what; the newest first. Nobody can change it.'),
    el('div', { class: 'wide', tabindex: 0, role: 'group', 'aria-label': 'A table, to scroll' }, el('table', {}, el('thead', {}, el('tr', {}, ['Time', 'Who', 'What', 'Whom or which item', 'Details'].map(name => el('th', { scope: 'col' }, name)))), body)), more];
}
