import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

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

export interface Bundle {
  /** A folder for this bundle inside the project, so that its dependencies resolve from there. */
  folder: string;
  /** The compiled program of this name. */
  program(name: string): string;
  remove(): Promise<void>;
}

/** Compiles programs to JavaScript, with the files that they read at run time beside them. */
export async function bundle(
  prefix: string,
  programs: Readonly<Record<string, string>>,
  plugins: Plugin[] = [],
): Promise<Bundle> {
  const cache = join(ROOT, '.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, prefix));
  const dist = join(folder, 'dist');
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
  await cp(join(ROOT, 'server/pages'), join(dist, 'pages'), { recursive: true });
  await cp(join(ROOT, 'package.json'), join(folder, 'package.json'));
  return {
    folder,
    program: (name) => join(dist, `${name}.js`),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
