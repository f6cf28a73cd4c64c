/**
 * `npm run build:web`: bundles the panel into `dist/panel.js` and `dist/content.css`. The server serves the files of
 * `dist/web/` below `/static/`: with a hash in the name for the app, without for pages of other sites.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type Plugin, transform } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PANEL = join(ROOT, 'lib/panel');
/** Hexadecimal digits. */
const HASH_LENGTH = 12;

const minified = async (path: string) =>
  (await transform(await readFile(path, 'utf8'), { loader: 'css', minify: true })).code.trimEnd();

/** `import sheet from './panel.css'` gives minified text. */
const styles: Plugin = {
  name: 'styles',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.css$/ }, async ({ path }) => ({ contents: await minified(path), loader: 'text' }));
  },
};

async function panelModule(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(PANEL, 'panel.tsx')],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2022'],
    write: false,
    legalComments: 'none',
    plugins: [styles],
  });
  return outputFiles[0]?.text ?? '';
}

async function compressed(bytes: Buffer): Promise<Record<string, Buffer>> {
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: 9 }),
  ]);
  return { '': bytes, '.br': br, '.gz': gz };
}

/** @param folder normally `dist` */
export async function buildWeb(folder: string): Promise<void> {
  const web = join(folder, 'web');
  const files = { 'panel.js': await panelModule(), 'content.css': await minified(join(PANEL, 'content.css')) };
  await rm(web, { recursive: true, force: true });
  await mkdir(web, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, name), text);
    const hash = createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH);
    for (const [ending, bytes] of Object.entries(await compressed(Buffer.from(text)))) {
      await writeFile(join(web, name + ending), bytes);
      if (name.endsWith('.js')) await writeFile(join(web, name.replace(/\.js$/, `.${hash}.js${ending}`)), bytes);
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildWeb(join(ROOT, 'dist'));
