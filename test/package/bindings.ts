/** Compiles the files of examples/bindings with their frameworks. Needs a build; the gate runs it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { installPackage } from './installing.ts';

const run = promisify(execFile);

const FRAMEWORKS = ['react@19', '@types/react@19', 'vue@3', 'svelte@5', 'typescript@~5.9'];

const CONFIGURATION = {
  compilerOptions: {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
    ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler', jsx: 'react-jsx', lib: ['es2022', 'dom'] },
  },
  include: ['bindings'],
};

const COMPILE_SVELTE = `
  import { readFileSync } from 'node:fs';
  import { compile } from 'svelte/compiler';
  for (const [name, part] of [['Badge', '$unread'], ['OrderChat', 'parlance-unread']]) {
    const { js, warnings } = compile(readFileSync('bindings/' + name + '.svelte', 'utf8'), { generate: 'client' });
    if (warnings.length > 0 || !js.code.includes(part)) throw new Error(JSON.stringify([warnings, js.code]));
  }
`;

test('the examples of bindings compile with React, Vue and Svelte', { timeout: 300_000 }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'bindings-'));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  await installPackage(folder, ...FRAMEWORKS);
  await cp(join(folder, 'node_modules/parlance-chat/examples/bindings'), join(folder, 'bindings'), { recursive: true });
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(CONFIGURATION));
  const compiler = join(folder, 'node_modules/typescript/bin/tsc');
  const compiled = run(process.execPath, [compiler, '-p', folder], { cwd: folder });
  await assert.doesNotReject(compiled.catch((error) => Promise.reject(new Error(error.stdout || error.stderr))));
  await writeFile(join(folder, 'compile.mjs'), COMPILE_SVELTE);
  await run(process.execPath, ['compile.mjs'], { cwd: folder });
});
