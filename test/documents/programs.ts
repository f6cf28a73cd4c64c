import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { bundle } from '../support/bundle.ts';
import type { Block } from './blocks.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The files behind the import paths of the package. */
const SOURCES: Readonly<Record<string, string>> = {
  parlance: 'lib/index.ts',
  'parlance-chat/server': 'server/index.ts',
  'parlance-chat/client': 'lib/client/client.ts',
  'parlance-chat/testing': 'lib/testing/testing.ts',
  'parlance-chat/postgres': 'lib/storage/postgres/postgres.ts',
};

export interface Programs {
  /** Runs a program in an empty folder. Resolves to its output. */
  run(block: Block): Promise<string>;
  /** What the compiler finds wrong in the types of the programs. */
  typeErrors(): string;
  remove(): Promise<void>;
}

/** The blocks as files inside the project, so that dependencies resolve. They import its sources. */
export async function writePrograms(blocks: readonly Block[]): Promise<Programs> {
  const cache = join(ROOT, '.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'documents-'));
  const files = new Map(blocks.map((block) => [block, join(folder, `${block.place.replace(/\W/g, '-')}.ts`)]));
  for (const [block, file] of files) await writeFile(file, fromSources(block.text));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'untyped.d.ts'), "declare module 'zulip-js';\n");
  const nameOf = (file: string) => basename(file, '.ts');
  const compiled = await bundle(
    'documents',
    Object.fromEntries([...files.values()].map((file) => [nameOf(file), relative(ROOT, file)])),
  );
  return {
    async run(block) {
      const cwd = await mkdtemp(join(tmpdir(), 'document-'));
      try {
        const program = join(compiled.bin, nameOf(files.get(block) as string));
        const { stdout } = await run(program, [], { cwd, timeout: 30_000 });
        return stdout;
      } finally {
        await rm(cwd, { recursive: true, force: true });
      }
    },
    typeErrors: () => typeErrors([...files.values()], [join(folder, 'untyped.d.ts')]),
    async remove() {
      await compiled.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Checks these files alone. The command `tsc` would check the library again, which takes three times as long. */
function typeErrors(files: readonly string[], declarations: readonly string[]): string {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const program = ts.createProgram([...files, ...declarations], { ...options, noUnusedLocals: false });
  const found = files.flatMap((file) => {
    const source = program.getSourceFile(file);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  });
  return ts.formatDiagnostics(found, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => ROOT,
    getNewLine: () => '\n',
  });
}

function fromSources(program: string): string {
  return program.replace(/(from ')(parlance[/\w]*)(')/g, (whole, before: string, name: string, after: string) => {
    const source = SOURCES[name];
    return source === undefined ? whole : before + pathToFileURL(join(ROOT, source)).pathname + after;
  });
}
