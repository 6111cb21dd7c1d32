// The frame around every page: who is signed in, where one can go, and which module draws the page.
import { get, Offline, post, Refused, remember } from './api.js';
import { base, button, el, notice } from './dom.js';
import { Outbox } from './outbox.js';

const EVERYBODY = ['annotator', 'reviewer', 'admin'], CHECKERS = ['reviewer', 'admin'];
// Pattern of the path, module, function, title, who may see it (null: nobody needs to be signed in).
const ROUTES = [
  [/^\/login$/, 'enter', 'login', 'Sign in', null],
  [/^\/invite\/([^/]+)$/, 'enter', 'invite', 'Invitation', null],
  [/^\/enter\/([^/]+)$/, 'enter', 'enter', 'Sign in', null],
  [/^\/$/, 'work', 'home', 'Start', EVERYBODY],
  [/^\/tutorial$/, 'training', 'tutorial', 'Tutorial', EVERYBODY],
  [/^\/test$/, 'training', 'test', 'Test', EVERYBODY],
  [/^\/work(?:\/(\d+))?$/, 'work', 'work', 'Work', EVERYBODY],
  [/^\/done$/, 'work', 'done', 'My answers', EVERYBODY],
  [/^\/review$/, 'review', 'review', 'Review', CHECKERS],
  [/^\/adjudicate$/, 'review', 'queue', 'Adjudication', CHECKERS],
  [/^\/adjudicate\/(.+)$/, 'review', 'adjudicate', 'Adjudication', CHECKERS],
  [/^\/dashboard$/, 'dashboard', 'dashboard', 'Dashboard', CHECKERS],
  [/^\/people$/, 'admin', 'people', 'People', ['admin']],
  [/^\/items$/, 'admin', 'items', 'Items', ['admin']],
  [/^\/items\/(.+)$/, 'admin', 'item', 'Item', ['admin']],
  [/^\/export$/, 'admin', 'exchange', 'Export', ['admin']],
  [/^\/tokens$/, 'access', 'tokens', 'Tokens', ['admin']],
  [/^\/audit$/, 'access', 'audit', 'Audit log', ['admin']],
  [/^\/account$/, 'enter', 'account', 'Account', EVERYBODY],
];
const LINKS = [['/work', 'Work', EVERYBODY], ['/done', 'My answers', EVERYBODY], ['/review', 'Review', CHECKERS], ['/adjudicate', 'Adjudication', CHECKERS], ['/dashboard', 'Dashboard', CHECKERS], ['/people', 'People', ['admin']], ['/items', 'Items', ['admin']], ['/export', 'Export', ['admin']], ['/tokens', 'Tokens', ['admin']], ['/audit', 'Audit', ['admin']]];
// The path of a page within its project.
const here = () => location.pathname.slice(base.length) || '/';

// What pages share. `go` shows another page, `session` is what the server said last.
export const app = {
  session: null, outbox: null, leave: null,
  get person() { return this.session?.person || null; },
  async go(path, replace = false) {
    history[replace ? 'replaceState' : 'pushState'](null, '', base + path);
    await show();
  },
  enter(session) {
    this.session = remember(session);
    if (session.person && this.outbox?.person !== session.person.id) this.outbox = new Outbox(session.person.id);
    this.outbox?.flush();
    header();
  },
};

export async function signOut() {
  // Whoever is signed out already gets to the same place.
  try { await post('/api/logout'); } catch (error) { if (!(error instanceof Refused)) { notice(error.message, 'warn'); return; } }
  location.assign(`${base}/login`);
}

function header() {
  const { person, project } = app.session, path = here();
  const ready = person && (person.role !== 'annotator' || person.state === 'working');
  document.getElementById('top').replaceChildren(
    base ? el('a', { href: `${location.origin}/` }, 'Projects') : '',
    el('b', { class: 'project' }, project.name),
    person ? el('nav', { 'aria-label': 'Pages' }, LINKS.filter(([, , roles]) => roles.includes(person.role) && ready).map(([to, label]) =>
      el('a', { href: to, 'aria-current': path === to || path.startsWith(`${to}/`) ? 'page' : null }, label))) : '',
    person ? el('span', { class: 'who' }, el('a', { href: '/account', 'aria-label': `Account of ${person.name}` }, person.name), button('Sign out', signOut, { class: 'quiet' })) : '');
}

// Counts pages. Whoever goes on before a page is there must not see it replace the next one.
let turn = 0;

async function show() {
  const mine = ++turn, overtaken = () => mine !== turn;
  app.leave?.(); app.leave = null;
  const main = document.getElementById('main'), path = here();
  document.documentElement.dataset.ready = 'no';
  const found = ROUTES.find(([pattern]) => pattern.test(path));
  if (!app.session) {
    try { app.enter(await get('/api/session')); }
    catch (error) { if (overtaken()) return; main.replaceChildren(el('p', {}, 'The server cannot be reached. '), button('Try again', show)); document.documentElement.dataset.ready = 'yes'; return; }
  }
  if (overtaken()) return;
  header(); notice('');
  const [pattern, module, name, title, roles] = found || [null, null, null, 'No such page', null];
  document.title = `${title} – ${app.session.project.name}`;
  if (roles && !app.person) { await app.go(`/login?to=${encodeURIComponent(path)}`, true); return; }
  try {
    if (!found) main.replaceChildren(el('h1', {}, 'No such page'), el('a', { href: '/' }, 'To the start'));
    else if (roles && !roles.includes(app.person.role)) main.replaceChildren(el('h1', {}, 'Not for you'), el('p', {}, 'This page needs another role. Ask whoever runs the project.'), el('a', { href: '/' }, 'To the start'));
    else {
      const code = await import(`./page-${module}.js`);
      if (overtaken()) return;
      // What the page shows, or the path of the page that takes its place.
      const nodes = await code[name](...(pattern.exec(path).slice(1).map(part => part === undefined ? part : decodeURIComponent(part))));
      if (overtaken()) return;
      if (typeof nodes === 'string') { await app.go(nodes, true); return; }
      main.replaceChildren(...[nodes].flat(Infinity).filter(Boolean));
    }
  } catch (error) {
    if (overtaken()) return;
    if (error instanceof Refused && error.status === 401) { app.session = null; await app.go(`/login?to=${encodeURIComponent(path)}`, true); return; }
    main.replaceChildren(el('h1', {}, error instanceof Offline ? 'No connection' : 'That did not work'), el('p', {}, error.message), button('Try again', show, { class: 'main' }));
    if (!(error instanceof Offline || error instanceof Refused)) console.error(error);
  }
  document.documentElement.dataset.ready = 'yes';
  if (!main.contains(document.activeElement)) (main.querySelector('[autofocus]') || main).focus({ preventScroll: true });
}

document.addEventListener('click', event => {
  const link = event.target.closest?.('a[href^="/"]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button || link.hasAttribute('download')) return;
  event.preventDefault();
  app.go(link.getAttribute('href').slice(base.length));
});
addEventListener('popstate', show);
addEventListener('tupelo:signed-out', () => {
  notice('You are signed out. Your answers are kept on this device and will be sent when you have signed in again. ', 'warn');
  document.getElementById('notice').append(el('a', { href: '/login?to=/work' }, 'Sign in'));
});
show();
