// Builds the library of the graph view from the packages that package.json pins: Cytoscape.js without the parts that no
// page of ours uses (WebGL, layouts, algorithms but for paths), and the forces of d3. The same packages give the same bytes.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const OUT = '../../src/tupelo/web/cytoscape.js';
const EMPTY = { contents: 'export default {};', loader: 'js' };
const NO_WEBGL = { contents: 'export default { initWebgl() {} };', loader: 'js' };
const LAYOUTS = { contents: "import preset from './preset.mjs'; import none from './null.mjs'; export default [{ name: 'preset', impl: preset }, { name: 'null', impl: none }];", loader: 'js' };
const UNUSED = /algorithms\/(floyd|bellman|karger|kruskal|page-rank|closeness|betweenness|markov|k-clustering|hierarch|affinity|hierholzer|hopcroft|tarjan)[\w-]*\.mjs$/;

const left = { name: 'left-out', setup({ onLoad }) {
  onLoad({ filter: UNUSED }, () => EMPTY);
  onLoad({ filter: /canvas\/webgl\/drawing-redraw-webgl\.mjs$/ }, () => NO_WEBGL);
  onLoad({ filter: /extensions\/layout\/index\.mjs$/ }, ({ path }) => ({ ...LAYOUTS, resolveDir: path.replace(/\/[^/]*$/, '') }));
} };
const { outputFiles } = await build({
  stdin: { contents: "import cytoscape from './node_modules/cytoscape/src/index.mjs'; import * as force from 'd3-force'; globalThis.tupeloLibrary = { cytoscape, force };", resolveDir: '.' },
  bundle: true, minify: true, format: 'iife', legalComments: 'none', target: 'es2020', write: false, define: { 'process.env.VERSION': '"3.34.4"', 'process.env.TEST_BUILD': 'false', 'process.env.NODE_ENV': '"production"' }, plugins: [left],
});
const head = '/*! Cytoscape.js 3.34.4 (MIT, The Cytoscape Consortium) and d3-force 3.0.1 (ISC, Mike Bostock), built by tools/vendor; see LICENSES. */\n';
writeFileSync(OUT, head + outputFiles[0].text);
console.log(createHash('sha256').update(readFileSync(OUT)).digest('hex'), readFileSync(OUT).length, 'bytes');
