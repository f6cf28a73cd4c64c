/**
 * `npm run build:web`: bundles the panel into `dist/panel.js`, `dist/content.css` and `dist/panel/service-worker.js`. The server serves the files of
 * `dist/web/` below `/static/`: with a hash in the name for the app, without for pages of other sites.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type Plugin, transform } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PANEL = join(ROOT, 'lib/panel');
/** Hexadecimal digits. */
const HASH_LENGTH = 12;

const SERVICE_WORKER = 'service-worker.js';

const minified = async (path: string) =>
  (await transform(await readFile(path, 'utf8'), { loader: 'css', minify: true })).code.trimEnd();

/** `import sheet from './panel.css'` gives minified text. */
const styles: Plugin = {
  name: 'styles',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.css$/ }, async ({ path }) => ({ contents: await minified(path), loader: 'text' }));
  },
};

async function bundled(entry: string, format: 'esm' | 'iife'): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(PANEL, entry)],
    bundle: true,
    minify: true,
    format,
    platform: 'browser',
    target: ['es2022'],
    write: false,
    legalComments: 'none',
    plugins: [styles],
  });
  return outputFiles[0]?.text ?? '';
}

/** The files by name. The panel is there twice: with and without the hash of its content in the name. */
export async function webFiles(): Promise<Map<string, Buffer>> {
  const panel = Buffer.from(await bundled('panel.tsx', 'esm'));
  const hash = createHash('sha256').update(panel).digest('hex').slice(0, HASH_LENGTH);
  return new Map([
    ['panel.js', panel],
    [`panel.${hash}.js`, panel],
    [SERVICE_WORKER, Buffer.from(await bundled('push/service-worker.ts', 'iife'))],
    ['content.css', Buffer.from(await minified(join(PANEL, 'content.css')))],
  ]);
}

/** The files, each also compressed as far as it goes. */
async function withCompressed(files: ReadonlyMap<string, Buffer>): Promise<Map<string, Buffer>> {
  const all = new Map(files);
  for (const [name, bytes] of files) {
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    all.set(`${name}.br`, await promisify(brotliCompress)(bytes, { params }));
    all.set(`${name}.gz`, await promisify(gzip)(bytes, { level: 9 }));
  }
  return all;
}

/** @param folder normally `dist` */
export async function buildWeb(folder: string): Promise<void> {
  const web = join(folder, 'web');
  const files = await webFiles();
  await rm(web, { recursive: true, force: true });
  await mkdir(web, { recursive: true });
  for (const [name, bytes] of await withCompressed(files)) await writeFile(join(web, name), bytes);
  for (const name of ['panel.js', 'content.css']) await writeFile(join(folder, name), files.get(name) ?? '');
  await mkdir(join(folder, 'panel'), { recursive: true });
  await writeFile(join(folder, 'panel', SERVICE_WORKER), files.get(SERVICE_WORKER) ?? '');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildWeb(join(ROOT, 'dist'));
