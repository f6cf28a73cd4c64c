import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { localFiles, openChat, sqlite } from '../../lib/index.ts';
import { requestListener } from '../../server/index.ts';
import { launched, NO_BROWSER } from '../client/pages.ts';
import { listening } from './running.ts';

const SCRIPT = 'fetch("/caught", { method: "POST" }); try { top.document.title = "caught" } catch {}';
const HTML = `<!doctype html><title>x</title><script>${SCRIPT}</script><img src=x onerror='${SCRIPT}'>`;
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload='${SCRIPT}'><script>${SCRIPT}</script></svg>`;

/** Files that attack their viewers, with the content type that the uploader claims. */
const HOSTILE: readonly (readonly [name: string, type: string, content: string])[] = [
  ['a.html', 'text/html', HTML],
  ['a.svg', 'image/svg+xml', SVG],
  ['a.xhtml', 'application/xhtml+xml', HTML.replace('<!doctype html>', '')],
  ['a.xml', 'text/xml', SVG],
  ['a.html', 'text/plain', HTML],
  ['a.txt', 'text/plain', HTML],
  ['a.png', 'image/png', HTML],
  ['a.svg', 'image/png', SVG],
  ['a.pdf', 'application/pdf', HTML],
  ['a.mp4', 'video/mp4', HTML],
  ['a', 'text/html;charset=utf-7', HTML],
  ['a', 'multipart/related', HTML],
];

describe('hostile files in a browser', {
  skip: NO_BROWSER,
}, () => {
  it('run no script, however they are displayed', async (t) => {
    const { context } = await launched(t);
    const folder = await mkdtemp(join(tmpdir(), 'uploads-'));
    const chat = await openChat({ storage: sqlite(':memory:'), files: localFiles(folder) });
    t.after(async () => {
      await chat.close();
      await rm(folder, { recursive: true, force: true });
    });
    const ada = await chat.createOrganization({ name: 'Docs', owner: { email: 'ada@example.com', full_name: 'Ada' } });
    // The worst kind of host: all visitors are logged in, and its pages have the same origin.
    const listener = requestListener(chat, { authenticate: () => ada.user_id, rateLimits: false });
    const urls: string[] = [];
    let caught = 0;
    const server = createServer((req, res) => {
      if (req.url === '/caught') {
        caught++;
        res.end();
      } else if (req.url === '/host') {
        const shown = urls.map(
          (url) => `<iframe src="${url}"></iframe><object data="${url}"></object><img src="${url}">`,
        );
        res.setHeader('content-type', 'text/html').end(`<title>host</title>${shown.join('')}`);
      } else listener(req, res);
    });
    const site = `http://127.0.0.1:${await listening(t, server)}`;
    for (const [name, type, content] of HOSTILE) {
      urls.push((await chat.as(ada).uploads.send({ file: { name, type, content: Buffer.from(content) } })).url);
    }
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(`${site}/host`);
    await page.waitForTimeout(500);
    assert.equal(await page.title(), 'host');
    for (const [at, url] of urls.entries()) {
      const told = HOSTILE[at]?.join().slice(0, 40);
      const alone = await context.newPage();
      const downloads: string[] = [];
      alone.on('download', (download) => downloads.push(download.suggestedFilename()));
      // No page shows a downloaded file.
      await alone.goto(site + url).catch((error: Error) => assert.match(error.message, /Download|ERR_ABORTED/, told));
      await alone.waitForTimeout(100);
      assert.notEqual(await alone.title(), 'caught', told);
      await alone.close();
    }
    assert.equal(caught, 0);
  });
});
