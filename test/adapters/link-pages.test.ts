import assert from 'node:assert/strict';
import { Resolver } from 'node:dns/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { fetchLinkPreview, MAX_PAGE_BYTES, TIMEOUT_MS } from '../../lib/adapters/link-pages.ts';

const LOCAL = { allowPrivateAddresses: ['127.0.0.1'], timeoutMs: 10 * TIMEOUT_MS };
const HTML = { 'content-type': 'text/html; charset=utf-8' };
const IMAGE = '<meta property="og:image" content="/p.png">';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A site whose pages are these, by path. */
async function site(t: TestContext, pages: Record<string, Answer | string | Buffer>, headers: object = HTML) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const page = pages[request.url ?? ''];
    if (typeof page === 'function') page(request, response);
    else response.writeHead(page === undefined ? 404 : 200, { ...headers }).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, requests };
}

const movedTo =
  (location: string): Answer =>
  (_, response) =>
    response.writeHead(302, { location }).end();

test('a page is read by its og: data, then those of Twitter, then its title and description', async (t) => {
  const { url, requests } = await site(t, {
    '/og': `<html><head><title>No</title><meta name=description content=no>${IMAGE}
      <meta property="og:title" content="Soup &amp; &lt;b&gt;"><meta property="OG:Description" content=" Hot\nand\u0000 \u202egood ">
      <meta property="og:title" content="Later"></head><body>`,
    '/twitter':
      '<meta name="twitter:title" content="T"><meta name="twitter:image" content="//cdn.example/a b.png?x=\\y">',
    '/plain': `<title>A
      page</title>${IMAGE}<meta name="description" content="About it"><svg><title>Other</title></svg>`,
    '/none': '<title>Without a picture</title>',
    '/javascript': '<title>x</title><meta property="og:image" content="javascript:alert(1)">',
    '/late': `<head><title>Late</title></head><body>${IMAGE}</body>`,
  });
  const read = (path: string) => fetchLinkPreview(url + path, LOCAL);
  const image = `${url}/p.png`;
  assert.deepEqual(await read('/og'), { title: 'Soup & <b>', description: 'Hot and good', image });
  assert.deepEqual(await read('/twitter'), {
    title: 'T',
    description: '',
    image: 'http://cdn.example/a%20b.png?x=%5Cy',
  });
  assert.deepEqual(await read('/plain#part'), { title: 'A page', description: 'About it', image });
  for (const path of ['/none', '/javascript', '/late']) assert.equal(await read(path), undefined, path);
  const { headers } = requests[0] as IncomingMessage;
  assert.match(headers['user-agent'] ?? '', /^Mozilla\/5\.0 \(compatible; ParlanceLinkPreview\/[\d.]+\)$/);
  assert.deepEqual(Object.keys(headers).sort(), ['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
});

test('long texts of a page are cut, and lone surrogates are replaced', async (t) => {
  const { url } = await site(t, {
    '/': `<title>${'ä'.repeat(50_000)}</title>${IMAGE}<meta name="description" content="&#xD800;${'🍲'.repeat(800)}">`,
  });
  const found = await fetchLinkPreview(url, LOCAL);
  assert.equal(found?.title, `${'ä'.repeat(199)}…`);
  assert.match(found?.description ?? '', /^\ufffd(?:🍲){398}…$/u);
});

test('a page is decoded by its header, then its meta element, then as UTF-8', async (t) => {
  const cyrillic = Buffer.from([0xd1, 0xf3, 0xef]);
  const page = (meta: string, text: Buffer | string) =>
    Buffer.concat([Buffer.from(`${meta}<title>`), Buffer.from(text), Buffer.from(`</title>${IMAGE}`)]);
  const answer =
    (type: string, content: Buffer): Answer =>
    (_, response) =>
      response.writeHead(200, { 'content-type': type }).end(content);
  const { url } = await site(t, {
    '/header': answer('text/html;charset="windows-1251"', page('<meta charset=utf-8>', cyrillic)),
    '/meta': answer('text/html', page('<meta charset="windows-1251">', cyrillic)),
    '/equiv': answer('TEXT/HTML', page('<meta http-equiv=Content-Type content="x; charset=cp1251">', cyrillic)),
    '/invalid': answer('text/html; charset=klingon', page('', 'Суп')),
  });
  for (const path of ['/header', '/meta', '/equiv', '/invalid'])
    assert.equal((await fetchLinkPreview(url + path, LOCAL))?.title, 'Суп', path);
});

test('five redirects are followed, and each address must be public', async (t) => {
  const pages: Record<string, Answer | string> = { '/0': `<title>There</title>${IMAGE}` };
  for (let n = 1; n <= 1_000; n++) pages[`/${n}`] = movedTo(`/${n - 1}`);
  const { url, port, requests } = await site(t, {
    ...pages,
    '/loopback': (request, response) => movedTo(`http://127.0.0.2:${port}/0`)(request, response),
    '/mapped': (request, response) => movedTo(`http://[::ffff:7f00:2]:${port}/0`)(request, response),
    '/decimal': (request, response) => movedTo(`http://2130706434:${port}/0`)(request, response),
    '/metadata': movedTo('http://169.254.169.254/latest/meta-data/'),
    '/file': movedTo('file:///etc/passwd'),
    '/login': (request, response) => movedTo(`http://a:b@127.0.0.1:${port}/0`)(request, response),
    '/invalid': movedTo('http://['),
  });
  assert.equal((await fetchLinkPreview(`${url}/5`, LOCAL))?.title, 'There');
  const before = requests.length;
  await assert.rejects(fetchLinkPreview(`${url}/1000`, LOCAL), /redirects more than 5 times/);
  assert.equal(requests.length - before, 6);
  for (const path of ['/loopback', '/mapped', '/decimal', '/metadata'])
    await assert.rejects(fetchLinkPreview(url + path, LOCAL), /is in a private network/, path);
  for (const path of ['/file', '/login', '/invalid'])
    await assert.rejects(fetchLinkPreview(url + path, LOCAL), /has an address that is not fetched/, path);
  await assert.rejects(fetchLinkPreview(`${url}/0`), /is in a private network/);
  await assert.rejects(fetchLinkPreview(`http://localhost.:${port}/0`), /is in a private network/);
});

test('a host name is checked by the address that is connected to, and asked without the lookup of the system', async (t) => {
  const { port, requests } = await site(t, { '/': `<title>There</title>${IMAGE}` });
  const answers: string[][] = [];
  const { resolve4, resolve6 } = Resolver.prototype;
  Resolver.prototype.resolve4 = (async () => answers.shift() ?? []) as never;
  Resolver.prototype.resolve6 = (async () => []) as never;
  t.after(() => Object.assign(Resolver.prototype, { resolve4, resolve6 }));
  const fetchIt = () => fetchLinkPreview(`http://pages.example.com:${port}/`, LOCAL);
  answers.push(['127.0.0.1']);
  assert.equal((await fetchIt())?.title, 'There');
  for (const changed of [['10.0.0.1'], ['127.0.0.1', '10.0.0.1'], ['169.254.169.254'], []]) {
    answers.push(changed);
    await assert.rejects(fetchIt(), /is in a private network/, changed.join());
  }
  assert.equal(requests.length, 1);
});

test('what is no readable page is refused: other types, compressed pages and errors', async (t) => {
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  const { url } = await site(t, {
    '/image': (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end('x'),
    '/untyped': (_, response) => response.writeHead(200).end('<title>x</title>'),
    '/gzip': (_, response) => response.writeHead(200, { ...HTML, 'content-encoding': 'gzip' }).end(bomb),
    '/status': (_, response) => response.writeHead(500, HTML).end(IMAGE),
    '/reset': (request) => request.socket.destroy(),
    '/headers': (_, response) => response.writeHead(200, { ...HTML, 'x-a': 'a'.repeat(100_000) }).end(IMAGE),
  });
  for (const path of ['/image', '/untyped', '/gzip', '/status', '/reset', '/headers'])
    await assert.rejects(fetchLinkPreview(url + path, LOCAL), { name: 'OutgoingCallFailed' }, path);
});

test('of an endless page at most the first MiB is read, and only its head', async (t) => {
  const endless =
    (start: string, filler: string): Answer =>
    (request, response) => {
      response.writeHead(200, HTML).write(start);
      const more = () => {
        while (response.write(filler.repeat(4_096)));
      };
      response.on('drain', more);
      request.socket.on('error', () => undefined).on('close', () => response.destroy());
      more();
    };
  const head = `<title>Big</title>${IMAGE}`;
  const { url } = await site(t, {
    '/comment': endless(`${head}<!--`, 'x'),
    '/meta': endless(head, '<meta a="'),
    '/metas': endless(head, '<meta name=a content=b>'),
    '/nested': endless(head, '<b>'),
    '/attributes': endless(`${head}<meta `, 'a b=c '),
    '/body': endless(`${head}</head>`, 'x'),
  });
  for (const path of ['/comment', '/meta', '/metas', '/nested', '/attributes', '/body']) {
    const before = process.cpuUsage();
    assert.equal((await fetchLinkPreview(url + path, LOCAL))?.title, 'Big', path);
    const { user } = process.cpuUsage(before);
    assert.ok(user < 1_500_000, `${path} took ${user} µs of the processor`);
  }
});

test('tags after the first MiB do not count', async (t) => {
  const { url } = await site(t, { '/': `<title>x</title><!--${'x'.repeat(MAX_PAGE_BYTES)}-->${IMAGE}` });
  assert.equal(await fetchLinkPreview(url, LOCAL), undefined);
});

test('a page that comes slowly, or never, ends with the timeout', async (t) => {
  const drip: Answer = (_, response) => {
    response.writeHead(200, HTML);
    const timer = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(timer));
  };
  const { url } = await site(t, { '/drip': drip, '/never': () => undefined });
  for (const path of ['/drip', '/never'])
    await assert.rejects(
      fetchLinkPreview(url + path, { ...LOCAL, timeoutMs: 200 }),
      /took more than 0.2 seconds/,
      path,
    );
});
