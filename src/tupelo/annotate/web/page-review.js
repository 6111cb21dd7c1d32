// Review of a random sample, and adjudication of what people disagree on.
import { get, newId, post, Refused } from './api.js';
import { button, el, field, notice, percent, say } from './dom.js';
import { app } from './main.js';
import { guidelines, keyboard, toolbar } from './page-work.js';
import { load } from './tasks.js';

export async function review() {
  const task = await load(app.session.project.task), place = el('div'), { review: first } = await post('/api/reviews');
  await check(place, task, first);
  return place;
}

async function check(place, task, item) {
  app.leave?.(); app.leave = null;
  document.documentElement.dataset.review = item?.id ?? 'none';
  if (!item) {
    const { batches } = await get('/api/batches');
    place.replaceChildren(el('h1', {}, 'Nothing to review'), el('p', {}, 'When a batch is complete, a random sample of it comes here.'), batchTable(batches), el('div', { class: 'row' }, button('Look again', () => app.go('/review'), { class: 'main' })));
    return;
  }
  const comment = el('textarea', { rows: 2, maxlength: 2000 }), fault = el('p', { class: 'fault', role: 'alert', hidden: true });
  const shown = el('div', {}, task.show(item.content, item.answer));
  let editor = null;
  const send = async right => {
    if (!right && !comment.value.trim() && !editor) { fault.hidden = false; fault.textContent = 'Say what is wrong, for the person who has to do it again.'; comment.focus(); return; }
    const lack = editor?.missing();
    if (lack) { fault.hidden = false; fault.textContent = lack; return; }
    try {
      const result = await app.outbox.send(`/api/reviews/${item.id}`, { client_id: newId(), right, comment: comment.value.trim(), ...(editor && !right ? { answer: editor.answer() } : {}) });
      say(right ? 'Right.' : 'Wrong.');
      if (!place.isConnected) return;
      await check(place, task, result.review);
      if (['accepted', 'returned'].includes(result.batch?.state)) notice(result.batch.state === 'accepted' ? 'The batch is accepted.' : 'The batch goes back to its author.');
      place.querySelector('h1')?.focus();
    } catch (error) { if (!(error instanceof Refused)) throw error; fault.hidden = false; fault.textContent = error.message; }
  };
  const correct = button('Correct it', () => { editor = new task.Component({ content: item.content, value: item.answer }); shown.replaceChildren(editor.node, toolbar(editor)); correct.hidden = true; stop(); stop = keyboard(editor, { submit: () => send(false) }); }, { 'data-correct': true });
  const listen = event => {
    if (!place.isConnected || editor || event.target.matches('input, textarea') || event.ctrlKey || event.metaKey) return;
    if (event.key === 'y') send(true); else if (event.key === 'n') send(false); else if (event.key === 'c') correct.click(); else return;
    event.preventDefault();
  };
  document.addEventListener('keydown', listen);
  let stop = () => {};
  app.leave = () => { stop(); document.removeEventListener('keydown', listen); };
  const { batch } = item;
  place.replaceChildren(...[el('div', { class: 'row head' }, el('h1', { tabindex: -1 }, 'Is this right?'), el('span', { class: 'progress' }, el('progress', { max: batch.sample || 1, value: batch.checked || 0, 'aria-label': 'Checked of the sample' }), ` ${batch.checked} of ${batch.sample} checked, round ${batch.round}`)),
    guidelines(), shown, field('Comment for the annotator', comment), fault,
    el('div', { class: 'row end' }, correct, button('Wrong', () => send(false), { class: 'bad', title: 'Key n', 'data-wrong': true }), button('Right', () => send(true), { class: 'main', title: 'Key y', 'data-right': true }))].filter(Boolean));
}

export const batchTable = batches => el('div', { class: 'wide', tabindex: 0, role: 'group', 'aria-label': 'A table, to scroll' }, el('table', {}, el('caption', {}, 'Batches'), el('thead', {}, el('tr', {}, ['Batch', 'Person', 'Round', 'State', 'Done', 'Checked', 'Right'].map(name => el('th', { scope: 'col' }, name)))),
  el('tbody', {}, batches.map(each => el('tr', {}, [each.id, each.person, each.round, each.state, `${each.done} of ${each.size}`, each.sample ? `${each.checked} of ${each.sample}` : '–', percent(each.right)].map(value => el('td', {}, String(value))))))));

export async function queue() {
  const { queue: list } = await get('/api/adjudications');
  return [el('h1', {}, 'Adjudication'), el('p', { class: 'hint' }, 'Items that several people answered, most disagreement first.'),
    list.length ? el('div', { class: 'wide', tabindex: 0, role: 'group', 'aria-label': 'A table, to scroll' }, el('table', {}, el('thead', {}, el('tr', {}, ['Item', 'Disagreement', 'Answers', 'Decided'].map(name => el('th', { scope: 'col' }, name)))),
      el('tbody', {}, list.map(each => el('tr', {}, el('td', {}, el('a', { href: `/adjudicate/${encodeURIComponent(each.item)}` }, each.title || each.item)), el('td', {}, percent(each.disagreement)), el('td', {}, String(each.answers)), el('td', {}, each.decided ? 'yes' : '')))))) : el('p', {}, 'Nothing yet: an item comes here when it has two answers.')];
}

export async function adjudicate(item) {
  const task = await load(app.session.project.task), place = el('div');
  decide(place, task, await get(`/api/adjudications/${encodeURIComponent(item)}`));
  return place;
}

function decide(place, task, about) {
  app.leave?.(); app.leave = null;
  const comment = el('input', { type: 'text', maxlength: 2000, value: about.decision?.comment || '' }), fault = el('p', { class: 'fault', role: 'alert', hidden: true }), desk = el('div');
  let editor = null, stop = () => {};
  const start = value => {
    editor = new task.Component({ content: about.content, value }); stop(); stop = keyboard(editor, { submit: send });
    desk.replaceChildren(el('h2', {}, 'Decision'), editor.node, toolbar(editor));
  };
  const send = async () => {
    const lack = editor.missing();
    fault.hidden = !lack; fault.textContent = lack || '';
    if (lack) return;
    try {
      const result = await app.outbox.send(`/api/adjudications/${encodeURIComponent(about.item)}`, { client_id: newId(), version: about.version, answer: editor.answer(), comment: comment.value.trim() });
      say('Decided.');
      if (place.isConnected) await app.go('/adjudicate');
      void result;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      fault.hidden = false;
      fault.textContent = error.code === 'conflict' ? 'Another reviewer has decided this item meanwhile. ' : error.message;
      if (error.code === 'conflict') fault.append(button('See that decision', async () => decide(place, task, await get(`/api/adjudications/${encodeURIComponent(about.item)}`))));
    }
  };
  app.leave = () => stop();
  place.replaceChildren(
    el('div', { class: 'row head' }, el('h1', { tabindex: -1 }, 'Decide'), el('span', { class: 'hint' }, `Disagreement ${percent(about.disagreement)}`)),
    el('div', { class: 'side-by-side answers' }, about.answers.map(each => el('section', {}, el('h3', {}, `Person ${each.person}`), task.show(about.content, each.answer), button(`Start from ${each.person}`, () => start(each.answer), { 'data-start': each.person })))),
    about.decision ? el('section', { class: 'decision' }, el('h3', {}, `Decided by ${about.decision.person}`), task.show(about.content, about.decision.answer)) : '',
    desk, field('Reason', comment, 'optional'), fault,
    el('div', { class: 'row end' }, el('a', { href: '/adjudicate' }, 'Back'), button('Decide', send, { class: 'main', 'data-decide': true })));
  start(about.decision?.answer || about.answers[0]?.answer || null);
}
