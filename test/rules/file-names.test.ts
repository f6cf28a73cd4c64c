import assert from 'node:assert/strict';
import { test } from 'node:test';
import { displayName, fileName, pathIdOf, readPathId, uploadUrl } from '../../lib/rules/uploads.ts';

const KEY = `1/a/${'K'.repeat(24)}`;

test('the name of an uploaded file is shown without folders, invisible characters and a name too long', () => {
  for (const [given, shown] of [
    ['a b.pdf', 'a b.pdf'],
    ['a%20b.pdf', 'a b.pdf'],
    ['100%.pdf', '100%.pdf'],
    [' ../../x/\u202egnp.exe ', 'gnp.exe'],
    ['a\u0000\n.txt', 'a.txt'],
    ['x/', 'uploaded-file'],
    ['', 'uploaded-file'],
    ['🎭'.repeat(255), '🎭'.repeat(255)],
    ['🎭'.repeat(256), '🎭'.repeat(255)],
  ] as const)
    assert.equal(displayName(given), shown, given);
});

test('the name in a URL has letters, digits, "_", "." and "-", at most 200 bytes, and its extension', () => {
  for (const [name, inUrl] of [
    ['Zoë Ångström.PDF', 'Zoë-Ångström.PDF'],
    ['a  -  b_c.tar.gz', 'a-b_c.tar.gz'],
    ['ﬁle①.txt', 'file1.txt'],
    ['<a href="x">', 'a-hrefx'],
    ['.', 'uploaded-file'],
    ['..', 'uploaded-file'],
    ['...', '...'],
    ['?!', 'uploaded-file'],
    ['東京.png', '東京.png'],
    [`${'x'.repeat(196)}.png`, `${'x'.repeat(196)}.png`],
    [`${'x'.repeat(197)}.png`, `${'x'.repeat(196)}.png`],
    [`${'東'.repeat(70)}.png`, `${'東'.repeat(65)}.png`],
    [`${'x'.repeat(195)}.abcdefghijk`, `${'x'.repeat(195)}.abcd`],
  ] as const)
    assert.equal(fileName(name), inUrl, name);
});

test('a path of a file has a key and a name', () => {
  const address = { file_key: KEY, file_name: 'a.txt' };
  assert.deepEqual(readPathId(pathIdOf(address)), address);
  for (const path of [
    KEY,
    `${KEY}/`,
    `${KEY}/a/b`,
    `x${KEY}/a`,
    `${KEY}x/a`,
    `1/abc/${'K'.repeat(24)}/a`,
    `1/a/${'K'.repeat(23)}./a`,
  ])
    assert.equal(readPathId(path), undefined, path);
  assert.equal(uploadUrl(address), `/user_uploads/${KEY}/a.txt`);
  assert.equal(uploadUrl(address, '/chat', '/thumbnail'), `/chat/user_uploads/thumbnail/${KEY}/a.txt`);
});
