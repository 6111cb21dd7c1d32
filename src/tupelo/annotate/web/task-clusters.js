// Clusters as cards. Choose members, then split them off, move them, or merge whole clusters; names can be changed.
import { Editor } from './editor.js';
import { button, el } from './dom.js';

export class Component extends Editor {
  begin(answer) {
    const clusters = answer?.clusters || this.content.clusters.map(each => ({ name: each.name, members: each.members.map(member => member.id) }));
    return { clusters, chosen: [], touched: Boolean(answer) };
  }
  get members() { return this.known ||= new Map(this.content.clusters.flatMap(each => each.members.map(member => [member.id, member]))); }
  choose(ids, on) {
    const chosen = on ? [...new Set([...this.state.chosen, ...ids])] : this.state.chosen.filter(id => !ids.includes(id));
    this.set({ ...this.state, chosen }, `${chosen.length} chosen`);
  }
  // The chosen members go to one cluster; clusters that become empty are gone.
  gather(target, said) {
    const { chosen, clusters } = this.state, left = clusters.map((each, place) => ({ name: each.name, members: place === target ? [...each.members, ...chosen.filter(id => !each.members.includes(id))] : each.members.filter(id => !chosen.includes(id)) }));
    if (target === null) left.push({ name: this.members.get(chosen[0]).text, members: chosen });
    const clustersNow = left.filter(each => each.members.length);
    this.set({ ...this.state, clusters: clustersNow, chosen: [], touched: true }, said);
  }
  merge() {
    const { chosen, clusters } = this.state, places = clusters.flatMap((each, place) => each.members.some(id => chosen.includes(id)) ? [place] : []);
    const [first] = places, members = places.flatMap(place => clusters[place].members);
    const merged = clusters.flatMap((each, place) => place === first ? [{ name: longest(places.map(p => clusters[p])), members }] : places.includes(place) ? [] : [each]);
    this.set({ ...this.state, clusters: merged, chosen: [], touched: true }, `${places.length} clusters merged`);
  }
  touches() { return this.state.clusters.filter(each => each.members.some(id => this.state.chosen.includes(id))).length; }
  draw() {
    const { clusters, chosen } = this.state, many = this.touches();
    const whole = many === 1 && clusters.some(each => each.members.length === chosen.length && each.members.every(id => chosen.includes(id)));
    return [
      el('p', { class: 'hint' }, 'What means the same belongs in one cluster. Choose members, then say what to do with them.'),
      el('div', { class: 'row sticky', role: 'toolbar', 'aria-label': 'Do with the chosen members' },
        el('span', {}, `${chosen.length} chosen`),
        button('Merge their clusters', () => this.merge(), { disabled: many < 2, 'data-place': 'merge', title: 'Key m' }),
        button('Split off', () => this.gather(null, 'Split off.'), { disabled: !chosen.length || whole, 'data-place': 'split', title: 'Key x' }),
        button('Choose none', () => this.set({ ...this.state, chosen: [] }, 'None chosen'), { disabled: !chosen.length, class: 'quiet', 'data-place': 'none' })),
      el('div', { class: 'cards' }, clusters.map((each, place) => el('section', { class: 'card', 'aria-label': `Cluster ${each.name}` },
        el('input', { type: 'text', class: 'name', maxlength: 200, value: each.name, 'aria-label': 'Name of the cluster', 'data-place': `name-${place}`, oninput: event => this.amend({ ...this.state, touched: true, clusters: this.state.clusters.map((other, at) => at === place ? { ...other, name: event.target.value } : other) }) }),
        el('ul', { class: 'plain' }, each.members.map(id => { const member = this.members.get(id); return el('li', {}, el('label', { class: 'check' }, el('input', { type: 'checkbox', checked: chosen.includes(id), 'data-place': `member-${id}`, onchange: event => this.choose([id], event.target.checked) }), ' ', el('span', {}, member.text)), member.context && el('small', {}, member.context)); })),
        el('div', { class: 'row' },
          each.members.length > 1 && button('Choose all', () => this.choose(each.members, true), { class: 'quiet', 'aria-label': `Choose all of ${each.name}`, 'data-place': `all-${place}` }),
          chosen.length && !each.members.some(id => chosen.includes(id)) ? button('Move here', () => this.gather(place, `Moved to ${each.name}`), { 'aria-label': `Move to ${each.name}`, 'data-place': `here-${place}` }) : null)))),
      el('label', { class: 'check' }, el('input', { type: 'checkbox', checked: this.state.touched, 'data-place': 'touched', onchange: event => this.set({ ...this.state, touched: event.target.checked }) }), ' I have looked at every cluster'),
    ];
  }
  answer() { return { clusters: this.state.clusters.map(each => ({ name: each.name.trim(), members: each.members })) }; }
  missing() {
    if (this.state.clusters.some(each => !each.name.trim())) return 'A cluster has no name.';
    return this.state.touched ? null : 'Nothing was changed. Tick that you have looked at every cluster.';
  }
  press(event) {
    if (event.key === 'm' && this.touches() > 1) this.merge();
    else if (event.key === 'x' && this.state.chosen.length) this.gather(null, 'Split off.');
    else return false;
    return true;
  }
  keys() { return [['Tab space', 'walk over members, choose one'], ['m', 'merge the clusters of what is chosen'], ['x', 'split the chosen members off']]; }
}

const longest = clusters => [...clusters].sort((a, b) => b.members.length - a.members.length)[0].name;

export function show(content, answer) {
  const members = new Map(content.clusters.flatMap(each => each.members.map(member => [member.id, member.text])));
  return el('div', { class: 'shown cards' }, answer.clusters.map(each => el('section', { class: 'card' }, el('h3', {}, each.name), el('ul', {}, each.members.map(id => el('li', {}, members.get(id) ?? id))))));
}
