import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { objectionsTo } from './publishing.ts';

const complete = {
  name: '@example/parlance',
  repository: { type: 'git', url: 'git+https://git.example.com/chat/parlance.git' },
  homepage: 'https://git.example.com/chat/parlance',
  bugs: 'https://git.example.com/chat/parlance/issues',
};

test('a package with the addresses of its project may be published', () => {
  assert.deepEqual(objectionsTo(complete), []);
});

test('a package without addresses or with the name of another package may not be published', () => {
  assert.deepEqual(objectionsTo({ name: 'parlance', repository: { url: '' }, homepage: 'https://git.example.com/' }), [
    'package.json has no address in "repository".',
    'package.json has no address in "homepage".',
    'package.json has no address in "bugs".',
    'The name "parlance" belongs to another package on npm.',
  ]);
});

test('prepublishOnly runs the checks of publishing first', async () => {
  const { scripts } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  assert.match(scripts.prepublishOnly, /^tsx test\/package\/publishing\.ts && /);
});
