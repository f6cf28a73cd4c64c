import assert from 'node:assert/strict';
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { connect as connectTo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import sharp from 'sharp';
import { type ChatOptions, connect, localFiles } from '../../lib/index.ts';
import { BadRequest } from '../../lib/internal.ts';
import type { ServeOptions } from '../../server/index.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';
import { png } from '../world/pictures.ts';
import { temporary } from '../world/uploads.ts';
import { basic, running } from './running.ts';

/** A served chat with its own folder of files. */
async function keepingFiles(t: TestContext, options: Partial<ChatOptions> = {}, serving: ServeOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'uploads-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const served = await running(t, serving, { files: localFiles(folder), ...options });
  const upload = async (...files: readonly File[]) => {
    const form = new FormData();
    for (const [at, file] of files.entries()) form.append(`part ${at}`, file);
    const answer = await fetch(`${served.url}/api/v1/user_uploads`, {
      method: 'POST',
      headers: { authorization: served.auth },
      body: form,
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, string> };
  };
  // A folder may disappear during the scan. Then the scan is repeated.
  const stored = async (): Promise<number | undefined> => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) => {
      if (error.code !== 'ENOENT') throw error;
    });
    return entries?.filter((entry) => entry.isFile()).length;
  };
  return { ...served, folder, upload, stored };
}

test('an uploaded file is downloaded as it was sent', async (t) => {
  const { upload, url, auth } = await keepingFiles(t);
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251));
  const { status, body } = await upload(new File([bytes], 'my notes.txt', { type: 'text/plain' }));
  assert.equal(status, 200);
  assert.match(body.url ?? '', /^\/user_uploads\/1\/[0-9a-f]{1,2}\/[\w-]{24}\/my-notes\.txt$/);
  assert.deepEqual([body.uri, body.filename], [body.url, 'my notes.txt']);
  const answer = await fetch(url + body.url, { headers: { authorization: auth } });
  assert.equal(answer.status, 200);
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes);
  assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.equal(answer.headers.get('content-disposition'), 'inline; filename="my notes.txt"');
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  assert.match(answer.headers.get('content-security-policy') ?? '', /^sandbox; default-src 'none'/);
  assert.match(answer.headers.get('cache-control') ?? '', /private/);
  // Access depends on the account, with an API key or with the host's cookie.
  assert.equal(answer.headers.get('vary'), 'Authorization, Cookie, Origin');
});

test('D5: a form that ends inside its file is refused, and nothing is stored', async (t) => {
  const { send, stored, logged } = await keepingFiles(t);
  const head = '--b\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\n';
  for (const body of [`${head}half`, head, `${head}half\r\n--b`, head.slice(0, 30)]) {
    const { status, body: answer } = await send('POST', '/api/v1/user_uploads', {
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body,
    });
    assert.deepEqual([status, answer.code], [400, 'BAD_REQUEST'], JSON.stringify(body));
  }
  assert.equal(logged.length, 0);
  await until('nothing is stored', async () => (await stored()) === 0);
});

test('D7, G8: source files are shown as text, and types that can contain scripts are downloaded', async (t) => {
  const { upload, url, auth } = await keepingFiles(t);
  const served = async (name: string, type: string) => {
    const { body } = await upload(new File(['content'], name, { type }));
    const { headers } = await fetch(url + body.url, { headers: { authorization: auth } });
    return [headers.get('content-type'), headers.get('content-disposition')?.split(';')[0]];
  };
  for (const name of ['app.ts', 'app.MTS', 'lib.cts', 'main.rs', 'notes.org'])
    assert.deepEqual(await served(name, 'text/plain'), ['text/plain; charset=utf-8', 'inline'], name);
  assert.deepEqual(await served('film.ts', 'video/mp2t'), ['video/mp2t', 'attachment']);
  for (const type of ['audio/mpeg', 'video/mp4', 'application/pdf', 'image/avif'])
    assert.deepEqual(await served('a', type), [type, 'inline']);
  assert.deepEqual(await served('cat.png', 'text/plain'), ['image/png', 'inline']);
  for (const type of [
    'audio/html+xml',
    'video/x+xml',
    'audio/svg+xml',
    'application/xhtml+xml',
    'audio/html',
    'video/svg',
    'audio/xml',
    'image/svg+xml',
    'image/vnd.mozilla.apng+html',
    'text/html',
    'multipart/related',
    'application/pdf+html',
  ])
    assert.deepEqual(await served('a', type), [type, 'attachment']);
});

test('an upload needs exactly one file, in any part of the form', async (t) => {
  const { upload, stored } = await keepingFiles(t);
  const none = await upload();
  const two = await upload(new File(['a'], 'a'), new File(['b'], 'b'));
  assert.deepEqual([none.status, none.body.code], [400, 'BAD_REQUEST']);
  assert.match(none.body.msg ?? '', /You must specify a file to upload/);
  assert.deepEqual([two.status, two.body.code, two.body.msg], [400, 'BAD_REQUEST', 'Send exactly one file.']);
  assert.equal(await stored(), 0);
  assert.equal((await upload(new File([], 'empty'))).status, 200);
});

test('unknown fields before and after an uploaded file are reported', async (t) => {
  const { url, auth } = await keepingFiles(t);
  const form = new FormData();
  form.append('before', '1');
  form.append('file', new File(['a'.repeat(100_000)], 'a'));
  form.append('after', '1');
  const answer = await fetch(`${url}/api/v1/user_uploads?asked=1`, {
    method: 'POST',
    headers: { authorization: auth },
    body: form,
  });
  const { ignored_parameters_unsupported: ignored } = (await answer.json()) as Record<string, unknown>;
  assert.deepEqual(ignored, ['after', 'asked', 'before']);
});

test('a parameter after an uploaded file is refused, and nothing is stored', async (t) => {
  const { url, auth, stored } = await keepingFiles(t);
  const form = new FormData();
  form.append('file', new File(['a'.repeat(100_000)], 'a'));
  form.append('idempotency_key', 'once');
  const answer = await fetch(`${url}/api/v1/user_uploads`, {
    method: 'POST',
    headers: { authorization: auth },
    body: form,
  });
  const { code, msg } = (await answer.json()) as Record<string, unknown>;
  assert.deepEqual([answer.status, code, msg], [400, 'BAD_REQUEST', 'Send idempotency_key before the file.']);
  assert.equal(await stored(), 0);
});

test('an uploaded file beyond the limit is refused, and nothing is stored', async (t) => {
  const { upload, stored } = await keepingFiles(t, { maxUploadMebibytes: 1 });
  const { status, body } = await upload(new File([Buffer.alloc(3 * 1024 * 1024)], 'large'));
  assert.deepEqual([status, body.code, body.msg], [400, 'BAD_REQUEST', 'The file is too large (limit: 1 MiB).']);
  assert.equal(await stored(), 0);
  assert.equal((await upload(new File([Buffer.alloc(1024 * 1024)], 'just so'))).status, 200);
});

test('an upload beyond the quota of the organization is refused', async (t) => {
  const { upload, stored } = await keepingFiles(t, { uploadQuotaMebibytes: 1 });
  const half = new File([Buffer.alloc(512 * 1024)], 'half');
  assert.equal((await upload(half)).status, 200);
  assert.equal((await upload(half)).status, 200);
  const { status, body } = await upload(new File(['x'], 'one byte'));
  assert.deepEqual([status, body.code], [400, 'REALM_UPLOAD_QUOTA']);
  assert.equal(await stored(), 2);
});

test('downloads have their own rate limit', async (t) => {
  const { upload, send } = await keepingFiles(t, {}, { rateLimits: { files_by_user: { seconds: 60, max: 2 } } });
  const { body } = await upload(new File(['a'], 'a.txt'));
  const read = async (path: string) => (await send('GET', path)).status;
  assert.deepEqual(
    [await read(body.url ?? ''), await read(`${body.url}?x`), await read(body.url ?? '')],
    [200, 200, 429],
  );
  assert.equal((await send('GET', '/api/v1/users/me')).status, 200);
});

test('a download with a range returns a part, with a known ETag no content', async (t) => {
  const { upload, url, auth, send } = await keepingFiles(t);
  const { body } = await upload(new File(['0123456789'], 'digits.txt'));
  const get = (headers: Record<string, string>, method = 'GET') =>
    fetch(url + body.url, { method, headers: { authorization: auth, ...headers } });
  const { headers: whole } = await get({});
  const etag = whole.get('etag') ?? assert.fail();
  const modified = whole.get('last-modified') ?? assert.fail();
  const ranges: [Record<string, string>, number, string, string | null][] = [
    [{ range: 'bytes=2-4' }, 206, '234', 'bytes 2-4/10'],
    [{ range: 'bytes=7-' }, 206, '789', 'bytes 7-9/10'],
    [{ range: 'bytes=-2' }, 206, '89', 'bytes 8-9/10'],
    [{ range: 'bytes=-99' }, 206, '0123456789', 'bytes 0-9/10'],
    [{ range: 'bytes=5-99' }, 206, '56789', 'bytes 5-9/10'],
    [{ range: 'bytes=10-' }, 416, '', 'bytes */10'],
    [{ range: 'bytes=-0' }, 416, '', 'bytes */10'],
    [{ range: 'bytes=4-2' }, 200, '0123456789', null],
    [{ range: 'bytes=0-1,4-5' }, 200, '0123456789', null],
    [{ range: 'bytes=2-4', 'if-range': etag }, 206, '234', 'bytes 2-4/10'],
    [{ range: 'bytes=2-4', 'if-range': '"another"' }, 200, '0123456789', null],
    [{ 'if-none-match': etag }, 304, '', null],
    [{ 'if-none-match': `W/${etag}, "x"` }, 304, '', null],
    [{ 'if-none-match': '"x"' }, 200, '0123456789', null],
    [{ 'if-modified-since': modified }, 304, '', null],
    [{ 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 200, '0123456789', null],
    // RFC 9110, 13.2.2: If-None-Match takes precedence.
    [{ 'if-none-match': '"x"', 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' }, 200, '0123456789', null],
  ];
  for (const [headers, status, text, range] of ranges) {
    const answer = await get(headers);
    const said = [answer.status, await answer.text(), answer.headers.get('content-range')];
    assert.deepEqual(said, [status, text, range], JSON.stringify(headers));
  }
  const head = await get({}, 'HEAD');
  assert.deepEqual([head.status, head.headers.get('content-length'), await head.text()], [200, '10', '']);
  const options = await send('OPTIONS', body.url ?? '');
  assert.deepEqual([options.status, options.headers.allow], [204, 'GET, HEAD']);
  assert.equal((await send('POST', body.url ?? '')).status, 405);
});

test('a temporary URL of a file works without login, and forged ones are refused', async (t) => {
  const { upload, url, chat, owner } = await keepingFiles(t);
  const { body } = await upload(new File(['secret'], 'säge.txt'));
  const { url: path } = await chat.as(owner.user_id).uploads.getTemporaryUrl(temporary(body.url ?? ''));
  const answer = await fetch(url + path);
  assert.deepEqual([answer.status, await answer.text()], [200, 'secret']);
  const forged = path.replace(/-[0-9a-f]{4}/, '-0000');
  assert.equal((await fetch(url + forged)).status, 403);
  assert.equal((await fetch(url + path.replace(/\/\d+-/, '/1-'))).status, 403);
});

test('a temporary URL works for 60 seconds', async (t) => {
  const clock = new ManualClock();
  const { upload, url, chat, owner } = await keepingFiles(t, { clock });
  const { body } = await upload(new File(['secret'], 'a.txt'));
  const { url: path } = await chat.as(owner.user_id).uploads.getTemporaryUrl(temporary(body.url ?? ''));
  const status = async () => (await fetch(url + path)).status;
  clock.advance({ milliseconds: 60_000 - (clock.now() % 1000) - 1 });
  assert.equal(await status(), 200);
  clock.advance({ milliseconds: 1 });
  assert.equal(await status(), 403);
});

test('a session over HTTP uploads a file from a stream of pieces', async (t) => {
  const { url, owner, chat } = await keepingFiles(t);
  const session = connect({ site: url, email: owner.email, api_key: owner.api_key });
  t.after(() => session.close());
  const content = (async function* () {
    for (let at = 0; at < 5; at++) yield Buffer.from(`piece ${at}\n`);
  })();
  const sent = await session.uploads.send({ file: { name: 'pieces "1".log', content } });
  assert.equal(sent.filename, 'pieces "1".log');
  assert.match(sent.url, /\/pieces-1\.log$/);
  const [, , realm_id_str = '', ...rest] = sent.url.split('/');
  const got = await session.uploads.getTemporaryUrl({ realm_id_str, filename: rest.join('/') });
  assert.match(await (await fetch(url + got.url)).text(), /^(piece \d\n){5}$/);
  const blob = await chat.as(owner.user_id).uploads.send({ file: new Blob(['x']) });
  assert.equal(blob.filename, 'uploaded-file');
});

test('an upload is refused by a chat without a file store', async (t) => {
  const { upload, chat, owner } = await keepingFiles(t, { files: undefined });
  const { max_file_upload_size_mib } = await chat.as(owner.user_id).register({ fetch_event_types: ['realm'] });
  assert.equal(max_file_upload_size_mib, 0);
  const { status, body } = await upload(new File(['x'], 'x'));
  assert.deepEqual([status, body.code], [400, 'BAD_REQUEST']);
});

test('a file name cannot break out of the Content-Disposition header', async (t) => {
  const { chat, owner, url, auth } = await keepingFiles(t);
  const names: [string, string][] = [
    ['a"; filename="b.exe', 'attachment; filename="a\\"; filename=\\"b.exe"'],
    ['a\r\nSet-Cookie: b=c.bin', 'attachment; filename="aSet-Cookie: b=c.bin"'],
    ['säge ½.bin', `attachment; filename="s?ge ?.bin"; filename*=UTF-8''s%C3%A4ge%20%C2%BD.bin`],
    ['計画.bin', `attachment; filename="??.bin"; filename*=UTF-8''${encodeURIComponent('計画')}.bin`],
    ['../../etc/passwd', 'attachment; filename=passwd'],
  ];
  for (const [name, disposition] of names) {
    const sent = await chat.as(owner.user_id).uploads.send({ file: { name, content: Buffer.from('x') } });
    const answer = await fetch(url + sent.url, { headers: { authorization: auth } });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-disposition'), disposition, name);
    assert.equal(answer.headers.get('set-cookie'), null);
  }
});

test('an interrupted upload leaves no file', async (t) => {
  const { port, auth, chat, stored, logged } = await keepingFiles(t);
  const socket = connectTo(port, '127.0.0.1');
  const head = 'Content-Disposition: form-data; name="f"; filename="a.txt"';
  socket.write(
    `POST /api/v1/user_uploads HTTP/1.1\r\nHost: x\r\nAuthorization: ${auth}\r\nContent-Length: 1000000\r\n` +
      `Content-Type: multipart/form-data; boundary=edge\r\n\r\n--edge\r\n${head}\r\n\r\n${'x'.repeat(500_000)}`,
  );
  await until('one file is stored', async () => (await stored()) === 1);
  socket.destroy();
  await until('no file is stored', async () => (await stored()) === 0);
  assert.deepEqual(logged, []);
  await chat.runDue();
});

test('a client that disconnects during a download leaves no file open', {
  skip: process.platform === 'linux' ? false : 'open files are counted as Linux shows them',
}, async (t) => {
  const { upload, url, auth, folder } = await keepingFiles(t);
  const { body } = await upload(new File([Buffer.alloc(20 * 1024 * 1024)], 'large.bin'));
  const open = async () => {
    const links = await Promise.all(
      (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
    );
    return links.filter((link) => link.startsWith(folder)).length;
  };
  const abort = new AbortController();
  const answer = await fetch(url + body.url, { headers: { authorization: auth }, signal: abort.signal });
  await answer.body?.getReader().read();
  assert.equal(await open(), 1);
  abort.abort();
  await until('no file is open', async () => (await open()) === 0);
});

test('a connection reset during a download is not logged as an error', async (t) => {
  const { upload, port, auth, logged } = await keepingFiles(t);
  const { body } = await upload(new File([Buffer.alloc(20 * 1024 * 1024)], 'large.bin'));
  for (let times = 0; times < 10; times++) {
    const socket = connectTo(port, '127.0.0.1').on('error', () => undefined);
    socket.write(`GET ${body.url} HTTP/1.1\r\nHost: x\r\nAuthorization: ${auth}\r\n\r\n`);
    await new Promise((resolve) => socket.once('data', resolve));
    if (times % 2 === 1) socket.pause();
    await new Promise((resolve) => setTimeout(resolve, times * 5));
    socket.resetAndDestroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.deepEqual(logged, []);
});

test('static images of the server are not sent again to clients with their ETag', async (t) => {
  const { url } = await keepingFiles(t);
  const first = await fetch(`${url}/static/organization-icon.png`);
  const etag = first.headers.get('etag') ?? assert.fail();
  const again = await fetch(`${url}/static/organization-icon.png`, { headers: { 'if-none-match': etag } });
  assert.deepEqual([first.status, again.status, (await again.arrayBuffer()).byteLength], [200, 304, 0]);
});

test('the image address of :zulip: in messages is served', async (t) => {
  const { url, auth } = await keepingFiles(t);
  const headers = { authorization: auth };
  const body = new URLSearchParams({ content: ':zulip:' });
  const said = await fetch(`${url}/api/v1/messages/render`, { method: 'POST', headers, body });
  const { rendered } = (await said.json()) as { rendered: string };
  const answer = await fetch(new URL(/src="([^"]+)"/.exec(rendered)?.[1] ?? assert.fail(rendered), url));
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/png']);
});

test('file addresses have the prefix of the server', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'uploads-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const { chat, owner, url: site, send } = await running(t, { prefix: '/chat' }, { files: localFiles(folder) });
  const file = new File([png], 'tiny.png', { type: 'image/png' });
  const ada = chat.as(owner.user_id);
  const { url } = await ada.uploads.send({ file });
  assert.match(url, /^\/chat\/user_uploads\//);
  assert.equal((await send('GET', url)).status, 200);
  for (const link of [url, new URL(url, site).href]) {
    const { rendered } = await ada.messages.render({ content: `[tiny](${link})` });
    const [, href, src] = /<a href="([^"]+)" title="tiny"><img [^>]*src="([^"]+)"/.exec(rendered) ?? [];
    assert.deepEqual([href, src], [url, `${url.replace('/user_uploads', '/user_uploads/thumbnail')}/840x560.webp`]);
  }
  const session = connect({ site, email: owner.email, api_key: owner.api_key });
  t.after(() => session.close());
  assert.equal((await session.download(url)).name, 'tiny.png');
});

test('thumbnails of images in messages are served to users who may read the file', async (t) => {
  const { chat, owner, url: site, auth } = await keepingFiles(t);
  const large = await sharp({ create: { width: 2000, height: 500, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  const frame = (background: string) =>
    sharp({ create: { width: 40, height: 30, channels: 3, background } })
      .raw()
      .toBuffer();
  const moving = await sharp(Buffer.concat([await frame('teal'), await frame('navy')]), {
    raw: { width: 40, height: 60, channels: 3, pageHeight: 30 } as never,
  })
    .gif()
    .toBuffer();
  const ada = chat.as(owner.user_id);
  const ben = await ada.users.create({ email: 'ben@example.com', full_name: 'Ben' });
  const stranger = basic('ben@example.com', await chat.apiKeyOf(ben.user_id));
  const shown = async (bytes: Buffer, type: string, name: string) => {
    const { url } = await ada.uploads.send({ file: new File([new Uint8Array(bytes)], name, { type }) });
    const { rendered } = await ada.messages.render({ content: `[it](${url})` });
    const src = /<img [^>]*src="([^"]+)"/.exec(rendered)?.[1] ?? assert.fail(rendered);
    assert.equal((await fetch(site + src, { headers: { authorization: stranger } })).status, 404);
    const answer = await fetch(site + src, { headers: { authorization: auth } });
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/webp']);
    const { width, height, pages } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
    const again = await fetch(site + src, {
      headers: { authorization: auth, 'if-none-match': answer.headers.get('etag') ?? '' },
    });
    assert.equal(again.status, 304);
    const [, , realm_id_str = '', ...rest] = url.split('/');
    const { url: temporary } = await ada.uploads.getTemporaryUrl({ realm_id_str, filename: rest.join('/') });
    const withoutLogin = await fetch(`${site}${temporary}/${src.split('/').at(-1)}`);
    assert.deepEqual([withoutLogin.status, withoutLogin.headers.get('content-type')], [200, 'image/webp']);
    assert.equal((await fetch(`${site}${temporary}/1x1.webp`)).status, 404);
    return { rendered, size: [width, height, pages] };
  };
  const still = await shown(large, 'image/png', 'large.png');
  assert.match(still.rendered, /data-original-dimensions="2000x500"/);
  assert.deepEqual(still.size, [840, 210, undefined]);
  const animated = await shown(moving, 'image/gif', 'moving.gif');
  assert.match(animated.rendered, /<img data-animated="true" [^>]*840x560-anim\.webp"/);
  assert.deepEqual(animated.size, [40, 30, 2]);
});

test('images in messages have no thumbnail on a server without image support', async (t) => {
  const refuse = () => Promise.reject(new BadRequest('This server cannot work on pictures.'));
  const images = { emoji: refuse, avatar: refuse, measure: refuse, thumbnail: refuse };
  const { chat, owner } = await keepingFiles(t, { images });
  const ada = chat.as(owner.user_id);
  const { url } = await ada.uploads.send({ file: new File([png], 'tiny.png', { type: 'image/png' }) });
  const { rendered } = await ada.messages.render({ content: `[it](${url})` });
  assert.match(rendered, new RegExp(`<img data-original-content-type="image/png" src="${url}">`));
});
