// Invitation, sign-in, and the account of whoever is signed in.
import { get, post, Refused } from './api.js';
import { button, el, field, notice } from './dom.js';
import { app, signOut } from './main.js';

function form(label, inputs, act) {
  const fault = el('p', { class: 'fault', role: 'alert', hidden: true });
  const submit = el('button', { type: 'submit', class: 'main' }, label);
  return el('form', { class: 'narrow', novalidate: true, onsubmit: async event => {
    event.preventDefault();
    fault.hidden = true; submit.disabled = true; submit.textContent = 'One moment …';
    try { await act(); }
    catch (error) { fault.textContent = error.message; fault.hidden = false; (error.field && event.target.querySelector(`[name="${CSS.escape(error.field)}"]`) || inputs[0].querySelector('input'))?.focus(); }
    finally { submit.disabled = false; submit.textContent = label; }
  } }, inputs, fault, submit);
}

const input = (name, type, autocomplete, more = {}) => el('input', { name, type, autocomplete, required: true, maxlength: 200, ...more });

// The form goes as soon as the account is there; the next page takes a moment.
async function entered(session, to) {
  app.enter(session);
  document.getElementById('main').replaceChildren(el('p', { class: 'waiting', role: 'status' }, 'Opening …'));
  await app.go(to, true);
}

// Only a place on this server, and never one that begins a new address.
const next = () => { const to = new URLSearchParams(location.search).get('to') || '/'; return /^\/(?![/\\])/.test(to) ? to : '/'; };

export function login() {
  const name = input('name', 'text', 'username', { autofocus: true }), password = input('password', 'password', 'current-password');
  return [el('h1', {}, 'Sign in'), form('Sign in', [field('Name', name), field('Password', password)], async () => {
    await entered(await post('/api/login', { name: name.value, password: password.value }), next());
  }), el('p', { class: 'hint' }, 'No account yet? Open the invitation link that you were given.')];
}

export async function invite(token) {
  let about;
  try { about = await get(`/api/invitations/${encodeURIComponent(token)}`); }
  catch (error) {
    if (!(error instanceof Refused)) throw error;
    return [el('h1', {}, 'This invitation cannot be used'), el('p', {}, 'It was used already, it has expired, or the link is not complete. Ask for a new one.'), el('a', { href: '/login' }, 'Sign in')];
  }
  const name = input('name', 'text', 'username', { autofocus: true, value: about.label || '' }), password = input('password', 'password', 'new-password', { minlength: 10 });
  const participant = new URLSearchParams(location.search).get('participant');
  return [el('h1', {}, 'Welcome'), el('p', {}, 'You are invited to ', el('b', {}, about.project), ` as ${about.role === 'annotator' ? 'an annotator' : about.role === 'admin' ? 'an administrator' : 'a reviewer'}.`),
    form('Create account', [field('Your name', name, 'Others in the project may see it.'), field('Choose a password', password, 'At least 10 characters.')], async () => {
      await entered(await post(`/api/invitations/${encodeURIComponent(token)}`, { name: name.value, password: password.value, ...(participant ? { participant } : {}) }), '/');
    })];
}

// The link works once, so a person presses the button and not a program that looks at links.
export function enter(token) {
  return [el('h1', {}, 'Sign in'), form('Sign in with this link', [], async () => {
    await entered(await post(`/api/enter/${encodeURIComponent(token)}`), '/');
  })];
}

export function account() {
  const old = input('old', 'password', 'current-password'), fresh = input('new', 'password', 'new-password', { minlength: 10 });
  return [el('h1', {}, app.person.name), el('p', {}, `Role: ${app.person.role}`), el('h2', {}, 'Change password'),
    form('Change', [field('Password now', old), field('New password', fresh, 'At least 10 characters.')], async () => {
      app.enter(await post('/api/password', { old: old.value, new: fresh.value }));
      old.value = fresh.value = '';
      notice('Password changed.');
    }), el('h2', {}, 'Your data'), el('p', {}, 'Everything that the project holds on you, as a file. Whoever runs the project can erase it.'), el('p', {}, el('a', { href: '/api/account/data', download: '', class: 'button', 'data-own': true }, 'Download my data')),
    el('p', {}, button('Sign out', signOut))];
}
