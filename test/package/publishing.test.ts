import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { objectionsTo } from './publishing.ts';

const complete = {
  repository: { type: 'git', url: 'git+https://git.example.com/chat/parlance.git' },
  homepage: 'https://git.example.com/chat/parlance',
  bugs: 'https://git.example.com/chat/parlance/issues',
};

test('a package with the addresses of its project may be published', () => {
  assert.deepEqual(objectionsTo(complete), []);
});

test('a package without addresses may not be published', () => {
  assert.deepEqual(objectionsTo({ repository: { url: '' }, homepage: 'https://git.example.com/' }), [
    'package.json has no address in "repository".',
    'package.json has no address in "homepage".',
    'package.json has no address in "bugs".',
  ]);
});

test('prepublishOnly first runs a check that fails with the reasons against publishing', async () => {
  const manifest = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  assert.match(manifest.scripts.prepublishOnly, /^tsx test\/package\/publishing\.ts && /);
  const objections = objectionsTo(manifest);
  const args = ['--import', 'tsx', 'test/package/publishing.ts'];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(status, objections.length > 0 ? 1 : 0);
  for (const objection of objections) assert.ok(stderr.includes(`${objection}\n`), objection);
});
