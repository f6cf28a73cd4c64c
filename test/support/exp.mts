import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const BUNDLED = [
  '@valibot/to-json-schema',
  'commander',
  'content-disposition',
  'csv-parse',
  'ipaddr.js',
  'mime',
  're2js',
  'stemmer',
  'uri-template',
  'valibot',
];
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const EXTERNAL = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']
  .flatMap((k) => Object.keys(manifest[k] ?? {}))
  .filter((n) => !BUNDLED.includes(n));
const REQUIRE = `import { createRequire as forBundled } from 'node:module'; const require = forBundled(import.meta.url);`;
const r = await build({
  metafile: true,
  entryPoints: [{ in: 'cli/chatctl.ts', out: 'chatctl' }],
  outdir: `.cache/exp/dist`,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: EXTERNAL,
  banner: { js: REQUIRE },
});
cpSync('package.json', `.cache/exp/package.json`);
writeFileSync('/tmp/meta.json', JSON.stringify(r.metafile));
