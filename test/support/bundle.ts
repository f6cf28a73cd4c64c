import { existsSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { until } from './until.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CACHE = join(ROOT, '.cache');

/**
 * Packages that every start of chatctl loads. They are bundled, because finding their files takes a quarter of the
 * start.
 */
const BUNDLED = [
  ...['@valibot/to-json-schema', 'commander', 'content-disposition', 'csv-parse', 'ipaddr.js', 'mime', 're2js'],
  ...['stemmer', 'string-width', 'uri-template', 'valibot'],
];
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const EXTERNAL = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']
  .flatMap((kind) => Object.keys(manifest[kind] ?? {}))
  .filter((name) => !BUNDLED.includes(name));
/** For bundled packages that call `require`. */
const REQUIRE = `import { createRequire as forBundled } from 'node:module'; const require = forBundled(import.meta.url);`;
/** Most commands end before optimized code or a small heap helps. Saves a fifth of their time. */
const FLAGS = '--no-opt --min-semi-space-size=16';

export interface Bundle {
  folder: string;
  /** The compiled program of this name. */
  program(name: string): string;
  /** A folder with a command for each program, for the PATH. */
  bin: string;
  remove(): Promise<void>;
}

/**
 * Compiles programs to JavaScript, with the files that they read at run time beside them. All processes of a test run
 * share the bundle of a name.
 */
export async function bundle(
  name: string,
  programs: Readonly<Record<string, string>>,
  plugins: Plugin[] = [],
): Promise<Bundle> {
  const shared = process.env.PARLANCE_TEST_FOLDER;
  await mkdir(CACHE, { recursive: true });
  // Inside the project, so that its dependencies resolve from there.
  const folder = shared ? join(ROOT, shared, name) : await mkdtemp(join(CACHE, `${name}-`));
  const done = join(folder, 'done');
  if (!shared || (await mkdir(folder, { recursive: true })))
    await compile(folder, programs, plugins).finally(() => writeFile(done, ''));
  else await until(`another process has compiled ${name}`, () => existsSync(done));
  return {
    folder,
    program: (program) => join(folder, 'dist', `${program}.js`),
    bin: join(folder, 'bin'),
    remove: async () => {
      if (!shared) await rm(folder, { recursive: true, force: true });
    },
  };
}

async function compile(folder: string, programs: Readonly<Record<string, string>>, plugins: Plugin[]): Promise<void> {
  const [dist, bin] = [join(folder, 'dist'), join(folder, 'bin')];
  await build({
    entryPoints: Object.entries(programs).map(([out, file]) => ({ in: join(ROOT, file), out })),
    outdir: dist,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: EXTERNAL,
    plugins,
    banner: { js: REQUIRE },
    sourcemap: 'linked',
    logLevel: 'warning',
  });
  await cp(join(ROOT, 'server/pages/images'), join(dist, 'images'), { recursive: true });
  await cp(join(ROOT, 'package.json'), join(folder, 'package.json'));
  await mkdir(bin);
  for (const name of Object.keys(programs)) {
    const program = join(dist, `${name}.js`);
    await writeFile(join(bin, name), `#!/bin/sh\nexec '${process.execPath}' ${FLAGS} '${program}' "$@"\n`);
    await chmod(join(bin, name), 0o755);
  }
}
