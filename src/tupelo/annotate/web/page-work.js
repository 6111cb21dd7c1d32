// The work itself: one item after the other, drafts kept, undo in reach, nothing handed in that is not finished.
import { get, newId, post, Refused } from './api.js';
import { base, button, el, notice, prose, say, typing } from './dom.js';
import { app } from './main.js';
import { Draft } from './outbox.js';
import { load } from './tasks.js';

export function home() {
  const { role, state } = app.person;
  return role === 'admin' ? '/dashboard' : role === 'reviewer' ? '/review' : { training: '/tutorial', qualification: '/test', failed: '/test' }[state] || '/work';
}

// Keys of a component and of the page; returns how to stop listening.
export function keyboard(editor, { submit, skip } = {}) {
  const listen = event => {
    if (!editor.node.isConnected || editor.node.inert || document.querySelector('dialog[open]')) return;
    const control = event.ctrlKey || event.metaKey, key = event.key.toLowerCase();
    if (control && event.key === 'Enter') { event.preventDefault(); submit?.(); }
    else if (control && key === 'z' && !typing(event.target)) { event.preventDefault(); event.shiftKey ? editor.redo() : editor.undo(); }
    else if (control && key === 'y' && !typing(event.target)) { event.preventDefault(); editor.redo(); }
    else if (control || event.altKey || typing(event.target)) return;
    else if (event.key === '?') { event.preventDefault(); help(editor).showModal(); }
    else if (editor.press(event)) event.preventDefault();
    else if (event.key === 'S' && skip) { event.preventDefault(); skip(); }
  };
  document.addEventListener('keydown', listen);
  return () => document.removeEventListener('keydown', listen);
}

function help(editor) {
  const rows = [...editor.keys(), ['Ctrl+Enter', 'hand in, or check'], ['Ctrl+Z', 'undo'], ['Ctrl+Shift+Z', 'do again'], ['?', 'these keys']];
  const dialog = el('dialog', { 'aria-label': 'Keys', onclose: () => dialog.remove() }, el('h2', {}, 'Keys'),
    el('dl', {}, rows.map(([keys, what]) => [el('dt', {}, keys.split(' ').map(key => [el('kbd', {}, key), ' '])), el('dd', {}, what)])), el('form', { method: 'dialog' }, el('button', { class: 'main' }, 'Close')));
  document.body.append(dialog);
  return dialog;
}

export const toolbar = (editor, ...more) => el('div', { class: `row toolbar ${more.length ? 'stuck' : ''}` },
  button('Undo', () => editor.undo(), { title: 'Ctrl+Z' }), button('Redo', () => editor.redo(), { title: 'Ctrl+Shift+Z' }), button('Keys', () => help(editor).showModal(), { class: 'quiet for-keyboard', title: 'Key ?' }), ...more);

export function guidelines() {
  const text = app.session.project.guidelines;
  return text ? el('details', { class: 'guidelines' }, el('summary', {}, 'Guidelines'), prose(text)) : null;
}

export async function work(id) {
  if (app.person.role === 'annotator' && app.person.state !== 'working') return home();
  const task = await load(app.session.project.task), place = el('div');
  // Answers that wait on this device go first, so that the server does not hand out their items again.
  await Promise.race([app.outbox.flush(), new Promise(resolve => setTimeout(resolve, 4000))]);
  const got = id ? { assignment: await get(`/api/assignments/${id}`) } : await post('/api/assignments');
  screen(place, task, got.assignment, got.reason);
  return place;
}

function screen(place, task, assignment, reason) {
  app.leave?.(); app.leave = null;
  if (!assignment) {
    const text = reason === 'all-taken' ? 'Everything that is left is being worked on by others. Come back later.' : 'There is nothing left for you to do. Thank you!';
    place.replaceChildren(el('h1', {}, 'All done'), el('p', {}, text), el('p', {}, el('a', { href: '/done' }, 'Look at my answers')), button('Look again', () => app.go('/work')));
    return;
  }
  if (!['leased', 'returned'].includes(assignment.state)) { place.replaceChildren(...finished(task, assignment)); return; }
  const draft = new Draft(app.person.id, assignment), began = Date.now();
  const value = draft.begin(assignment) || assignment.answer;
  const editor = new task.Component({ content: assignment.content, value, suggestion: assignment.suggestion?.answer, changed: () => { draft.save(editor.draft()); state.textContent = 'draft kept'; } });
  const fault = el('p', { class: 'fault', role: 'alert', hidden: true }), state = el('small', { class: 'hint', 'data-draft-state': true }, value ? 'draft kept' : '');
  const complain = text => { fault.hidden = !text; fault.textContent = text || ''; if (text) fault.scrollIntoView({ block: 'nearest' }); };
  const { batch } = assignment;

  const send = async (kind, body, said) => {
    // What is on its way is not changed any more.
    submit.disabled = skip.disabled = editor.node.inert = true;
    draft.stop();
    try {
      const result = await app.outbox.send(`/api/assignments/${assignment.id}/${kind}`, { client_id: newId(), version: assignment.version, ...body });
      draft.forget();
      say(said);
      if (location.pathname !== `${base}/work`) history.replaceState(null, '', `${base}/work`);
      if (place.isConnected) await following(place, task, result, assignment);
    } catch (error) {
      submit.disabled = skip.disabled = editor.node.inert = false;
      if (!(error instanceof Refused)) throw error;
      if (error.code === 'look-again') complain('Some of your answers cannot be right. Please go through all of them again and hand in once more.');
      else if (error.code === 'conflict' || error.code === 'lease-lost') complain(`${error.message} Your text is still here; copy what you need, then go on with the next item.`);
      else complain(error.message);
    }
  };
  const hand = () => {
    const lack = editor.missing();
    complain(lack);
    if (!lack && !submit.disabled) send('answer', { answer: editor.answer(), seconds: Math.round((Date.now() - began) / 100) / 10 }, 'Handed in.');
  };
  const pass = () => {
    const why = el('input', { type: 'text', maxlength: 500, autofocus: true }), form = el('form', { method: 'dialog', onsubmit: () => send('skip', { reason: why.value.trim() || 'no reason given' }, 'Skipped.') },
      el('label', { class: 'field' }, el('span', {}, 'Why can this item not be done?'), why), el('div', { class: 'row end' }, button('Cancel', () => dialog.close()), el('button', { class: 'main' }, 'Skip')));
    const dialog = el('dialog', { 'aria-label': 'Skip this item', onclose: () => dialog.remove() }, el('h2', {}, 'Skip this item'), form);
    document.body.append(dialog);
    dialog.showModal();
  };
  const submit = button('Hand in', hand, { class: 'main', 'data-submit': true, title: 'Ctrl+Enter' }), skip = button('Skip', pass, { class: 'quiet', title: 'Shift+S' });
  const stop = keyboard(editor, { submit: hand, skip: pass });
  app.leave = () => { stop(); draft.push(); draft.stop(); };
  place.replaceChildren(...[
    el('div', { class: 'row head' }, el('h1', { tabindex: -1 }, app.session.project.title), batch ? el('span', { class: 'progress' }, el('progress', { max: batch.size, value: batch.done, 'aria-label': 'Answers of this batch' }), ` ${batch.done} of ${batch.size}`) : '', state),
    guidelines(),
    assignment.comment && el('p', { class: 'advice returned' }, el('b', {}, 'Sent back by a reviewer: '), assignment.comment),
    assignment.state === 'returned' && !assignment.comment ? el('p', { class: 'advice returned' }, 'This batch was sent back. Please look at your answer again.') : null,
    assignment.suggestion && el('p', { class: 'hint' }, el('span', { class: 'badge' }, 'machine'), ` This item comes with suggestions of a program (${assignment.suggestion.source}).`),
    editor.node, fault, toolbar(editor, el('span', { class: 'grow' }), skip, submit),
  ].filter(Boolean));
  document.documentElement.dataset.assignment = assignment.id;
}

async function following(place, task, result, before) {
  screen(place, task, result.next, null);
  const last = button('Undo the last one', async () => {
    try {
      const { assignment } = await app.outbox.send(`/api/assignments/${before.id}/undo`, { client_id: newId(), version: result.assignment.version });
      screen(place, task, assignment);
    } catch (error) { notice(error.message, 'warn'); }
  }, { class: 'quiet', 'data-undo-last': true });
  place.prepend(el('p', { class: 'row last' }, el('span', {}, result.assignment.state === 'skipped' ? 'Skipped.' : 'Handed in.'), last));
  place.querySelector('h1')?.focus({ preventScroll: true });
  scrollTo(0, 0);
}

function finished(task, assignment) {
  return [el('h1', {}, 'My answer'), el('p', { class: 'hint' }, `State: ${assignment.state}`), assignment.answer ? task.show(assignment.content, assignment.answer) : el('p', {}, 'No answer.'),
    el('div', { class: 'row' }, el('a', { href: '/done' }, 'Back to the list'), ['submitted', 'skipped'].includes(assignment.state) ? button('Change it', async () => {
      try { await app.outbox.send(`/api/assignments/${assignment.id}/undo`, { client_id: newId(), version: assignment.version }); await app.go(`/work/${assignment.id}`); } catch (error) { notice(error.message, 'warn'); }
    }) : '')];
}

export async function done() {
  const list = el('tbody'), more = button('More', () => page(next));
  let next = null;
  const page = async before => {
    const got = await get(`/api/assignments${before ? `?before=${before}` : ''}`);
    list.append(...got.assignments.map(each => el('tr', {}, el('td', {}, el('a', { href: `/work/${each.id}` }, each.title || each.item)), el('td', {}, each.state), el('td', {}, each.time ? new Date(each.time).toLocaleString() : ''))));
    next = got.next; more.hidden = !next;
  };
  await page();
  const progress = await get('/api/progress');
  return [el('h1', {}, 'My answers'), el('p', {}, `${progress.done} handed in${progress.returned ? `, ${progress.returned} sent back` : ''}.`), el('table', {}, el('thead', {}, el('tr', {}, ['Item', 'State', 'Time'].map(name => el('th', { scope: 'col' }, name)))), list), more];
}
