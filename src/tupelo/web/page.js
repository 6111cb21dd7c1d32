// The page: what is shown, what is chosen, and the panel beside the picture. All text goes in as text, never as markup.
import { button, el, say } from './dom.js';
import { icon, namings, save, timeline } from './entity.js';
import { marked, places } from './marks.js';
import { Embedded, Served } from './source.js';
import { suggesting } from './suggest.js';
import { View, cut } from './view.js';

const $ = id => document.getElementById(id);
const counted = (number, one, many = one + 's') => `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
const LISTED = 200, QUOTED = 4, PAST = 30, AT_ONCE = 2000;
const ENDED = /[.!?…:;,][)"'’”\]]*\s*$/;
const QUESTION = /\?\s*$|^(who|what|when|where|which|why|how|whose|is|are|was|were|did|does|do|has|have)\b/i, PATTERN = /(^|\s)\?\w/;

// An answer to a question or a pattern, or a sentence, as a title with its evidence; the words of an answer are marked.
function answered(one) {
  if (one.bindings) return { title: [...new Set(one.edges.flatMap(edge => [edge.subject.name, edge.object.name]))].join(', '), confidence: one.confidence, evidence: one.edges.flatMap(edge => edge.evidence || []) };
  if (!one.answer) return one.sentence ? { evidence: [one] } : one;
  return { title: one.answer, confidence: one.confidence, evidence: one.evidence.map(said => ({ ...said, marks: places(one.answer, said.sentence, 'found') })) };
}

class Page {
  constructor(data) {
    this.data = data;
    this.source = data.served ? new Served(data) : new Embedded(data);
    this.types = new Map(data.types.map(type => [type.name, type]));
    this.nodes = new Map(); this.edges = new Map(); this.expanded = new Map(); this.past = [];
    this.chosen = null; this.path = null; this.hops = null; this.stage = null;
    this.filters = { hidden: new Set(), stances: new Set(['asserted']), confidence: 0, rank: 0, source: '', until: null };
    this.view = new View($('picture'), data.types, {
      node: id => this.hops ? this.showPath(this.hops, id) : this.choose(id), open: id => this.expand(id), paper: () => this.choose(null), moved: () => this.told(),
      region: group => { this.choose(null); if (data.communities[group]) this.showCommunity(group); },
      bundle: edges => edges.length > 1 ? this.showBundle(edges) : this.showStatement(edges[0]),
    });
    this.bindSearch(); this.bindFilters(); this.bindTools();
  }
  async begin() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    await this.home();
    for (const name of wanted.getAll('hide')) this.filters.hidden.add(name);
    if (wanted.has('stance')) this.filters.stances = new Set(wanted.getAll('stance'));
    this.filters.confidence = Number(wanted.get('confidence')) || 0; this.filters.rank = Number(wanted.get('rank')) || 0;
    this.showFilters(); this.filtered();
    for (const id of wanted.getAll('entity')) { await this.expand(id); this.alone(id); }
    if (wanted.has('ask')) await this.answer(wanted.get('ask'));
    if (wanted.has('document')) await this.showDocument(wanted.get('document'));
  }
  // The main entities, as at first.
  async home() {
    this.keep();
    this.nodes.clear(); this.edges.clear(); this.expanded.clear();
    this.chosen = null;
    await this.add(await this.source.start());
    this.view.fit();
    this.choose(null);
  }
  // The state before a change, for undo.
  keep() {
    if (this.nodes.size) this.past.push({ nodes: new Map(this.nodes), edges: new Map(this.edges), expanded: new Map(this.expanded), places: new Map(this.view.places), chosen: this.chosen });
    if (this.past.length > PAST) this.past.shift();
    $('undo').disabled = !this.past.length;
  }
  undo() {
    const before = this.past.pop();
    if (!before) return;
    this.view.run++;
    Object.assign(this, { nodes: before.nodes, edges: before.edges, expanded: before.expanded });
    this.view.places = before.places; this.view.cy.elements().remove();
    this.refresh();
    this.view.surround([...this.nodes.values()], this.data.communities.map(group => group.name));
    this.choose(this.nodes.has(before.chosen) ? before.chosen : null);
    $('undo').disabled = !this.past.length;
    say('undone');
  }
  // Adds what was found to the picture, and arranges it anew if anything is new; `near` is where new nodes come from.
  async add(found, near = null) {
    const before = this.nodes.size + this.edges.size, from = this.nodes.get(near), place = this.view.places.get(near) || [0, 0];
    for (const node of found.nodes) {
      if (this.nodes.has(node.id)) continue;
      this.nodes.set(node.id, { ...node, community: node.community ?? from?.community ?? -1 });
      if (!this.view.places.has(node.id)) this.view.places.set(node.id, place);
    }
    for (const edge of found.edges) this.edges.set(edge.id, edge);
    if (this.nodes.size + this.edges.size > before) await this.arrange();
    this.refresh();
  }
  passes(edge) {
    const { hidden, stances, confidence, rank, source, until } = this.filters;
    return edge.confidence >= confidence && (edge.rank ?? 1) >= rank && stances.has(edge.stance) && (!source || edge.sources?.includes(source))
      && (until === null || !edge.years || edge.years[0] <= until) && !hidden.has(this.nodes.get(edge.s).type) && !hidden.has(this.nodes.get(edge.o).type);
  }
  // What is visible follows from the filters; nothing moves, so that the eye finds everything where it was.
  refresh() {
    const edges = [...this.edges.values()].filter(edge => this.passes(edge)), used = new Set(edges.flatMap(edge => [edge.s, edge.o]));
    if (this.chosen !== null) used.add(this.chosen);
    const visible = [...this.nodes.values()].filter(node => used.has(node.id));
    this.view.show(visible, edges, { chosen: this.chosen, path: this.path, stage: this.stage });
    const of = (shown, all, what) => `${shown.toLocaleString('en')} of ${counted(all, ...what)}`;
    $('counts').textContent = `${of(visible.length, this.data.total.nodes, ['entity', 'entities'])} · ${of(edges.length, this.data.total.edges, ['edge'])}`;
  }
  // All nodes that were asked for, whatever the filters show of them.
  async arrange() {
    document.documentElement.dataset.arranging = 'yes';
    if (await this.view.arrange([...this.nodes.values()], [...this.edges.values()], this.data.communities.map(group => group.name))) document.documentElement.dataset.arranging = 'no';
  }

  // Search.
  bindSearch() {
    const box = $('search');
    suggesting(box, $('results'), {
      find: text => this.source.search(text), pick: node => this.bring(node), ask: text => this.answer(text), asks: text => QUESTION.test(text) || PATTERN.test(text),
      line: node => [this.icon(node.type), el('span', { class: 'name' }, node.name, el('span', { class: 'soft about' }, ' ', node.type, node.description ? ' · ' + cut(node.description, 60) : ''))],
    });
    box.focus({ preventScroll: true });
    document.addEventListener('keydown', event => {
      if (event.key === '/' && !/INPUT|TEXTAREA|SELECT/.test(document.activeElement.tagName)) { box.focus(); box.select(); event.preventDefault(); }
      else if (event.key === 'Escape' && document.activeElement !== box) this.choose(null);
    });
  }
  // A node with its best neighbours, in the middle of the picture.
  async bring(node) {
    if (this.hops) return this.showPath(this.hops, node.id);
    if (this.expanded.has(node.id)) this.choose(node.id); else await this.expand(node.id, node);
    this.alone(node.id);
  }
  // Only a node with what is around it.
  alone(id) {
    if (this.chosen !== id) return;
    this.stage = [id]; this.refresh();
    this.view.fit(this.view.near.nodes().map(one => one.id()), true);
  }
  async expand(id, node = null) {
    const before = this.edges.size, offset = this.expanded.get(id) || 0;
    const found = await this.source.neighbours(id, offset).catch(error => { say(error.message); return null; });
    if (!found) return;
    this.keep();
    this.expanded.set(id, offset + found.edges.length);
    if (node && !this.nodes.has(id)) this.nodes.set(id, { ...node, community: node.community ?? -1 });
    if (!this.nodes.has(id) && !found.nodes.some(one => one.id === id)) return;
    Object.assign(this, { chosen: id, path: null, stage: null });
    await this.add(found, id);
    this.choose(id);
    say(`${this.edges.size - before} more edges`);
  }
  around(id) { return [...this.edges.values()].filter(edge => edge.s === id || edge.o === id); }

  // Filters.
  chip(box, ...words) { return el('label', { class: 'chip' }, box, ...words); }
  bindFilters() {
    const { filters, data } = this, years = (data.span || []).length === 2;
    this.boxes = [];
    const check = (set, name, inverse, ...words) => {
      const box = el('input', { type: 'checkbox', checked: set().has(name) !== inverse, onchange: () => {
        if (box.checked !== inverse) set().add(name); else set().delete(name);
        this.showFilters(); this.filtered();
      } });
      this.boxes.push(() => { box.checked = set().has(name) !== inverse; });
      return this.chip(box, ...words);
    };
    for (const { name, count } of data.types) $('types').append(check(() => filters.hidden, name, true, this.icon(name), el('span', { class: 'type' }, name), count ? el('span', { class: 'soft' }, count.toLocaleString('en')) : ''));
    for (const { name, meaning, edges } of data.stances) $('stances').append(check(() => filters.stances, name, false, el('span', { class: 'line ' + name }), el('span', { class: 'name' }, name, el('span', { class: 'soft about' }, meaning)), el('span', { class: 'soft' }, edges.toLocaleString('en'))));
    for (const [id, key] of [['confidence', 'confidence'], ['rank', 'rank'], ['until', 'until']]) $(id).addEventListener('input', () => {
      filters[key] = Number($(id).value);
      if (key === 'until' && filters.until === data.span[1]) filters.until = null;
      this.showFilters();
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.filtered(), 60);
    });
    $('times').hidden = !years;
    if (years) { Object.assign($('until'), { min: data.span[0], max: data.span[1], value: data.span[1] }); }
    const sources = data.sources || [];
    $('source').append(el('option', { value: '' }, `all ${sources.length || ''} documents`), ...sources.map(name => el('option', { value: name }, name)));
    $('source').addEventListener('change', () => { filters.source = $('source').value; this.filtered(); });
    this.showFilters();
  }
  showFilters() {
    const { stances, confidence, rank, until } = this.filters;
    for (const show of this.boxes) show();
    $('stances-shown').textContent = stances.size === this.data.stances.length ? 'all' : [...stances].join(', ') || 'nothing';
    $('least').textContent = confidence.toFixed(2); $('rank-least').textContent = rank.toFixed(2);
    $('confidence').value = confidence; $('rank').value = rank;
    if (!$('times').hidden) $('until-shown').textContent = until ?? $('until').max;
  }
  filtered() {
    this.refresh(); this.told();
    if (!this.elsewhere) { if (this.chosen === null) this.showOverview(); else this.showNode(this.chosen); }
  }
  bindTools() {
    const { view } = this, all = $('everything'), do_ = (id, act) => $(id).addEventListener('click', act);
    do_('fit', () => view.fit(null, true)); do_('home', () => this.home()); do_('undo', () => this.undo());
    do_('png', async () => save('graph.png', await view.png()));
    do_('svg', () => save('graph.svg', new Blob([view.svg()], { type: 'image/svg+xml' })));
    do_('link', async () => { this.told(); await navigator.clipboard?.writeText(location.href).catch(() => {}); say('The address of this page now leads to this view.'); $('link').textContent = 'Link copied'; setTimeout(() => { $('link').textContent = 'Link'; }, 1500); });
    all.hidden = this.data.served || this.data.first.length === this.data.held.nodes || this.data.held.nodes > AT_ONCE * 3;
    all.textContent = `All ${this.data.held.edges.toLocaleString('en')} edges`;
    all.addEventListener('click', async () => { this.keep(); await this.add(await this.source.everything()); view.fit(); this.choose(null); });
    document.addEventListener('pointerdown', event => {
      for (const menu of document.querySelectorAll('details.menu[open]')) if (!menu.contains(event.target)) menu.open = false;
    });
    $('picture').addEventListener('keydown', event => {
      const step = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[event.key];
      if (step) { view.cy.panBy({ x: step[0], y: step[1] }); event.preventDefault(); }
      else if (event.key === '+' || event.key === '=') view.zoomBy(1.25);
      else if (event.key === '-') view.zoomBy(0.8);
      else if (event.key === '0') view.fit();
      else if (event.key === 'Enter' && this.chosen !== null) this.expand(this.chosen);
      else if (event.key === 'z' && (event.ctrlKey || event.metaKey)) this.undo();
    });
  }
  // The address says what is chosen and filtered, so that it can be sent to others.
  told() {
    const { hidden, stances, confidence, rank } = this.filters, values = new URLSearchParams();
    if (this.chosen !== null) values.set('entity', this.chosen);
    for (const name of hidden) values.append('hide', name);
    if ([...stances].join() !== 'asserted') for (const name of stances) values.append('stance', name);
    if (confidence) values.set('confidence', confidence);
    if (rank) values.set('rank', rank);
    // A page inside another one has no address of its own.
    if (location.protocol !== 'about:') history.replaceState(null, '', String(values) ? '#' + values : location.pathname + location.search);
  }
  choose(id) {
    // The view goes back to where all is, once something else is looked at.
    const back = this.stage !== null && (id === null || this.view.cy.getElementById(id).hasClass('hidden') || this.path);
    Object.assign(this, { chosen: id, path: null, hops: null, stage: back ? null : this.stage });
    this.refresh();
    if (back) this.view.fit(); this.told();
    if (id === null) this.showOverview(); else this.showNode(id);
  }

  // The panel.
  panel(...children) {
    this.elsewhere = true; this.wide(false);
    $('panel').replaceChildren(...children.filter(child => child !== null)); $('panel').scrollTop = 0;
  }
  // What is read at length takes half of the page.
  wide(on) {
    if (document.body.classList.toggle('wide-panel', on) !== this.isWide) this.view.cy.resize();
    this.isWide = on;
  }
  back(words = '← overview', act = () => this.choose(null)) { return button(words, act, { class: 'back' }); }
  list(items) { return el('ul', { class: 'list' }, ...items.map(item => el('li', {}, item))); }
  icon(name) { return icon(this.types.get(name)); }
  nodeButton(node, note = '') {
    return button([this.icon(node.type), el('span', { class: 'name' }, node.name, el('span', { class: 'soft about' }, note || node.description || node.type))],
      () => this.bring(node), { class: 'row' });
  }
  showOverview() {
    const { communities, main, total, held, about, span, sources } = this.data, top = main.filter(node => !this.filters.hidden.has(node.type));
    const large = communities.map((group, at) => [group, at]).filter(([group]) => group.size > 2).slice(0, 12);
    const figure = (value, label) => el('div', {}, el('dt', {}, label), el('dd', {}, typeof value === 'number' ? value.toLocaleString('en') : value));
    const documents = (sources || []).map(name => button([el('span', { class: 'name' }, name)], () => this.showDocument(name), { class: 'row' }));
    this.panel(
      el('h2', {}, 'In this graph'),
      el('dl', { class: 'figures' }, about && figure(about.documents, 'documents'), figure(total.nodes, 'entities'), figure(total.edges, 'edges'), span?.length ? figure(span.join(' – '), 'time span') : null, about?.conflicts ? figure(about.conflicts, 'denied or disputed') : null, about?.failed ? figure(about.failed, 'not read') : null),
      el('p', { class: 'soft' }, this.data.served ? 'Search a name or words, ask a question, or write a pattern such as ?who founded ?what.' : 'Search a name or words, or click an entity, an edge or a community.'),
      el('h2', {}, 'Most spoken of'),
      this.list(top.map(node => this.nodeButton(node))),
      large.length ? el('h2', {}, 'Communities') : null,
      this.list(large.map(([group, at]) => el('button', { type: 'button', class: 'row community', onclick: () => this.openCommunity(at) },
        el('span', { class: 'name' }, group.name, el('span', { class: 'soft about' }, group.about)), el('span', { class: 'soft' }, group.size.toLocaleString('en'))))),
      documents.length ? el('details', {}, el('summary', {}, `Documents (${about?.documents.toLocaleString('en') ?? documents.length})`), this.list(documents)) : null,
      el('p', { class: 'soft' }, 'Importance is PageRank over the edges, weighted by confidence and documents. '
        + (total.edges > held.edges ? `This page holds ${held.edges.toLocaleString('en')} of ${total.edges.toLocaleString('en')} edges; tupelo graph serve opens the whole graph.` : '')));
    this.elsewhere = false;
  }
  async openCommunity(at) {
    const found = await this.source.community(at).catch(error => { say(error.message); return null; });
    if (!found) return;
    this.keep();
    this.choose(null);
    await this.add(found);
    this.showCommunity(at);
    this.view.fit(this.view.nodes.filter(node => node.community === at).map(node => node.id), true);
  }
  // Answers to a question or a pattern, or sentences with these words.
  async answer(text) {
    const waiting = el('div', { class: 'waiting', role: 'status' }, 'reading …');
    this.panel(this.back(), el('h2', {}, text), waiting);
    const kind = PATTERN.test(text) ? 'query' : QUESTION.test(text) ? 'ask' : 'words';
    const found = await this.source.answer(kind, text).catch(error => ({ failed: error.message }));
    if (found.failed) { waiting.replaceWith(el('p', { class: 'notice bad' }, found.failed)); say(found.failed); return; }
    const quoted = one => el('li', {}, el('blockquote', {}, marked(one.sentence, one.marks || [])), el('p', { class: 'soft' }, this.documentLink(one.source), one.position === undefined ? '' : `, sentence ${one.position + 1}`));
    const answers = found.answers.map(answered).map(one => el('section', { class: 'card' },
      one.title ? el('h3', { class: 'answer' }, one.id ? button(one.title, () => this.bring({ id: one.id, name: one.title, type: 'other', importance: 0, degree: 0 }), { class: 'link' }) : one.title, one.confidence === undefined ? '' : el('span', { class: 'soft' }, ` ${one.confidence.toFixed(2)}`)) : null,
      el('ol', { class: 'sentences' }, one.evidence.map(quoted))));
    waiting.replaceWith(...(found.remarks || []).map(one => el('p', { class: 'soft' }, one)), ...(answers.length ? answers : [el('p', { class: 'empty' }, 'Nothing was found. Fewer words, or a name, find more.')]));
    say(counted(found.answers.length, 'answer'));
  }
  documentLink(source) { return this.source.document ? button(source, () => this.showDocument(source), { class: 'link' }) : source; }
  // A document with everything that was read from it marked in its place; sentences from which nothing was read are grey.
  async showDocument(source) {
    this.panel(this.back(), el('h2', {}, source), el('div', { class: 'waiting', role: 'status' }, 'reading …'));
    const found = await this.source.document(source).catch(error => { say(error.message); return { sentences: [] }; });
    const unread = found.sentences.filter(one => !one.marks.length).length, roles = [['subject', 'subject'], ['relation', 'relation'], ['object', 'argument'], ['time', 'time'], ['place', 'location']];
    const text = el('div', { class: 'document' }, found.sentences.map(one => el('span', { class: `${one.marks.length ? 'read' : 'unread'}${ENDED.test(one.sentence) ? '' : ' heading'}` }, marked(one.sentence, one.marks.map(([start, end, role]) => ({ start, end, role }))), ' ')));
    this.panel(this.back(), el('h2', {}, source), el('p', { class: 'soft' }, `${counted(found.sentences.length, 'sentence')}; nothing was read from ${unread}`, this.data.served ? '' : ' (of those on this page)'),
      el('p', { class: 'legend' }, roles.map(([word, role]) => el('mark', { class: role }, word)), el('span', { class: 'unread' }, 'not read')),
      unread ? el('label', { class: 'check' }, el('input', { type: 'checkbox', onchange: event => text.classList.toggle('only-unread', event.target.checked) }), 'Only what was not read') : null, text);
    this.wide(true);
    say(`${source}, ${found.sentences.length} sentences`);
  }
  // The shortest path between two nodes, by all edges that the page knows.
  async showPath(from, to) {
    this.hops = null;
    const edges = await this.source.path(from, to).catch(() => null);
    if (!edges) { say('no path'); this.choose(to); $('panel').prepend(el('p', { class: 'notice' }, 'No path between the two with these edges.')); return; }
    this.keep();
    const known = [...edges.nodes, from, to].map(node => typeof node === 'string' ? this.nodes.get(node) : node).filter(Boolean);
    const order = [from];
    for (const { s, o } of edges.edges) order.push(order.at(-1) === s ? o : s);
    Object.assign(this, { chosen: null, path: new Set(edges.edges.map(edge => edge.id)), stage: order });
    await this.add({ nodes: known, edges: edges.edges });
    this.refresh();
    const name = id => this.nodes.get(id).name;
    this.panel(this.back(), el('h2', {}, name(from), el('span', { class: 'soft' }, ' to '), name(to)), el('p', { class: 'soft' }, counted(edges.edges.length, 'step')),
      this.list(edges.edges.map(edge => this.row(() => this.showStatement(edge), [name(edge.s), ' ', el('span', { class: 'rel' }, edge.relation), ' ', name(edge.o)], edge))));
    this.view.fit(known.map(node => node.id), true);
    say(`${edges.edges.length} steps`);
  }
  showCommunity(at) {
    const group = this.data.communities[at], members = [...this.nodes.values()].filter(node => node.community === at).sort((a, b) => b.importance - a.importance);
    this.panel(this.back(), el('h2', {}, group.name), el('p', { class: 'soft' }, `community of ${counted(group.size, 'entity', 'entities')} · ${group.about}`),
      members.length < group.size ? button(`Show all ${group.size.toLocaleString('en')}`, () => this.openCommunity(at), { class: 'do', id: 'expand' }) : null,
      this.list(members.slice(0, LISTED).map(node => this.nodeButton(node))));
    say(`community ${group.name}, ${members.length} entities shown`);
  }
  async showNode(id) {
    const node = this.nodes.get(id), pinned = this.view.pinned.has(id), own = this.around(id), edges = own.filter(edge => this.passes(edge)).sort((a, b) => b.confidence - a.confidence);
    const more = Math.max(0, node.degree - own.length), names = el('div', {}), facts = el('div', {}), statements = el('div', {}), times = el('div', {}), quotes = el('div', {});
    const hidden = own.length - edges.length, group = this.data.communities[node.community];
    this.panel(
      this.back(),
      el('h2', {}, this.icon(node.type), ' ', node.name),
      el('p', { class: 'soft' }, [node.type, node.description, counted(node.degree, 'edge')].filter(Boolean).join(' · ')),
      el('p', { class: 'doing' }, button(pinned ? 'Unpin' : 'Pin', () => { this.view.pin(id, !pinned); this.showNode(id); }), button('Path to …', () => { this.hops = id; say('Choose the other end: click it, or search it.'); $('search').focus(); $('search').select(); $('panel').prepend(el('p', { class: 'notice' }, 'Choose the other end: click it, or search it.')); }),
        this.data.report && el('a', { class: 'button', href: `${this.data.report}?entity=${encodeURIComponent(node.name)}` }, 'Report')),
      facts,
      ...this.byRelation(edges.slice(0, LISTED), id),
      edges.length > LISTED ? el('p', { class: 'soft' }, `and ${edges.length - LISTED} more`) : null,
      hidden ? el('p', { class: 'soft' }, `${counted(hidden, 'edge')} hidden by the filters`) : null,
      more ? button(`Show more of its ${counted(node.degree, 'edge')}`, () => this.expand(id), { class: 'do', id: 'expand' }) : null,
      times, statements, quotes, names,
      group && group.size > 2 ? el('p', {}, this.back('in ' + group.name, () => this.showCommunity(node.community))) : null);
    this.elsewhere = false;
    say(`${node.name}, ${node.type}, ${edges.length} edges shown`);
    const found = await this.source.details(id).catch(error => { say(error.message); return null; });
    if (!found) return;
    names.append(...namings(node, found));
    times.append(...timeline(found.times, one => this.showStatement(this.edges.get(one.id) || { relation: '', ...found.facts.find(fact => fact.id === one.id) || one, s: id, o: null }, id)));
    const said = found.facts.filter(fact => this.filters.stances.has(fact.stance) && fact.confidence >= this.filters.confidence);
    for (const [part, title, clauses] of [[facts, 'Facts', false], [statements, 'Statements', true]]) {
      const own = said.filter(fact => (fact.kind === 'clause') === clauses);
      if (own.length) part.append(el('h3', {}, title), this.list(own.map(fact => this.factButton(fact, id))));
    }
    const best = [...edges, ...said].sort((a, b) => (b.rank ?? 0.5) * b.confidence - (a.rank ?? 0.5) * a.confidence).slice(0, QUOTED), quoted = new Map();
    for (const items of await Promise.all(best.map(one => this.source.evidence(one.id).catch(() => [])))) if (items.length && !quoted.has(items[0].sentence)) quoted.set(items[0].sentence, items[0]);
    if (quoted.size) quotes.append(el('h3', {}, 'In the words of the documents'), el('ol', { class: 'sentences' }, [...quoted.values()].map(item => this.quotation(item))));
  }
  quotation(item) { return el('li', {}, el('blockquote', {}, marked(item.sentence, item.marks.map(([start, end, role]) => ({ start, end, role })))), el('p', { class: 'soft' }, this.circumstances(item))); }
  row(act, words, { stance, confidence }) {
    return button([el('span', { class: 'name' }, words), this.mark(stance), el('span', { class: 'soft', title: 'confidence' }, confidence.toFixed(2))],
      act, { class: 'row edge' });
  }
  mark(stance) { return stance === 'asserted' ? '' : el('span', { class: 'mark ' + stance }, stance); }
  edgeButton(edge, from) {
    const out = edge.s === from, other = this.nodes.get(out ? edge.o : edge.s), rel = el('span', { class: 'rel' }, edge.relation);
    return this.row(() => this.showStatement(edge, from), out ? [rel, ' ', other.name] : [other.name, ' ', rel, ' …'], edge);
  }
  factButton(fact, from) {
    return this.row(() => this.showStatement({ ...fact, s: from, o: null }, from), [el('span', { class: 'rel' }, fact.relation), ' ', fact.text], fact);
  }
  // Edges under their relations, those with most edges first.
  byRelation(edges, id) {
    const groups = new Map();
    for (const edge of edges) { const key = (edge.s === id ? '' : '… ') + edge.relation; groups.set(key, [...groups.get(key) || [], edge]); }
    const several = [...groups].filter(([, own]) => own.length > 1).sort((a, b) => b[1].length - a[1].length), single = [...groups].filter(([, own]) => own.length === 1).flatMap(([, own]) => own);
    return [...several.flatMap(([relation, own]) => [el('h3', {}, `${relation} (${own.length})`), this.list(own.map(edge => this.edgeButton(edge, id)))]),
      single.length ? el('h3', {}, several.length ? 'Other edges' : 'Edges') : null, this.list(single.map(edge => this.edgeButton(edge, id)))];
  }
  // Several edges between the same two nodes.
  showBundle(edges) {
    const [first, second] = [this.nodes.get(edges[0].s), this.nodes.get(edges[0].o)];
    this.choose(null);
    this.view.mark(null, new Set(edges.map(edge => edge.id)));
    this.panel(this.back(), el('h2', {}, first.name, el('span', { class: 'soft' }, ' and '), second.name), el('p', { class: 'soft' }, counted(edges.length, 'edge')),
      this.list(edges.map(edge => this.row(() => this.showStatement(edge), [this.nodes.get(edge.s).name, ' ', el('span', { class: 'rel' }, edge.relation), ' ', this.nodes.get(edge.o).name], edge))),
      el('div', { class: 'two' }, ...[first, second].map(node => this.nodeButton(node))));
    say(`${first.name} and ${second.name}, ${edges.length} edges`);
  }
  // An edge, or a fact of one node, with its sentences.
  async showStatement(edge, from = null) {
    if (edge.o === null) this.view.mark(from); else this.view.mark(null, new Set([edge.id]));
    this.view.later();
    const subject = this.nodes.get(edge.s), object = edge.o === null ? null : this.nodes.get(edge.o), last = object ? object.name : edge.text;
    const list = el('ol', { class: 'sentences', id: 'sentences' }, el('li', { class: 'soft' }, 'reading …'));
    this.panel(
      from === null ? this.back() : this.back('← ' + cut(subject.id === from ? subject.name : object.name, 30), () => this.choose(from)),
      edge.relation ? el('h2', {}, subject.name, el('span', { class: 'rel' }, ` ${edge.relation} `), last) : el('h2', {}, last),
      edge.relation && el('p', { class: 'soft' }, `confidence ${edge.confidence.toFixed(2)} · said ${edge.mentions === 1 ? 'once' : edge.mentions + ' times'} `, this.mark(edge.stance)),
      list,
      el('div', { class: 'two' }, ...[subject, object].filter(Boolean).map(node => this.nodeButton(node))));
    const found = await this.source.evidence(edge.id).catch(error => { say(error.message); return []; });
    list.replaceChildren(...found.map(item => this.quotation(item)));
    if (!found.length) list.replaceChildren(el('li', { class: 'soft' }, 'The sentences of this edge are not on this page.'));
    say(`${subject.name} ${edge.relation} ${last}: ${found.length} sentences`);
  }
  circumstances({ source, position, speaker, verb, stance, condition, confidence }) {
    return [this.documentLink(source), `, sentence ${position + 1}`, ...[stance && stance !== 'asserted' ? stance : '', speaker ? `${verb || 'says'}: ${speaker}` : '', condition ? `where: ${condition}` : '',
      confidence === null ? '' : confidence.toFixed(2)].filter(Boolean).map(one => ` · ${one}`)];
  }
}

const page = new Page(JSON.parse($('data').textContent));
page.begin().catch(error => { console.error(error); say(error.message); });
