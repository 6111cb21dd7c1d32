// What a screen reader or weak eyes would miss: controls without a name, an order of their own, references to nothing,
// headings that skip a level, small targets, and text whose contrast with what is behind it is below 4.5 (WCAG 2.2,
// level AA).
() => {
  const found = [];
  const unseen = '.for-readers, .skip-link, [aria-hidden=true]';
  const shown = one => one.getClientRects().length && getComputedStyle(one).visibility !== 'hidden' && !one.closest(unseen);
  const name = one => {
    const label = one.getAttribute('aria-label') || one.labels?.[0]?.textContent || one.textContent || one.alt || '';
    return label.trim();
  };
  for (const one of document.querySelectorAll('a, button, input, select, textarea, img, [tabindex], [role]')) {
    const nameless = shown(one) && one.tabIndex >= 0 && !name(one) && !one.getAttribute('aria-labelledby');
    if (nameless || (one.matches('img') && !one.alt)) found.push(`no name: ${one.outerHTML.slice(0, 80)}`);
    if (one.tabIndex > 0) found.push(`an order of its own: ${one.outerHTML.slice(0, 80)}`);
  }
  if (!document.documentElement.lang || !document.title) found.push('no language or no title');
  const levels = [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter(shown).map(one => Number(one.tagName[1]));
  if (levels.filter(level => level === 1).length !== 1) found.push('not one h1');
  levels.forEach((level, at) => { if (at && level > levels[at - 1] + 1) found.push(`h${level} after h${levels[at - 1]}`); });
  for (const one of document.querySelectorAll('button, select, textarea, input:not([type=checkbox], [type=radio], [type=range])')) {
    const { width, height } = one.getBoundingClientRect();
    if (shown(one) && !one.closest('p, .sentence') && Math.min(width, height) < 23.5) found.push(`${Math.round(width)} by ${Math.round(height)} pixels: ${one.outerHTML.slice(0, 80)}`);
  }
  const ids = [...document.querySelectorAll('[id]')].map(one => one.id);
  if (new Set(ids).size < ids.length) found.push('an id twice');
  for (const key of ['aria-controls', 'aria-labelledby', 'for']) {
    for (const one of document.querySelectorAll(`[${key}]`)) {
      if (!document.getElementById(one.getAttribute(key))) found.push(`${key} of nothing: ${one.getAttribute(key)}`);
    }
  }
  const rgb = text => {
    const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number), scale = text.startsWith('color(srgb') ? 255 : 1;
    return { r: scale * r, g: scale * g, b: scale * b, a };
  };
  const linear = value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const light = ({ r, g, b }) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
  const behind = one => {
    for (; one; one = one.parentElement) {
      const colour = rgb(getComputedStyle(one).backgroundColor);
      if (colour.a === 1) return colour;
    }
    return { r: 255, g: 255, b: 255 };
  };
  // A colour seen through another, as far as it is transparent.
  const mixed = (above, below, share) => Object.fromEntries(['r', 'g', 'b'].map(key => [key, share * above[key] + (1 - share) * below[key]]));
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    const one = node.parentElement;
    if (!node.data.trim() || !shown(one) || one.closest('svg, :disabled, option')) continue;
    const { color, opacity } = getComputedStyle(one), ground = behind(one);
    const [a, b] = [light(mixed(rgb(color), ground, Number(opacity))), light(ground)].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < 4.5) found.push(`contrast ${contrast.toFixed(1)}: ${node.data.slice(0, 40)}`);
  }
  return found;
}
