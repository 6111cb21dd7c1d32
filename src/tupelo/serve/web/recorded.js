// What `ask.js` is for a page without a server: the replies were recorded when the page was written.
const { about, replies } = JSON.parse(document.getElementById('data').textContent);
const key = (path, body) => JSON.stringify([path, Object.entries(body).sort()]);

export async function ask(path, body) {
  const found = replies[key(path, body)];
  if (found === undefined) throw new Error('This page shows one text and has no server. The command tupelo serve opens one for any text.');
  return found;
}

export const look = async () => about;
