import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { localFiles } from '../../lib/index.ts';
import { withReadableNames } from '../../server/multipart.ts';
import { running } from './running.ts';

const TYPE = 'multipart/form-data; boundary=b';

/** A form with one file, whose name is given by these parameters. */
const formOf = (parameters: string, content = 'content') =>
  `--b\r\nContent-Disposition: form-data; name="file"; ${parameters}\r\nContent-Type: text/plain\r\n\r\n${content}\r\n--b--\r\n`;

const EXTENDED = "UTF-8''%E5%8A%B3%E5%8A%A8.docx";

test('D6: a file is named by filename beside an unreadable filename*, as Postman sends both', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'uploads-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const { send } = await running(t, {}, { files: localFiles(folder) });
  const named = async (parameters: string) => {
    const { status, body } = await send('POST', '/api/v1/user_uploads', {
      headers: { 'content-type': TYPE },
      body: formOf(parameters),
    });
    return status === 200 ? body.filename : `${status} ${body.code}`;
  };
  assert.equal(await named(`filename="劳动.docx"; filename*="${EXTENDED}"`), '劳动.docx');
  assert.equal(await named(`filename*="${EXTENDED}"; filename="other.docx"`), 'other.docx');
  assert.equal(await named(`FileName=a.txt;FILENAME*="utf-8''b.txt"`), 'a.txt');
  assert.equal(await named(`filename="a.txt"; filename*=UTF-8''b c.txt`), 'a.txt');
  assert.equal(await named(`filename="a.txt"; filename*="b.txt"`), 'a.txt');
  assert.equal(await named(`filename="a.txt"; filename*=""`), 'a.txt');
  assert.equal(await named(`filename="a\\"; filename*=.txt"; filename*="x"`), 'a"; filename*=.txt');
  // Without another name, the quotes alone are wrong.
  assert.equal(await named(`filename*="${EXTENDED}"`), '劳动.docx');
  // .NET encodes `filename` in a way that only mail programs read.
  assert.equal(await named(`filename="=?utf-8?B?5Yqz?="; filename*=${EXTENDED}`), '劳动.docx');
  assert.equal(await named(`filename*=${EXTENDED}`), '劳动.docx');
  assert.equal(await named('filename*="no charset"'), '400 BAD_REQUEST');
});

test('D6: contents that look like headers are not changed, however the form is cut into pieces', async () => {
  const look = `Content-Disposition: form-data; filename="x"; filename*="${EXTENDED}"\r\n\r\n`;
  const content = `${look}x--b\r\n${look}\r\n--c\r\n${look}\r\n\r\n--b \r\n${look}`;
  const form = Buffer.from(
    `--b\r\n${look}${content}\r\n--b\r\nX-Other: 1\r\n${look}two\r\n--b\r\n\r\nno headers\r\n--b--\r\n`,
  );
  const expected = form
    .toString()
    .replaceAll(/(\r\n|^)--b\r\n(?:X-Other: 1\r\n)?Content.*\r\n/g, (headers) =>
      headers.replace(/; filename\*=.*\r\n$/, '\r\n'),
    );
  assert.equal(expected.split('filename*').length, content.split('filename*').length);
  const read = async (size: number) => {
    async function* pieces() {
      for (let at = 0; at < form.length; at += size) yield form.subarray(at, at + size);
    }
    const out: Uint8Array[] = [];
    for await (const piece of withReadableNames(pieces(), TYPE)) out.push(piece);
    return Buffer.concat(out).toString();
  };
  for (const size of [1, 2, 3, 5, 7, 64, 1_000, form.length]) assert.equal(await read(size), expected, String(size));
});

test('D6: headers of a part that are too long, and a form without parts, are passed on', async () => {
  for (const text of [`--b\r\nContent-Disposition: form-data; ${';a="'.repeat(50_000)}`, 'x'.repeat(100_000), '']) {
    const out: Uint8Array[] = [];
    for await (const piece of withReadableNames([Buffer.from(text)] as never, TYPE)) out.push(piece);
    assert.equal(Buffer.concat(out).toString() === text, true);
  }
});
