// Tutorial step by step, then the test. Both are files of the project; the task's own component asks the questions.
import { get, newId, post } from './api.js';
import { button, el, percent, prose, say } from './dom.js';
import { app } from './main.js';
import { keyboard, toolbar } from './page-work.js';
import { load } from './tasks.js';

export async function tutorial() {
  const task = await load(app.session.project.task), { steps } = await get('/api/tutorial');
  if (!steps.length) { app.enter(await post('/api/tutorial', { done: true })); return '/'; }
  const place = el('div');
  const go = at => { place.replaceChildren(...step(task, steps, at, go)); place.querySelector('h1').focus(); scrollTo(0, 0); };
  place.replaceChildren(...step(task, steps, 0, go));
  return place;
}

function step(task, steps, at, go) {
  app.leave?.(); app.leave = null;
  const { title, text, content, practice } = steps[at], last = at + 1 === steps.length;
  const next = button(last ? 'To the test' : 'Next step', async () => {
    if (!last) { go(at + 1); return; }
    app.enter(await post('/api/tutorial', { done: true }));
    await app.go('/', true);
  }, { class: practice ? '' : 'main', 'data-next': true });
  const parts = [
    el('ol', { class: 'steps', 'aria-label': 'Steps of the tutorial' }, steps.map((each, number) => el('li', { class: number < at ? 'past' : null, 'aria-current': number === at ? 'step' : null }, each.title))),
    el('h1', { tabindex: -1 }, title), prose(text),
  ];
  if (practice) {
    const verdict = el('div', { class: 'verdict', role: 'status' });
    const editor = new task.Component({ content });
    const check = button('Check my answer', async () => {
      const lack = editor.missing();
      if (lack) { verdict.replaceChildren(el('p', { class: 'fault' }, lack)); return; }
      const result = await post(`/api/tutorial/${steps[at].index}`, { answer: editor.answer() });
      verdict.replaceChildren(
        el('p', { class: result.right ? 'right' : 'wrong' }, result.right ? `Right (${percent(result.score)}).` : `Not quite (${percent(result.score)}). Compare with the key, change your answer and check again, or go on.`),
        el('h3', {}, 'Key'), task.show(content, result.gold), ...prose(result.explanation || ''));
      next.classList.add('main'); check.classList.remove('main');
      say(result.right ? 'Right.' : 'Not quite.');
    }, { class: 'main', 'data-check': true });
    app.leave = keyboard(editor, { submit: () => check.click() });
    parts.push(el('section', { class: 'practice', 'aria-label': 'Practice' }, el('h2', {}, 'Try it'), editor.node, toolbar(editor), el('div', { class: 'row' }, check), verdict));
  } else if (content) parts.push(el('section', { class: 'practice' }, content.text || ''));
  return [...parts.flat(Infinity), el('div', { class: 'row end' }, at ? button('Step before', () => go(at - 1)) : '', next)];
}

export async function test() {
  const task = await load(app.session.project.task), exam = await get('/api/qualification');
  if (!exam.items.length || app.person.state === 'working') return '/';
  if (!exam.attempts_left) return failed(exam.last);
  const answers = new Map(), place = el('div'), editors = new Map();
  const go = at => { place.replaceChildren(...question(at)); place.querySelector('h1').focus(); scrollTo(0, 0); };
  const question = at => {
    app.leave?.();
    const { id, content } = exam.items[at], last = at + 1 === exam.items.length;
    if (!editors.has(id)) editors.set(id, new task.Component({ content }));
    const editor = editors.get(id), fault = el('p', { class: 'fault', role: 'alert', hidden: true });
    const next = button(last ? 'Hand in the test' : 'Next question', async () => {
      const lack = editor.missing();
      fault.hidden = !lack; fault.textContent = lack || '';
      if (lack) return;
      answers.set(id, editor.answer());
      if (!last) { go(at + 1); return; }
      next.disabled = true;
      try {
        const result = await app.outbox.send('/api/qualification', { client_id: newId(), answers: Object.fromEntries(answers) });
        app.session.person = result.person; app.enter(app.session);
        place.replaceChildren(...outcome(task, exam, result));
        place.querySelector('h1').focus();
      } catch (error) { fault.hidden = false; fault.textContent = error.message; next.disabled = false; }
    }, { class: 'main', 'data-next': true });
    app.leave = keyboard(editor, { submit: () => next.click() });
    return [el('h1', { tabindex: -1 }, `Test: question ${at + 1} of ${exam.items.length}`), el('p', { class: 'hint' }, `Pass mark ${percent(exam.pass_mark)}. Attempts left: ${exam.attempts_left}.`),
      editor.node, toolbar(editor), fault, el('div', { class: 'row end' }, at ? button('Question before', () => go(at - 1)) : '', next)];
  };
  place.replaceChildren(...question(0));
  return place;
}

function outcome(task, exam, result) {
  app.leave?.(); app.leave = null;
  const rows = exam.items.filter(({ id }) => result.items[id]).map(({ id, content }, number) => el('details', {}, el('summary', {}, `Question ${number + 1}: ${percent(result.items[id].score)}`), result.items[id].gold ? [el('h3', {}, 'Key'), task.show(content, result.items[id].gold)] : el('p', { class: 'hint' }, 'The key is shown when you have passed.')));
  const rest = result.passed ? button('Start working', () => app.go('/work'), { class: 'main' })
    : result.attempts_left ? el('div', { class: 'row' }, button('Look at the tutorial again', () => app.go('/tutorial')), button('Try again', () => app.go('/test'), { class: 'main' })) : el('p', {}, 'There are no attempts left. Ask whoever runs the project.');
  return [el('h1', { tabindex: -1 }, result.passed ? 'Passed' : 'Not passed'), el('p', { class: result.passed ? 'right' : 'wrong' }, `Your result is ${percent(result.score)}, the pass mark ${percent(exam.pass_mark)}.`), ...rows, rest];
}

const failed = last => [el('h1', {}, 'Not passed'), el('p', {}, `Thank you for trying${last ? ` (${percent(last.score)})` : ''}. There are no attempts left; whoever runs the project can give you another one.`)];
