import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, type TestContext } from 'node:test';
import { type Logger, openChat, type Session } from '../../../lib/index.ts';
import { type TestChatOptions, testChat } from '../../../lib/testing/testing.ts';
import { featureEngines, testOn } from '../../support/engines.ts';
import { Gate } from '../../support/gate.ts';
import { until } from '../../support/until.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };
const LOCAL = { allowPrivateAddresses: ['127.0.0.1'], timeoutMs: 60_000 };

/** A site with a page at every path, whose title is the path. `/none` has no picture, `/gone` does not exist. */
async function site(t: TestContext) {
  const paths: string[] = [];
  const gates = new Map<string, Gate>();
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    paths.push(path);
    await gates.get(path)?.opened;
    const image = path === '/none' ? '' : '<meta property="og:image" content="https://cdn.example/p.png">';
    response.writeHead(path === '/gone' ? 404 : 200, { 'content-type': 'text/html' });
    response.end(`<title>Page ${path}</title>${image}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const gate of gates.values()) gate.open();
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { paths, gates, link: (path: string) => `[${path}](${origin}${path})` };
}

/** A function that returns the updates of messages which a user has received since. */
async function updatesOf(session: Session) {
  const { queue_id } = await session.register({ fetch_event_types: [], event_types: ['update_message'] });
  return async () => (await session.events.list({ queue_id, last_event_id: -1, dont_block: true })).events;
}

for (const engine of featureEngines) {
  describe(`previews of links, on ${engine.name}`, () => {
    const test = testOn(engine);

    async function open(t: TestContext, options: TestChatOptions<never, never> = {}, { isOn = true } = {}) {
      const place = await engine.open();
      const pages = await site(t);
      const { people: _, channels: __, ...others } = options;
      const made = await testChat({ storage: place.storage, logger: silent, linkPreviews: LOCAL, ...others });
      t.after(async () => {
        for (const gate of pages.gates.values()) gate.open();
        await made.close();
        await place.dispose();
      });
      const { chat, people } = made;
      if (isOn) await people.ada.organization.edit({ inline_url_embed_preview: true });
      await chat.runDue();
      const say = async (content: string, sender = people.emil) =>
        (await sender.messages.send({ type: 'channel', to: 'general', topic: 'food', content })).id;
      const titles = async (message_id: number) => {
        const { message } = await people.dora.messages.get({ message_id });
        return [...message.content.matchAll(/<div class="message_embed_title"><a[^>]*>Page (.*?)<\/a>/g)].map(
          ([, title]) => title,
        );
      };
      return { ...made, ...pages, say, titles, place };
    }

    test('a page is fetched after the sending, and readers get its preview without an edit', async (t) => {
      const { chat, people, link, paths, say, titles, channels } = await open(t);
      const updates = await updatesOf(people.dora);
      const message_id = await say(`See ${link('/soup')}`);
      assert.deepEqual([paths, await titles(message_id)], [[], []]);
      await chat.runDue();
      assert.deepEqual([paths, await titles(message_id)], [['/soup'], ['/soup']]);
      const { message, raw_content } = await people.dora.messages.get({ message_id });
      assert.deepEqual([raw_content, message.last_edit_timestamp], [`See ${link('/soup')}`, undefined]);
      const [event, ...others] = await updates();
      assert.deepEqual(others, []);
      const { id: _, edit_timestamp: __, ...update } = event as unknown as Record<string, unknown>;
      assert.deepEqual(update, {
        type: 'update_message',
        user_id: null,
        rendering_only: true,
        message_id,
        message_ids: [message_id],
        flags: [],
        stream_id: channels.general,
        stream_name: 'general',
        content: raw_content,
        rendered_content: message.content,
        is_me_message: false,
      });
      await say(`Again ${link('/soup#part')}`);
      await chat.runDue();
      assert.deepEqual(paths, ['/soup'], 'a page is fetched once for all messages');
    });

    test('a direct message has previews, and a page of one that failed is known for an hour, any other for a day', async (t) => {
      const { chat, clock, people, link, paths, titles } = await open(t);
      const content = ['/a', '/gone', '/none'].map(link).join(' ');
      const to = [people.dora.user_id];
      const [updates, ofOthers] = await Promise.all([updatesOf(people.dora), updatesOf(people.ada)]);
      const say = async () => (await people.emil.messages.send({ type: 'direct', to, content })).id;
      const after = async () => {
        const id = await say();
        await chat.runDue();
        assert.deepEqual(await titles(id), ['/a']);
        return paths.splice(0).sort();
      };
      assert.deepEqual(await after(), ['/a', '/gone', '/none']);
      assert.deepEqual([(await updates()).length, await ofOthers()], [1, []]);
      clock.advance({ minutes: 59 });
      assert.deepEqual(await after(), []);
      clock.advance({ minutes: 2 });
      assert.deepEqual(await after(), ['/gone', '/none']);
      clock.advance({ hours: 24 });
      await chat.runDue();
      assert.equal(await chat.givenUp().then(({ length }) => length), 0);
      assert.deepEqual(await after(), ['/a', '/gone', '/none']);
    });

    test('an edit keeps previews of links that stay, removes those of others, and adds new ones', async (t) => {
      const { chat, people, link, paths, say, titles } = await open(t);
      const message_id = await say(`${link('/a')} ${link('/b')}`);
      await chat.runDue();
      await people.emil.messages.edit({ message_id, content: `${link('/b')} ${link('/c')}` });
      assert.deepEqual(await titles(message_id), ['/b'], 'at once');
      await chat.runDue();
      assert.deepEqual(await titles(message_id), ['/b', '/c']);
      await people.emil.messages.edit({ message_id, content: 'None' });
      await chat.runDue();
      assert.deepEqual([await titles(message_id), paths.length], [[], 3]);
    });

    test('previews come to a message where it is after a move, and not after an edit or a deletion during the fetch', async (t) => {
      const { chat, people, link, paths, gates, say, titles } = await open(t);
      for (const path of ['/moved', '/edited', '/deleted']) gates.set(path, new Gate());
      const [moved, edited, deleted] = await Promise.all(
        ['/moved', '/edited', '/deleted'].map((path) => say(link(path))),
      );
      const running = chat.runDue();
      await until('all are fetched', () => paths.length === 3);
      const updates = await updatesOf(people.dora);
      await people.ada.messages.edit({ message_id: moved as number, topic: 'elsewhere' });
      await people.emil.messages.edit({ message_id: edited as number, content: 'No link' });
      await people.ada.messages.delete({ message_id: deleted as number });
      for (const gate of gates.values()) gate.open();
      await running;
      await chat.runDue();
      assert.deepEqual([await titles(moved as number), await titles(edited as number)], [['/moved'], []]);
      const rendered = (await updates()).filter((event) => 'rendering_only' in event && event.rendering_only);
      assert.deepEqual(
        rendered.map((event) => 'message_id' in event && event.message_id),
        [moved],
      );
    });

    test('two processes fetch a page once, also for two messages, and one continues after the death of the other', async (t) => {
      const { chat, clock, link, paths, gates, say, titles, place } = await open(t);
      const other = await openChat({ storage: await place.reopen(), clock, logger: silent, linkPreviews: LOCAL });
      t.after(() => other.close());
      const gate = new Gate();
      gates.set('/slow', gate);
      const first = await say(link('/slow'));
      const running = chat.runDue();
      await until('the page is fetched', () => paths.length === 1);
      const second = await say(link('/slow'));
      await other.runDue();
      assert.deepEqual([paths.length, await titles(second)], [1, []], 'the other process waits');
      gate.open();
      await running;
      clock.advance({ seconds: 3 });
      await other.runDue();
      assert.deepEqual([paths.length, await titles(first), await titles(second)], [1, ['/slow'], ['/slow']]);

      const lost = new Gate();
      gates.set('/lost', lost);
      const third = await say(link('/lost'));
      const dying = chat.runDue();
      await until('the page is fetched', () => paths.length === 2);
      gates.delete('/lost');
      clock.advance({ minutes: 3 });
      await other.runDue();
      assert.deepEqual([paths.length, await titles(third)], [3, ['/lost']]);
      lost.open();
      await dying;
      assert.deepEqual(await titles(third), ['/lost']);
    });

    test('a message has five previews, and an account 20 fetches a minute', async (t) => {
      const { chat, clock, people, link, paths, say, titles } = await open(t);
      const many = (from: number) => Array.from({ length: 7 }, (_, n) => link(`/${from + n}`)).join(' ');
      const ids: number[] = [];
      for (let n = 0; n < 5; n++) ids.push(await say(many(10 * n)));
      await chat.runDue();
      const counts = await Promise.all(ids.map(async (id) => (await titles(id)).length));
      assert.deepEqual([paths.length, counts.sort()], [20, [0, 5, 5, 5, 5]]);
      const byDora = await say(link('/dora'), people.dora);
      await chat.runDue();
      assert.deepEqual(await titles(byDora), ['/dora']);
      clock.advance({ seconds: 61 });
      const later = await say(link('/later'));
      await chat.runDue();
      assert.deepEqual(await titles(later), ['/later']);
    });

    test('no page is fetched without the setting, without the option, for bots and for links to the chat itself', async (t) => {
      const off = await open(t, {}, { isOn: false });
      await off.say(off.link('/off'));
      await off.chat.runDue();
      assert.deepEqual(off.paths, []);

      const without = await open(t, { linkPreviews: false });
      const state = await without.people.dora.register({ fetch_event_types: ['realm'] });
      assert.deepEqual([state.realm_inline_url_embed_preview, state.server_inline_url_embed_preview], [true, false]);
      await without.say(without.link('/without'));
      await without.chat.runDue();
      assert.deepEqual(without.paths, []);

      const on = await open(t);
      const bot = await on.people.emil.bots.create({ full_name: 'Robot', short_name: 'robot' });
      await on.say(on.link('/bot'), on.chat.as(bot.user_id) as never);
      assert.equal(await on.chat.runDue(), 0);
      const own = await open(t, { baseUrl: 'http://127.0.0.1:1/chat' });
      await own.say('[own](http://127.0.0.1:1/own)');
      // Turned off between the sending and the fetch.
      await on.say(on.link('/late'));
      await on.people.ada.organization.edit({ inline_url_embed_preview: false });
      assert.equal(await own.chat.runDue(), 0);
      await on.chat.runDue();
      assert.deepEqual(on.paths, []);
    });
  });
}
