import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it, type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { localFiles, openChat, sqlite } from '../../lib/index.ts';
import { requestListener } from '../../server/index.ts';
import { databasePath } from '../examples/folder.ts';
import { listening } from '../server/running.ts';
import { bundle, firstScripts, launched, NO_BROWSER } from './pages.ts';

/**
 * Bytes after gzip, by the imports of a page. The store without its extras has 9,000: events (1,400 with the permit to
 * stream), kept messages (1,600), lists of them (2,200), unread counts (1,200), cells, places and the store itself
 * (2,000), and actions on messages (700). Above that, without which a page would write it itself, each with its races:
 *
 * - drafts (1,400): a text survives a reload, a second tab and a moved topic, and reaches other clients
 * - channels (1,250): subscriptions, topics and mute settings, which decide what counts as unread
 * - outbox (1,050): a message is sent once, also after a lost connection or a closed page
 * - activity (900): who types and who is there, with expiries by the clock of the server
 * - people (530) and direct conversations (140): a page of 10,000 users loads only those that it shows
 * - own account and organization (370), and custom emoji (310): events change them
 * - storage of the browser (290), separated by account: it may be full or blocked
 * - read flags (270): collected to one request, and repeated without those that the server refuses
 */
const MAX_BYTES = { '{ connect }': 9_900, '{ createChatStore }': 18_000, '*': 27_900 };

for (const [names, max] of Object.entries(MAX_BYTES)) {
  test(`a page that imports ${names} loads at most ${max} bytes, and nothing of Node`, async (t) => {
    assert.doesNotMatch(await bundle(names), /\bBuffer\b|\bprocess\b|setImmediate|node:|\brequire\(/);
    const bytes = (await firstScripts(names)).reduce((sum, script) => sum + gzipSync(script).length, 0);
    t.diagnostic(`${bytes} bytes`);
    assert.ok(bytes < max, `${bytes} bytes`);
  });
}

/** A chat at one origin, and at another a page of a trusted application. */
async function application(t: TestContext) {
  const chat = await openChat({ storage: sqlite(':memory:'), files: localFiles(await databasePath(t)) });
  t.after(() => chat.close());
  const ada = await chat.createOrganization({ name: 'Docs', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  await chat.as(ada).channels.create({ name: 'general', subscribers: [ada.user_id] });
  const script = await bundle();
  const page = createServer((req, res) => {
    const isScript = req.url === '/remote.js';
    res.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    res.setHeader('set-cookie', 'login=ada; SameSite=Lax');
    res.end(isScript ? script : '<!doctype html><title>app</title>');
  });
  const app = `http://127.0.0.1:${await listening(t, page)}`;
  const server = createServer(
    requestListener(chat, {
      trustedOrigins: [app],
      authenticate: ({ headers }) => (/\blogin=ada\b/.test(headers.cookie ?? '') ? ada.user_id : undefined),
      rateLimits: false,
    }),
  );
  const site = `http://127.0.0.1:${await listening(t, server)}`;
  const { context } = await launched(t);
  const tab = await context.newPage();
  await tab.goto(app);
  return { chat, ada, site, context, tab };
}

describe('a session in a browser', { skip: NO_BROWSER }, () => {
  it('sends with an API key or the login of the host, receives refusals, and uploads and downloads files', async (t) => {
    const { ada, site, tab } = await application(t);
    const got = await tab.evaluate(
      async ({ site, email, api_key }) => {
        const module = '/remote.js';
        const { connect, isChatError } = await import(module);
        const keyed = connect({ site, email, api_key });
        const hosted = connect({ site });
        const names = [(await keyed.users.me()).full_name, (await hosted.users.me()).full_name];
        const { id } = await hosted.messages.send({ type: 'channel', to: 'general', topic: '7', content: 'ä "b" +' });
        const { message } = await keyed.messages.get({ message_id: id, apply_markdown: false });
        const refusal = await keyed.channels.getId({ stream: 'nowhere' }).catch((error: unknown) => error);
        const absent = await keyed.messages.get({ message_id: 'x' }).catch((error: unknown) => error);
        const nobody = await connect({ site, email, api_key: 'x' })
          .users.me()
          .catch((error: unknown) => error);
        const { url } = await hosted.uploads.send({ file: new File(['some bytes'], 'ä.txt', { type: 'text/plain' }) });
        const file = await hosted.download(url);
        let text = '';
        for await (const piece of file.content) text += new TextDecoder().decode(piece);
        const { events } = await hosted.dryRun.channels.create({ name: 'x', subscribers: [] });
        return {
          names,
          sent: [message.subject, message.content],
          codes: [isChatError(refusal, 'BAD_REQUEST'), refusal.code, absent.message, nobody.code],
          file: [file.name, file.type, file.size, text],
          events: events.length > 0,
        };
      },
      { site, email: ada.email, api_key: ada.api_key },
    );
    assert.deepEqual(got, {
      names: ['Ada', 'Ada'],
      sent: ['7', 'ä "b" +'],
      codes: [true, 'BAD_REQUEST', 'message_id must be an integer.', 'UNAUTHORIZED'],
      file: ['ä.txt', 'text/plain', 10, 'some bytes'],
      events: true,
    });
  });

  it('reads a long response on a slow network', async (t) => {
    const { chat, ada, site, context, tab } = await application(t);
    const content = 'a long message '.repeat(600);
    for (let n = 0; n < 40; n++)
      await chat.as(ada).messages.send({ type: 'channel', to: 'general', topic: 'long', content });
    const network = await context.newCDPSession(tab);
    // 360 kB take 5 s.
    const conditions = { offline: false, latency: 100, downloadThroughput: 70_000, uploadThroughput: 70_000 };
    await network.send('Network.enable');
    await network.send('Network.emulateNetworkConditions', conditions);
    const count = await tab.evaluate(
      async ({ site, email, api_key }) => {
        const module = '/remote.js';
        const { connect } = await import(module);
        const session = connect({ site, email, api_key, timeoutMs: 3000 });
        const options = { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false };
        return (await session.messages.list(options)).messages.length;
      },
      { site, email: ada.email, api_key: ada.api_key },
    );
    assert.ok(count >= 40, String(count));
  });

  it('receives all messages that were sent while it was offline', async (t) => {
    const { chat, ada, site, context, tab } = await application(t);
    const say = (content: string) =>
      chat.as(ada).messages.send({ type: 'channel', to: 'general', topic: 'news', content });
    await tab.evaluate(`(async () => {
      const { connect } = await import('/remote.js');
      globalThis.heard = [];
      await new Promise(async (resolve) => {
        const onQueue = () => resolve();
        const events = connect({ site: ${JSON.stringify(site)} })
          .listen({ event_types: ['message'], apply_markdown: false, onQueue });
        for await (const { message } of events) heard.push(message.content);
      });
    })()`);
    const heard = async (count: number) => {
      await tab.waitForFunction((n) => (globalThis as unknown as { heard: string[] }).heard.length >= n, count, {
        timeout: 60_000,
      });
      return tab.evaluate(() => (globalThis as unknown as { heard: string[] }).heard);
    };
    await say('before');
    assert.deepEqual(await heard(1), ['before']);
    await context.setOffline(true);
    for (let count = 0; count < 10; count++) {
      await say(`away ${count}`);
      await tab.waitForTimeout(100);
    }
    await context.setOffline(false);
    await say('after');
    const all = await heard(12);
    assert.deepEqual(all, ['before', ...Array.from({ length: 10 }, (_, count) => `away ${count}`), 'after']);
  });
});
