// The start page of a server with several projects: those in which this browser is signed in.
import { get } from './api.js';
import { button, el } from './dom.js';

const line = each => el('li', {}, el('a', { href: each.path }, each.name), ` – ${each.title} `, el('small', {}, `as ${each.person}, ${each.role}`));

async function show() {
  const main = document.getElementById('main'), title = el('h1', {}, 'Projects');
  try {
    const { projects } = await get('/api/projects');
    const hint = projects.length ? 'Other projects are not listed before you sign in to them. ' : 'You are not signed in to any project of this server. ';
    main.replaceChildren(title, ...(projects.length ? [el('ul', {}, projects.map(line))] : []), el('p', {}, hint, 'Open the address of a project to sign in, or the link that you were sent.'));
  } catch (error) { main.replaceChildren(title, el('p', {}, error.message), button('Try again', show)); }
  document.documentElement.dataset.ready = 'yes';
}
show();
