// A task's component is the module of its name: `Component`, an Editor, and `show(content, answer)`, which only reads.
export async function load(name) {
  if (!/^[a-z][a-z0-9-]*$/.test(name)) throw new Error('no such task');
  return import(`./task-${name}.js`);
}
