import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { localFiles } from '../../lib/index.ts';
import { withReadableNames } from '../../server/multipart.ts';
import { running } from './running.ts';

const TYPE = 'multipart/form-data; boundary=b';

/** A form with one file and these filename parameters. */
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
  // Without another name, only the quotes are wrong.
  assert.equal(await named(`filename*="${EXTENDED}"`), '劳动.docx');
  // .NET encodes `filename` in a form that only mail programs read.
  assert.equal(await named(`filename="=?utf-8?B?5Yqz?="; filename*=${EXTENDED}`), '劳动.docx');
  assert.equal(await named(`filename*=${EXTENDED}`), '劳动.docx');
  assert.equal(await named('filename*="no charset"'), '400 BAD_REQUEST');
});

test('D6: content that looks like headers is unchanged, wherever the form is split', async () => {
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

test('D6: too long part headers, and forms without parts, are passed on', async () => {
  for (const text of [`--b\r\nContent-Disposition: form-data; ${';a="'.repeat(50_000)}`, 'x'.repeat(100_000), '']) {
    const out: Uint8Array[] = [];
    for await (const piece of withReadableNames([Buffer.from(text)] as never, TYPE)) out.push(piece);
    assert.equal(Buffer.concat(out).toString() === text, true);
  }
});

/** A form with these parts: their headers and their content. */
const partsOf = (...parts: [headers: string, content: string | Buffer][]) => ({
  headers: { 'content-type': TYPE },
  body: Buffer.concat([
    ...parts.flatMap(([headers, content]) => [
      Buffer.from(`--b\r\n${headers}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from('--b--\r\n'),
  ]),
});
const field = (name: string, more = '') => `Content-Disposition: form-data; name="${name}"${more}`;
const BYTES = '\r\nContent-Type: application/octet-stream';

test('a part of bytes without a file name is a field, and an empty file field of a browser is ignored', async (t) => {
  const { send } = await running(t);
  const rendered = async (...parts: Parameters<typeof partsOf>) =>
    (await send('POST', '/api/v1/messages/render', partsOf(...parts))).body;
  const html = '<p>hello</p>';
  assert.equal((await rendered([field('content', BYTES), 'hello'])).rendered, html);
  const first = `Content-Type: Application/Octet-Stream; x=y\r\n${field('content')}`;
  assert.equal((await rendered([first, 'hello'])).rendered, html);
  const folded = 'Content-Disposition: form-data;\r\n name="content"';
  assert.equal((await rendered([`${folded}${BYTES}`, 'hello'])).rendered, html);
  const empty = field('file', `; filename=""${BYTES}`);
  assert.equal((await rendered([field('content'), 'hello'], [empty, ''])).rendered, html);
  const nameless = await rendered([field('content'), 'hello'], [empty, 'bytes']);
  assert.deepEqual([nameless.code, nameless.msg], ['BAD_REQUEST', 'Send a file with its name.']);
});

test('parts in unsupported encodings are refused, not ignored', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'uploads-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const { send, logged } = await running(t, { maxBodyBytes: 1000 }, { files: localFiles(folder) });
  const file = field('file', '; filename="a.txt"');
  const key = field('idempotency_key');
  const charset = '\r\nContent-Type: text/plain; charset=shift_jis';
  const base64 = '\r\nContent-Transfer-Encoding: BASE64';
  const refusals: [path: string, parts: Parameters<typeof partsOf>, status?: number][] = [
    ['messages/render?content=query', [[field('content', charset), 'hello']]],
    ['messages/render?content=query', [[field('content', base64), 'aGVsbG8=']]],
    ['user_uploads', [[file + base64, 'aGVsbG8=']]],
    [
      'user_uploads',
      [
        [key + charset, 'a'],
        [file, 'hello'],
      ],
    ],
    [
      'user_uploads',
      [
        [key, Buffer.from([0x61, 0xff])],
        [file, 'hello'],
      ],
    ],
    [
      'users/me/avatar',
      [
        [field('x', charset), 'a'],
        [file, 'hello'],
      ],
    ],
    [
      'users/me/avatar',
      [
        [field('x'), 'a'.repeat(2000)],
        [file, 'hello'],
      ],
      413,
    ],
  ];
  for (const [path, parts, status = 400] of refusals) {
    const answer = await send('POST', `/api/v1/${path}`, partsOf(...parts));
    assert.deepEqual([answer.status, answer.body?.code], [status, 'BAD_REQUEST'], `${path} ${parts[0]?.[0]}`);
  }
  assert.deepEqual(logged, []);
  assert.equal((await send('POST', '/api/v1/user_uploads', partsOf([key, 'a'], [file, 'hello']))).status, 200);
});
