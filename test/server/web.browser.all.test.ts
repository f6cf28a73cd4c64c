import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { localFiles } from '../../lib/index.ts';
import { launched, NO_BROWSER } from '../client/pages.ts';
import { untilEqual, untilMatch } from '../support/until.ts';
import { png } from '../world/pictures.ts';
import { listening, running } from './running.ts';

const SKIP = { skip: NO_BROWSER };

/** A proxy that serves a server below a path, which it removes. */
async function proxied(t: TestContext, port: number, prefix: string): Promise<string> {
  const server = createServer((req, res) => {
    if (!req.url?.startsWith(`${prefix}/`)) return void res.writeHead(404).end();
    const { method, headers, url } = req;
    const sent = request({ port, method, headers, path: url.slice(prefix.length) }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    // A server that closes ends requests that a page has just begun.
    sent.on('error', () => res.destroy());
    req.pipe(sent);
  });
  return `http://127.0.0.1:${await listening(t, server)}${prefix}`;
}

/** Collects violations of the pages' policies. */
async function violationsIn(page: Page): Promise<string[]> {
  const found: string[] = [];
  await page.exposeFunction('forbidden', (text: string) => void found.push(text));
  await page.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    forbidden(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample))`);
  return found;
}

async function logIn(page: Page): Promise<void> {
  await page.getByLabel('E-mail', { exact: true }).first().fill('olga@example.com');
  await page.getByLabel('Password', { exact: true }).fill('a long password');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.locator('parlance-panel').waitFor({ state: 'attached' });
}

test('behind a proxy with a prefix, a user logs in at a link to a channel, and images load', SKIP, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'web-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const server = await running(t, {}, { files: localFiles(folder) });
  const { chat, owner, port } = server;
  const { url } = await chat.as(owner).uploads.send({ file: png });
  const site = await proxied(t, port, '/team/chat');
  const { context } = await launched(t);
  const page = await context.newPage();
  const forbidden = await violationsIn(page);
  await page.goto(`${site}/#narrow/channel/4-general`);
  await untilEqual(() => page.url(), `${site}/login#narrow/channel/4-general`);
  await logIn(page);
  await untilEqual(() => page.url(), `${site}/#narrow/channel/4-general`);
  await page.locator('parlance-panel:defined').waitFor({ state: 'attached' });
  const width = await page.evaluate(`new Promise((done) => {
    const image = document.createElement('img');
    image.onload = () => done(image.naturalWidth);
    image.onerror = () => done('error');
    image.src = '.' + ${JSON.stringify(url)};
  })`);
  assert.equal(width, 3);
  await page.goto(`${site}/login`);
  await untilEqual(() => page.url(), `${site}/`);
  await page.goto(`${site}/logout`);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.waitForURL(`${site}/login`);
  assert.deepEqual(forbidden, []);
});

test('a page of another site uses the panel and a token, and cannot use the cookie', SKIP, async (t) => {
  const { chat, owner, url, state } = await running(t);
  const { token } = await chat.tokens.create({ user: owner, ttlSeconds: 60 });
  const other = createServer((_, res) => {
    res.writeHead(200, { 'Content-Type': 'text/html' }).end(`<!doctype html><title>Elsewhere</title>
<script type="module" src="${url}/static/panel.js"></script>
<link rel="stylesheet" href="${url}/static/content.css" crossorigin>
<form method="post" action="${url}/api/v1/users/me/status"><input name="status_text" value="forged"><button>Win</button></form>`);
  });
  // A different host name is a different site for the browser.
  const elsewhere = `http://localhost:${await listening(t, other)}/`;
  const { context } = await launched(t);
  const page = await context.newPage();
  await page.goto(`${url}/login`);
  await logIn(page);
  await page.goto(elsewhere);
  await page.waitForFunction(() => customElements.get('parlance-panel') !== undefined);
  const ask = (init: object) =>
    page.evaluate(`fetch('${url}/api/v1/messages/render', ${JSON.stringify({ method: 'POST', ...init })}).then(
      (answer) => answer.json().then(({ result, code }) => code ?? result), () => 'unreadable')`);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = 'content=x';
  assert.equal(await ask({ headers: { ...headers, authorization: `Bearer ${token}` }, body }), 'success');
  assert.equal(await ask({ headers: { ...headers, authorization: `Bearer ${token}x` }, body }), 'TOKEN_INVALID');
  assert.equal(await ask({ headers, body, credentials: 'include' }), 'unreadable');
  const read = `fetch('${url}/api/v1/users/me', { credentials: 'include' }).then(() => 'read', () => 'unreadable')`;
  assert.equal(await page.evaluate(read), 'unreadable');
  const before = await state();
  await page.getByRole('button', { name: 'Win' }).click();
  await untilMatch(() => page.textContent('body'), /CSRF_FAILED/);
  assert.deepEqual(await state(), before);
});
