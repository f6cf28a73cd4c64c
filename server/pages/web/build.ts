/**
 * `npm run build:web`: bundles the panel into `dist/panel*.js` and `dist/content.css`, and its service worker into
 * `dist/panel/service-worker.js`. The server serves the same files of `dist/web/` below `/static/`. `panel.js` only
 * imports the panel, from a file with a hash in its name. Browsers fetch other parts with their first use.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type BuildOptions, build, type Plugin, transform } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PANEL = join(ROOT, 'lib/panel');
const APP = join(PANEL, 'app');

/** For imports: an absolute path would change the hashes in the names of files with the folder of the project. */
const fromRoot = (path: string) => `./${relative(ROOT, path).replaceAll(sep, '/')}`;

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

/** What a conversation needs after its first messages. */
const DEFERRED = fromRoot(join(PANEL, 'deferred.ts'));
/** Parts that can have modules in common with it. They open when it is loaded. */
const OPENED_LATER = new Set([fromRoot(join(PANEL, 'overlays.ts'))]);

/**
 * Each part also imports the panel, and each part of the app the app and what is deferred. Without that, esbuild makes a
 * file for each set of parts that have a module in common: dozens of small files.
 */
const parts: Plugin = {
  name: 'parts',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /\.tsx?$/ }, ({ kind, path, resolveDir }) =>
      kind === 'dynamic-import'
        ? { path: fromRoot(join(resolveDir, path)), namespace: 'part', pluginData: { isOfApp: resolveDir === APP } }
        : undefined,
    );
    onLoad({ filter: /^/, namespace: 'part' }, ({ path, pluginData: { isOfApp } }) => {
      const contents = [
        `export * from ${JSON.stringify(path)};`,
        `export { ParlancePanel as _ } from ${JSON.stringify(fromRoot(join(PANEL, 'panel.tsx')))};`,
        ...(isOfApp ? [`export { App as $ } from ${JSON.stringify(fromRoot(join(APP, 'app.tsx')))};`] : []),
        ...(isOfApp || OPENED_LATER.has(path) ? [`export { Composer as $_ } from ${JSON.stringify(DEFERRED)};`] : []),
      ];
      return { contents: contents.join('\n'), resolveDir: ROOT };
    });
  },
};

async function bundled(
  entry: string,
  options: Pick<BuildOptions, 'format' | 'splitting' | 'plugins'>,
): Promise<Map<string, Buffer>> {
  const { outputFiles } = await build({
    entryPoints: [join(PANEL, entry)],
    bundle: true,
    minify: true,
    platform: 'browser',
    target: ['es2022'],
    outdir: ROOT,
    entryNames: '[name]',
    chunkNames: 'panel-[name].[hash]',
    write: false,
    legalComments: 'none',
    ...options,
  });
  return new Map(outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)] as const));
}

let built: Promise<ReadonlyMap<string, Buffer>> | undefined;

/** The files by name. A process builds them once, for all its servers. */
export function webFiles(): Promise<ReadonlyMap<string, Buffer>> {
  built ??= allBundled().catch((error: unknown) => {
    built = undefined;
    throw error;
  });
  return built;
}

async function allBundled(): Promise<ReadonlyMap<string, Buffer>> {
  return new Map([
    ...(await bundled('panel.tsx', { format: 'esm', splitting: true, plugins: [styles, parts] })),
    ...(await bundled('push/service-worker.ts', { format: 'iife' })),
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
  for (const name of await readdir(folder))
    if (/^panel-[a-z-]+\.[0-9A-Z]{8}\.js$/.test(name)) await rm(join(folder, name));
  await mkdir(join(folder, 'panel'), { recursive: true });
  for (const [name, bytes] of files) await writeFile(join(folder, name === SERVICE_WORKER ? 'panel' : '', name), bytes);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildWeb(join(ROOT, 'dist'));
