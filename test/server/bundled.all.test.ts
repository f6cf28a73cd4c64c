import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { buildWeb } from '../../server/pages/web/build.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGES = [
  ...['/login', '/api/docs', '/api/docs/events', '/api/v1/openapi.json'],
  ...['/static/organization-icon.png', '/static/panel.js'],
];

const PROGRAM = `
import { openChat, sqlite } from '${ROOT}lib/index.ts';
import { fetchHandler } from '${ROOT}server/index.ts';
const chat = await openChat({ storage: sqlite(':memory:') });
await chat.createOrganization({ name: 'X', owner: { email: 'ada@example.com', full_name: 'Ada' } });
const handler = fetchHandler(chat);
const said = [];
for (const page of ${JSON.stringify(PAGES)}) {
  const answer = await handler(new Request('http://localhost' + page));
  said.push(answer.status === 200 ? 200 : (await answer.json()).msg);
}
console.log(JSON.stringify(said));
await chat.close();
`;

test('a server bundled into one file serves its pages, or says which files are missing', async (t) => {
  // Modules that cannot be bundled resolve from here.
  const folder = await mkdtemp(join(ROOT, 'node_modules/.bundled-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const outfile = join(folder, 'program.mjs');
  await build({
    stdin: { contents: PROGRAM, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['better-sqlite3', 'sharp', 'pg'],
    banner: { js: "import { createRequire as of } from 'node:module'; const require = of(import.meta.url);" },
    outfile,
    logLevel: 'error',
  });
  // Unread responses must not keep the program alive.
  const limit = { timeout: 60_000 };
  const said = async () => JSON.parse((await promisify(execFile)(process.execPath, [outfile], limit)).stdout);
  const missing = (name: string, what: string) =>
    `There is nothing at /${name}: the bundle does not include this file. Copy parlance-chat/dist/${what} next to the bundle.`;
  assert.deepEqual(await said(), [
    ...[200, 200, 200, 200],
    missing('organization-icon.png', 'images'),
    missing('static/panel.js', 'web'),
  ]);
  await cp(join(ROOT, 'server/pages/images'), join(folder, 'images'), { recursive: true });
  await buildWeb(folder);
  assert.deepEqual(await said(), [200, 200, 200, 200, 200, 200]);
});
