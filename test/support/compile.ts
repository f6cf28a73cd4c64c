import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Resolves neighbouring files, also when the code is part of a program in another folder. */
const inPlace: Plugin = {
  name: 'in place',
  setup({ onLoad }) {
    onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
      const text = (await readFile(path, 'utf8'))
        .replace(/^#!.*/, '')
        // The server imports it by a path, as a source file that only tsx could load.
        .replace(/import\([^)]* builder\)/, "import('./build.ts')");
      const loader = path.endsWith('x') ? 'tsx' : 'ts';
      if (!/import\.meta\.(url|dirname|filename)/.test(text)) return { contents: text, loader };
      const url = pathToFileURL(path);
      const places = { HERE_URL: url.href, HERE_DIRNAME: dirname(path), HERE_FILENAME: path };
      const constants = Object.entries(places).map(([name, place]) => `const ${name} = ${JSON.stringify(place)};`);
      return { contents: constants.join(' ') + text, loader };
    });
  },
};

/**
 * Compiles programs, and their modules to shared files. Through tsx, a process takes three seconds of processor time to
 * load the library and the cases.
 */
export async function compile(programs: readonly string[], folder: string): Promise<void> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: [...programs],
    outdir: folder,
    entryNames: '[name]',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: `node${process.versions.node}`,
    packages: 'external',
    // package.json says that no module has side effects. Test modules do.
    ignoreAnnotations: true,
    define: {
      'import.meta.url': 'HERE_URL',
      'import.meta.dirname': 'HERE_DIRNAME',
      'import.meta.filename': 'HERE_FILENAME',
    },
    plugins: [inPlace],
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'warning',
  });
}
