// Builds dist/ from src/ and the packages that package-lock.json names: npm ci && npm run build.
//   --check   writes nothing; exits with 1 if dist/ is out of date
import {build} from 'esbuild';
import {createHash} from 'node:crypto';
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';

const license = readFileSync('node_modules/uplot/LICENSE', 'utf8').trim();
const version = JSON.parse(readFileSync('node_modules/uplot/package.json', 'utf8')).version;
// Every page carries a copy of the library, and so the words that its license asks for.
const notice = `/*! Charts by uPlot ${version} (https://github.com/leeoniya/uPlot)\n\n${license}\n*/`;

const result = await build({
  entryPoints: {page: 'src/page.js', style: 'src/page.css'},
  bundle: true,
  minify: true,
  write: false,
  outdir: 'dist',
  format: 'iife',
  target: ['chrome100', 'firefox100', 'safari15'],
  charset: 'ascii',
  legalComments: 'none',
  banner: {js: notice},
});

const files = {'dist/LICENSES.txt': `uPlot ${version}, in page.js and page.css:\n\n${license}\n`};
for (const file of result.outputFiles) {
  files[file.path.endsWith('.css') ? 'dist/page.css' : 'dist/page.js'] = file.text;
}

// What was built from what: tests see without npm that somebody forgot to build.
const sum = (text) => createHash('sha256').update(text).digest('hex');
const sources = ['build.js', 'package.json', 'package-lock.json', ...readdirSync('src').sort().map((name) => `src/${name}`)];
const sums = [...sources.map((name) => `${sum(readFileSync(name))}  ${name}`),
  ...Object.entries(files).map(([name, text]) => `${sum(text)}  ${name}`)];
files['dist/SHA256SUMS'] = `${sums.join('\n')}\n`;

const check = process.argv.includes('--check');
mkdirSync('dist', {recursive: true});
let stale = 0;
for (const [name, text] of Object.entries(files)) {
  if (!check) writeFileSync(name, text);
  else if (readFileSync(name, 'utf8') !== text) {
    console.error(`web/${name} is out of date; run: npm ci && npm run build`);
    stale++;
  }
}
if (check && !stale) console.log('web/dist is up to date');
process.exit(stale ? 1 : 0);
