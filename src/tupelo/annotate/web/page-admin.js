// For those who run the project: people and invitations, items and their history, import and export.
import { call, get, post } from './api.js';
import { base, button, el, field, notice, percent, say } from './dom.js';
import { app } from './main.js';
import { load } from './tasks.js';

const ROLES = ['annotator', 'reviewer', 'admin'];
const STATES = ['training', 'qualification', 'working', 'failed'];
const select = (options, value, attributes = {}) => el('select', attributes, options.map(option => el('option', { value: option, selected: option === value }, option)));
export const table = (caption, head, rows) => el('div', { class: 'wide', tabindex: 0, role: 'group', 'aria-label': 'A table, to scroll' }, el('table', {}, el('caption', {}, caption), el('thead', {}, el('tr', {}, head.map(name => el('th', { scope: 'col' }, name)))), el('tbody', {}, rows)));
export const when = time => time ? new Date(time).toLocaleString() : '–';
export const act = async (work, said) => { try { await work(); if (said) { notice(said); say(said); } } catch (error) { notice(error.message, 'warn'); } };

export function link(url, words) {
  const box = el('input', { type: 'text', readOnly: true, value: url, 'aria-label': words, class: 'url', onfocus: event => event.target.select() });
  return el('p', { class: 'link' }, el('b', {}, words), box, button('Copy', async () => { box.select(); try { await navigator.clipboard.writeText(url); say('Copied.'); } catch { document.execCommand('copy'); } }));
}

// An erasure cannot be undone: whoever wants one types the name.
function erase(person) {
  const name = el('input', { type: 'text', name: 'confirm', autocomplete: 'off', required: true, maxlength: 100 }), fault = el('p', { class: 'fault', role: 'alert', hidden: true });
  const box = el('dialog', { 'aria-label': `Erase ${person.name}`, onclose: () => box.remove() }, el('form', { onsubmit: async event => {
    event.preventDefault();
    try {
      const done = await post(`/api/people/${person.id}/erase`, { name: name.value });
      box.close(); await app.go('/people', true);
      notice(`Erased. The answers are now those of ${done.label}.${done.answers_with_name ? ` ${done.answers_with_name} answers have the name in their own text and were left as they are.` : ''}`);
    } catch (error) { fault.textContent = error.message; fault.hidden = false; name.focus(); }
  } }, el('h2', {}, `Erase ${person.name}?`),
  el('p', {}, 'Name, password, participant number, sessions, links, tokens and drafts are removed for ever, and the name in remarks. Answers stay, under a neutral label. Files that were exported and copies of the database are yours to delete.'),
  field('Type the name to confirm', name), fault, el('div', { class: 'row end' }, button('Cancel', () => box.close()), el('button', { type: 'submit', class: 'bad' }, 'Erase for ever'))));
  document.body.append(box); box.showModal(); name.focus();
}

export async function people() {
  const [{ people: list }, { invitations }] = await Promise.all([get('/api/people'), get('/api/invitations')]);
  const role = select(ROLES, 'annotator', { name: 'role' }), label = el('input', { type: 'text', name: 'label', maxlength: 100 }), many = el('input', { type: 'number', name: 'many', min: 1, max: 50, value: '1' }), links = el('div', { 'aria-live': 'polite', 'data-links': true });
  const invite = event => { event.preventDefault(); act(async () => {
    const count = Math.max(1, Math.min(50, Number(many.value) || 1));
    for (let number = 0; number < count; number++) {
      const made = await post('/api/invitations', { role: role.value, ...(label.value.trim() ? { label: label.value.trim() } : {}) });
      links.append(link(made.url, `Invitation for ${label.value.trim() || `an ${role.value}`.replace('an r', 'a r')}: `));
    }
    notice('Each link works once and is shown only now. Send it to the person.');
  }); };
  const row = person => person.erased ? el('tr', {}, [person.name, person.role, 'erased', '–', '–', ''].map(value => el('td', {}, value))) : el('tr', {}, el('td', {}, person.name), el('td', {}, select(ROLES, person.role, { 'aria-label': `Role of ${person.name}`, onchange: event => act(() => call('PATCH', `/api/people/${person.id}`, { role: event.target.value }), 'Role changed.') })),
    el('td', {}, select(STATES, person.state, { 'aria-label': `State of ${person.name}`, onchange: event => act(() => call('PATCH', `/api/people/${person.id}`, { state: event.target.value }), 'State changed.') })),
    el('td', {}, person.participant || '–'), el('td', {}, when(person.last_seen)),
    el('td', {}, el('div', { class: 'row' }, button('Sign-in link', () => act(async () => { const made = await post(`/api/people/${person.id}/link`); links.append(link(made.url, `Sign-in for ${person.name}: `)); links.scrollIntoView({ block: 'nearest' }); }), { 'aria-label': `Sign-in link for ${person.name}` }),
      el('a', { href: `/api/people/${person.id}/data`, download: '', class: 'button', 'aria-label': `Data on ${person.name}` }, 'Data'),
      person.id === app.person.id ? '' : button(person.active ? 'Lock out' : 'Let in', () => act(async () => { await call('PATCH', `/api/people/${person.id}`, { active: !person.active }); await app.go('/people', true); }), { 'aria-label': `${person.active ? 'Lock out' : 'Let in'} ${person.name}` }),
      person.id === app.person.id ? '' : button('Erase…', () => erase(person), { class: 'bad', 'aria-label': `Erase ${person.name}` }))));
  return [el('h1', {}, 'People'),
    el('form', { class: 'row form', onsubmit: invite }, field('Role', role), field('For whom (optional)', label), field('How many', many), el('button', { type: 'submit', class: 'main' }, 'Invite')), links,
    table('People', ['Name', 'Role', 'State', 'Participant', 'Last seen', ''], list.map(row)),
    table('Invitations', ['Role', 'For whom', 'Made', 'Expires', 'Used by', ''], invitations.map(each => el('tr', {}, [each.role, each.label || '–', when(each.created), when(each.expires), each.used_by || '–'].map(value => el('td', {}, String(value))), el('td', {}, each.used_by ? '' : button('Take back', () => act(async () => { await call('DELETE', `/api/invitations/${each.id}`); await app.go('/people', true); }))))))];
}

export async function items() {
  const list = el('tbody'), more = button('More', () => page(next));
  let next = null;
  const page = async after => {
    const got = await get(`/api/items${after ? `?after=${encodeURIComponent(after)}` : ''}`);
    list.append(...got.items.map(each => el('tr', {}, el('td', {}, el('a', { href: `/items/${encodeURIComponent(each.id)}` }, each.title || each.id)), el('td', {}, each.state), el('td', {}, String(each.answers)), el('td', {}, each.control ? 'control' : ''))));
    next = got.next; more.hidden = !next;
  };
  await page();
  return [el('h1', {}, 'Items'), importer(() => app.go('/items', true)), el('div', { class: 'wide', tabindex: 0, role: 'group', 'aria-label': 'A table, to scroll' }, el('table', {}, el('thead', {}, el('tr', {}, ['Item', 'State', 'Answers', ''].map(name => el('th', { scope: 'col' }, name)))), list)), more];
}

function importer(done) {
  const file = el('input', { type: 'file', name: 'file' }), result = el('p', { role: 'status' });
  return el('form', { class: 'row form', onsubmit: async event => {
    event.preventDefault();
    if (!file.files.length) { result.textContent = 'Choose a file first.'; return; }
    try { const got = await call('POST', '/api/import?format=auto', await file.files[0].arrayBuffer(), true); notice(`${got.items} items added${got.known ? `, ${got.known} were known` : ''}.`); await done(); notice(`${got.items} items added${got.known ? `, ${got.known} were known` : ''}.`); }
    catch (error) { result.textContent = error.message; result.className = 'fault'; }
  } }, field('Add items from a file', file), el('button', { type: 'submit' }, 'Import'), el('small', {}, 'Plain text with one sentence a line, JSON lines, or a format of tuples; at most 10 MB.'), result);
}

export async function item(id) {
  const task = await load(app.session.project.task), about = await get(`/api/items/${encodeURIComponent(id)}`);
  const answers = about.answers || [], records = about.records || [];
  return [el('h1', {}, `Item ${id}`), el('a', { href: '/items' }, 'All items'),
    answers.length ? el('div', { class: 'side-by-side answers' }, answers.map(each => el('section', {}, el('h3', {}, String(each.person ?? each.name ?? '')), each.answer ? task.show(about.content, each.answer) : el('p', {}, 'Skipped.')))) : el('pre', { class: 'wide', tabindex: 0, role: 'group', 'aria-label': 'A table, to scroll' }, JSON.stringify(about.content, null, 1)),
    table('History', ['Time', 'Person', 'What', 'Version'], records.map(each => el('tr', {}, [when(each.time), each.person ?? '–', each.kind, each.version].map(value => el('td', {}, String(value))))))];
}

export async function exchange() {
  const { formats } = await get('/api/formats'), format = el('select', { name: 'format' }, formats.map(each => el('option', { value: each.name }, `${each.name} – ${each.title}`)));
  const what = el('select', { name: 'what' }, [['answers', 'every answer'], ['gold', 'decided answers (gold)'], ['records', 'every record, with history']].map(([value, label]) => el('option', { value }, label))), names = el('input', { type: 'checkbox', name: 'names' });
  const target = () => `/api/export?format=${encodeURIComponent(what.value === 'records' ? 'jsonl' : format.value)}&what=${what.value}&names=${names.checked}`;
  const anchor = el('a', { href: target(), download: '', class: 'button main', 'data-export': true }, 'Download');
  const change = () => { format.disabled = what.value === 'records'; anchor.setAttribute('href', base + target()); };
  [format, what, names].forEach(input => input.addEventListener('change', change));
  const agreement = await get('/api/agreement');
  return [el('h1', {}, 'Export'), el('div', { class: 'row form' }, field('What', what), field('Format', format), el('label', { class: 'check' }, names, ' with names of people'), anchor),
    el('h2', {}, 'Agreement'), el('p', {}, `${agreement.pairs} pairs of answers on ${agreement.items} items; mean grade ${percent(agreement.grade)}.`),
    el('h2', {}, 'Import'), importer(() => app.go('/items'))];
}
