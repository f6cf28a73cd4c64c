import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { type Chat, openChat, sqlite } from '../../lib/index.ts';
import { TestClock } from '../../lib/testing/testing.ts';
import { requestListener } from '../../server/index.ts';
import { databasePath } from '../examples/folder.ts';
import { listening } from '../server/running.ts';
import { until } from '../support/until.ts';
import { bundle, launched, NO_BROWSER } from './pages.ts';

/** A page, its chat behind a proxy that can hide its server, and a server that can be restarted. */
async function application(t: TestContext) {
  const database = await databasePath(t);
  const clock = new TestClock();
  let chat = await openChat({ storage: sqlite(database), clock });
  let server: Server;
  let owner: { user_id: number; email: string; api_key: string } | undefined;
  let isLoggedIn = true;
  let isAway = false;
  const serve = async (at: number) => {
    const listener = requestListener(chat, {
      authenticate: () => (isLoggedIn ? owner?.user_id : undefined),
      rateLimits: false,
    });
    server = createServer(listener).listen(at, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as { port: number }).port;
  };
  const stop = async () => {
    await chat.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const port = await serve(0);
  t.after(stop);
  const ada = await organizationIn(chat);
  owner = ada;

  const script = await bundle();
  const proxy = createServer((req: IncomingMessage, res: ServerResponse) => {
    if (req.url === '/') return res.setHeader('content-type', 'text/html').end('<!doctype html><title>app</title>');
    if (req.url === '/remote.js') return res.setHeader('content-type', 'text/javascript').end(script);
    const badGateway = () => res.headersSent || res.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502</h1>');
    if (isAway) return badGateway();
    const { method, headers, url: path } = req;
    const onward = request({ port, host: '127.0.0.1', method, path, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(res);
    });
    onward.on('error', badGateway);
    res.on('close', () => onward.destroy());
    req.pipe(onward);
  });
  const url = `http://127.0.0.1:${await listening(t, proxy)}`;
  const { context } = await launched(t);
  return {
    owner: ada,
    clock,
    stop,
    chat: () => chat,
    async restart() {
      chat = await openChat({ storage: sqlite(database), clock });
      await serve(port);
    },
    /** Ends running requests too. */
    setAway(away: boolean) {
      isAway = away;
      if (away) proxy.closeAllConnections();
    },
    logOut: () => {
      isLoggedIn = false;
    },
    say: (content: string) => chat.as(ada).messages.send({ type: 'channel', to: 'general', topic: 'news', content }),
    async tab() {
      const tab = await context.newPage();
      await tab.goto(url);
      return tab;
    },
  };
}

async function organizationIn(chat: Chat) {
  const owner = await chat.createOrganization({ name: 'X', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  await chat.as(owner).channels.create({ name: 'general', subscribers: [owner.user_id] });
  return owner;
}

interface Heard {
  heard: string[];
  /** How listening ended. */
  ended?: string;
}

/** Starts to listen in a page. Resolves when there is a queue, or with `isLate` at once. */
async function listen(tab: Page, credentials: object = {}, isLate = false): Promise<void> {
  await tab.evaluate(`(async () => {
    const { connect } = await import('/remote.js');
    globalThis.heard = [];
    const session = connect({ site: '/', ...${JSON.stringify(credentials)} });
    const begun = new Promise((resolve) => {
      (async () => {
        try {
          const options = { event_types: ['message'], apply_markdown: false, onQueue: resolve };
          for await (const { message } of session.listen(options)) heard.push(message.content);
        } catch (error) {
          globalThis.ended = error.code ?? error.name;
        }
      })();
    });
    ${isLate ? '' : 'await begun;'}
  })()`);
}

async function heard(tab: Page, count: number): Promise<string[]> {
  await tab.waitForFunction((n) => (globalThis as unknown as Heard).heard.length >= n, count, { timeout: 60_000 });
  return tab.evaluate(() => (globalThis as unknown as Heard).heard);
}

async function ended(tab: Page): Promise<string | undefined> {
  await tab.waitForFunction(() => (globalThis as unknown as Heard).ended !== undefined, null, { timeout: 60_000 });
  return tab.evaluate(() => (globalThis as unknown as Heard).ended);
}

describe('listen in a browser', { skip: NO_BROWSER }, () => {
  it('continues without loss after the server restarts and a proxy answered 502', async (t) => {
    const { tab, say, stop, restart } = await application(t);
    const page = await tab();
    await listen(page);
    await say('before');
    assert.deepEqual(await heard(page, 1), ['before']);
    await stop();
    const answer = await page.evaluate(async () => (await fetch('/api/v1/users/me')).status);
    assert.equal(answer, 502);
    await restart();
    await say('after');
    assert.deepEqual(await heard(page, 2), ['before', 'after']);
  });

  it('register waits until the server responds, and is refused at once without login', async (t) => {
    const { tab, setAway, logOut } = await application(t);
    const page = await tab();
    setAway(true);
    await page.evaluate(`(async () => {
      const { connect } = await import('/remote.js');
      globalThis.session = connect({ site: '/' });
      globalThis.heard = [];
      session.register({ event_types: ['message'] }).then(({ queue_id }) => heard.push(typeof queue_id), (error) => heard.push(error.name));
    })()`);
    await page.waitForTimeout(1000);
    assert.deepEqual(await page.evaluate(() => (globalThis as unknown as Heard).heard), []);
    setAway(false);
    assert.deepEqual(await heard(page, 1), ['string']);
    logOut();
    assert.equal(await page.evaluate('session.register().catch((error) => error.code)'), 'UNAUTHORIZED');
  });

  it('waits until the server responds', async (t) => {
    const { tab, say, setAway } = await application(t);
    const page = await tab();
    setAway(true);
    await listen(page, {}, true);
    await page.waitForTimeout(1000);
    setAway(false);
    // Messages from before the queue do not arrive, so the test sends until one does.
    let said = 0;
    const look = async () => {
      if ((await page.evaluate(() => (globalThis as unknown as Heard).heard.length)) > 0) return true;
      assert.equal(await page.evaluate(() => (globalThis as unknown as Heard).ended), undefined);
      await say(`${said++}`);
    };
    await until('the page gets a message', look, { every: 200 });
  });

  it('ends with UNAUTHORIZED when the API key is replaced or the login of the host ends', async (t) => {
    const { tab, say, chat, owner, logOut } = await application(t);
    const keyed = await tab();
    await listen(keyed, { email: owner.email, api_key: owner.api_key });
    const hosted = await tab();
    await listen(hosted);
    await chat().as(owner).users.regenerateApiKey();
    await say('one');
    assert.equal(await ended(keyed), 'UNAUTHORIZED');
    assert.deepEqual(await heard(hosted, 1), ['one']);
    logOut();
    await say('two');
    assert.equal(await ended(hosted), 'UNAUTHORIZED');
    assert.deepEqual(await heard(keyed, 0), []);
  });

  it('ends with BAD_EVENT_QUEUE_ID after a day offline, and can start again', async (t) => {
    const { tab, say, chat, clock, setAway } = await application(t);
    const page = await tab();
    await listen(page);
    await say('before');
    await heard(page, 1);
    setAway(true);
    clock.advance({ days: 1 });
    await chat().runDue();
    setAway(false);
    assert.equal(await ended(page), 'BAD_EVENT_QUEUE_ID');
    await listen(page);
    await say('after');
    assert.deepEqual(await heard(page, 1), ['after']);
  });

  it('has its own queue in each tab, and closing a tab does not affect the others', async (t) => {
    const { tab, say } = await application(t);
    const tabs = [await tab(), await tab(), await tab()];
    for (const page of tabs) await listen(page);
    await say('one');
    for (const page of tabs) assert.deepEqual(await heard(page, 1), ['one']);
    await tabs[0]?.close();
    await say('two');
    for (const page of tabs.slice(1)) assert.deepEqual(await heard(page, 2), ['one', 'two']);
  });
});
