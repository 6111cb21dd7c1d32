// How the project stands: progress, pace, agreement, people.
import { get } from './api.js';
import { bars, line } from './charts.js';
import { button, el, number, percent } from './dom.js';
import { app } from './main.js';
import { batchTable } from './page-review.js';

const tile = (name, value, more) => el('div', { class: 'tile' }, el('small', {}, name), el('b', {}, value), more && el('span', { class: 'hint' }, more));
const table = (caption, head, rows) => el('div', { class: 'wide', tabindex: 0, role: 'group', 'aria-label': 'A table, to scroll' }, el('table', {}, el('caption', {}, caption), el('thead', {}, el('tr', {}, head.map(name => el('th', { scope: 'col' }, name)))), el('tbody', {}, rows.map(row => el('tr', {}, row.map(value => el('td', {}, value)))))));
const seconds = value => value === null || value === undefined ? '–' : `${Math.round(value)} s`;

const hour = (time, several) => new Date(time).toLocaleString('en-GB', several ? { day: '2-digit', month: 'short' } : { hour: '2-digit', minute: '2-digit' });

export async function dashboard() {
  const [about, { batches }] = await Promise.all([get('/api/dashboard'), get('/api/batches')]);
  const { progress, pace, people, agreement, preannotation } = about;
  const counted = people.filter(each => each.answers);
  const questions = Object.entries(agreement.questions), several = new Set(pace.map(each => new Date(each.hour).toDateString())).size > 1;
  return [
    el('div', { class: 'row head' }, el('h1', {}, 'Dashboard'), button('Refresh', () => app.go('/dashboard', true))),
    el('div', { class: 'tiles' },
      tile('Answers', `${progress.answers}`, `of ${progress.answers_wanted} wanted`), tile('Items done', `${progress.items_done}`, `of ${progress.items}`),
      tile('Adjudicated', String(progress.adjudicated)), tile('Being worked on', String(progress.leased)), tile('Skipped', String(progress.skipped)), tile('Median time', seconds(about.median_seconds), 'per answer'),
      tile(app.session.project.writes === 'tuples' ? 'Agreement (CaRB F1)' : 'Agreement (grade)', number(agreement.grade), `${agreement.pairs} pairs of answers`)),
    el('progress', { class: 'whole', max: progress.answers_wanted || 1, value: progress.answers, 'aria-label': 'Answers of those wanted' }),
    el('div', { class: 'charts' },
      line('Pace: answers per hour', pace.map(each => ({ name: hour(each.hour, several), value: each.answers }))),
      bars('Answers per person', counted.map(each => ({ name: each.name, value: each.answers }))),
      bars('Agreement with others', counted.map(each => ({ name: each.name, value: each.agreement })), { most: 1, label: value => value === null || value === undefined ? '–' : number(value) })),
    questions.length ? table('Agreement by question', ['Question', 'Level', 'Krippendorff’s alpha', '95 % interval', 'Fleiss’ kappa', 'Equal', 'Units'], questions.map(([name, each]) => [name, each.level, number(each.alpha), each.alpha_low === null || each.alpha_low === undefined ? '–' : `${number(each.alpha_low)} – ${number(each.alpha_high)}`, number(each.fleiss), percent(each.percent), String(each.units)])) : null,
    questions.some(([, each]) => Object.keys(each.cohen || {}).length) ? table('Cohen’s kappa of pairs of people', ['Question', 'Pair', 'Kappa'], questions.flatMap(([name, each]) => Object.entries(each.cohen || {}).map(([pair, value]) => [name, pair, number(value)]))) : null,
    table('People', ['Name', 'Role', 'State', 'Answers', 'Median time', 'Agreement', 'Insurgency', 'Controls missed', 'Batches accepted / returned', 'Test'], people.map(each => [each.name, each.role, each.active === false ? 'left' : each.state, String(each.answers), seconds(each.median_seconds), number(each.agreement), percent(each.insurgency), `${each.controls.missed} of ${each.controls.seen}`, `${each.batches.accepted} / ${each.batches.returned}`, percent(each.qualification)])),
    preannotation && (preannotation.with?.answers || app.session.project.preannotation) ? table('With and without suggestions of the machine', ['', 'Answers', 'Median time', 'Suggestion kept unchanged'], ['with', 'without'].map(name => [name, String(preannotation[name].answers), seconds(preannotation[name].median_seconds), percent(preannotation[name].kept_unchanged)])) : null,
    batchTable(batches),
  ].filter(Boolean);
}
