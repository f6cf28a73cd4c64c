import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { NotFound } from '../../../lib/internal.ts';
import { acceptedEncoding, type Encoding } from '../../compression.ts';
import { bundledFile, type Page } from '../page.ts';

/** A file of the panel, below `/static`. Files with a hash in their name never change. */
const FILE = /^\/static\/(panel(?:-[a-z-]+(\.[0-9A-Z]{8}))?\.js|content\.css)$/;
/** At the root: a service worker is only for the paths below its own. */
const WORKER = '/service-worker.js';
/** Files that a file needs at once, as the build writes them. It fetches others with `import(…)`. */
const IMPORT = /(?:from|import)"\.\/(panel-[\w.-]+)"/g;

export const isWebFile = (path: string) => path === WORKER || FILE.test(path);

/** Names and contents, also of compressed files. */
type WebFileContents = ReadonlyMap<string, Buffer>;

const ENDINGS: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

/** The files of the panel, in memory from their first use on. */
export class WebFiles {
  #files: Promise<WebFileContents> | undefined;

  /** @param read for tests */
  constructor(private readonly read: () => Promise<WebFileContents> = readFiles) {}

  /** The names of the files that the app starts with. The first has the panel; the others can load together with it. */
  async namesOfApp(): Promise<readonly string[]> {
    const files = await this.#all();
    const app = [...files.keys()].find((name) => /^panel-app\.\w+\.js$/.test(name));
    if (app === undefined) throw new NotFound('/static/panel.js: run `npm run build:web` first');
    const importsOf = (name: string) => [...String(files.get(name)).matchAll(IMPORT)].map(([, found = '']) => found);
    // The loop also visits names that are added during the iteration.
    const names = new Set([...importsOf('panel.js'), app]);
    for (const name of names) for (const imported of importsOf(name)) names.add(imported);
    return [...names];
  }

  async page(path: string, req: IncomingMessage): Promise<Page> {
    const [, name = '', hash] = path === WORKER ? [path, path.slice(1)] : (FILE.exec(path) ?? []);
    const files = await this.#all();
    const encoding = acceptedEncoding(req);
    const compressed = encoding && files.get(name + ENDINGS[encoding]);
    const bytes = compressed ?? files.get(name);
    if (!bytes) throw new NotFound(path);
    return {
      bytes,
      headers: {
        'Content-Type': `text/${name.endsWith('.js') ? 'javascript' : 'css'}; charset=utf-8`,
        'Cache-Control': hash ? 'public, max-age=31536000, immutable' : 'public, no-cache',
        // Pages of other sites may load the panel: it contains nothing of the organization.
        'Access-Control-Allow-Origin': '*',
        'Cross-Origin-Resource-Policy': 'cross-origin',
        ...(compressed ? { 'Content-Encoding': encoding, Vary: 'Accept-Encoding' } : {}),
      },
    };
  }

  #all(): Promise<WebFileContents> {
    this.#files ??= this.read().catch((error: unknown) => {
      this.#files = undefined;
      throw error;
    });
    return this.#files;
  }
}

/** In a checkout, where `tsx` runs this file, builds the panel in memory. Otherwise reads what the build has written. */
async function readFiles(): Promise<WebFileContents> {
  const here = fileURLToPath(import.meta.url);
  if (here.endsWith('.ts')) {
    // Not a literal, so that no bundler follows it.
    const builder = pathToFileURL(join(dirname(here), 'build.ts')).href;
    const build: typeof import('./build.ts') = await import(/* webpackIgnore: true */ /* @vite-ignore */ builder);
    return build.webFiles();
  }
  const folder = dirname(bundledFile('web', 'panel.js'));
  const names = await readdir(folder);
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)));
}
