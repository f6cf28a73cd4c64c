import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, type TestContext } from 'node:test';
import { startShop } from '../../examples/customers.ts';
import { type Chat, localFiles, openChat } from '../../lib/index.ts';
import { requestListener } from '../../server/index.ts';
import { engines, type OpenPlace, testOn } from '../support/engines.ts';
import { png } from '../world/pictures.ts';
import { databasePath } from './folder.ts';

/** An ID that no record has, as long as the others are. */
const MISSING = 99;
const WORDS = ['Ben Ngo', 'ben@example.net', 'Order 17', 'zebrafinch', 'invoice-17'];

type Params = Record<string, unknown>;

for (const engine of engines) {
  describe(`customers of examples/customers.ts, on ${engine.name}`, () => {
    const test = testOn(engine);

    /** The shop of the example, after both customers have opened their pages. */
    async function shop(t: TestContext) {
      const place = await engine.open();
      const started = await startShop({ storage: place.storage, uploads: await databasePath(t), port: 0 });
      const { chat, url } = started;
      t.after(() => stop(started, place));
      const page = (login: string, order: number) =>
        fetch(`${url}/orders/${order}`, { headers: { cookie: `login=${login}` } });
      assert.equal((await page('ben', 17)).status, 200);
      assert.equal((await page('cleo', 18)).status, 200);
      assert.equal((await page('cleo', 17)).status, 404);
      const roomOf = async (order: number) => (await chat.idOf('channel', `order-${order}`)) ?? assert.fail();
      return { chat, url, room: await roomOf(17), own: await roomOf(18) };
    }

    /** What older guides showed: members, and a public channel for each order. */
    async function olderShop(t: TestContext) {
      const place = await engine.open();
      const files = localFiles(await databasePath(t));
      const chat = await openChat({ storage: place.storage, files, baseUrl: 'http://localhost:0/chat' });
      const owner = { email: 'ada@example.com', full_name: 'Ada' };
      await chat.createOrganization({ name: 'The shop', owner });
      const ids = new Map<string, number>();
      for (const full_name of ['Grace Li', 'Ben Ngo', 'Cleo Roy']) {
        const login = full_name.slice(0, full_name.indexOf(' ')).toLowerCase();
        const email = `${login}@example.net`;
        ids.set(login, (await chat.system().users.ensure({ email, full_name })).user_id);
      }
      const open = async (name: string, login: string) => {
        const subscribers = [ids.get('grace'), ids.get(login)] as number[];
        return (await chat.system().channels.create({ name, subscribers, topics_policy: 'empty_topic_only' })).id;
      };
      const authenticate = ({ headers }: { headers: { cookie?: string | undefined } }) =>
        ids.get(headers.cookie?.replace('login=', '') ?? '');
      const server = createServer({ maxHeaderSize: 131_072 }, requestListener(chat, { prefix: '/chat', authenticate }));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      t.after(() => stop({ chat, server }, place));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      return { chat, url, room: await open('Order 17', 'ben'), own: await open('Order 18', 'cleo') };
    }

    async function stop({ chat, server }: { chat: Chat; server: Server }, place: OpenPlace) {
      await chat.close();
      server.closeAllConnections();
      server.close();
      await place.dispose();
    }

    /** Ben writes to the staff; then Cleo asks for everything. Returns what she learns of him. */
    async function leaksOf({ chat, url, room, own }: Awaited<ReturnType<typeof shop>>): Promise<string[]> {
      /** A browser with the cookie of a login. */
      const browser = (login: string) => ({
        page: (path: string) => fetch(url + path, { headers: { cookie: `login=${login}` }, redirect: 'manual' }),
        async ask(route: string, params: Params = {}) {
          const [method = '', path = ''] = route.split(' ');
          const form = new URLSearchParams(
            Object.entries(params).map(([key, value]) => [
              key,
              typeof value === 'string' ? value : JSON.stringify(value),
            ]),
          );
          const isRead = method === 'GET';
          const answer = await fetch(`${url}/chat/api/v1${path}${isRead ? `?${form}` : ''}`, {
            method,
            headers: { cookie: `login=${login}`, origin: `http://localhost:0` },
            ...(isRead ? {} : { body: form }),
          });
          const text = await answer.text();
          return { status: answer.status, text, body: JSON.parse(text) };
        },
      });
      const [ben, cleo, grace] = [browser('ben'), browser('cleo'), browser('grace')];
      const idOf = async (who: typeof ben) => (await who.ask('GET /users/me')).body.user_id as number;
      const [benId, cleoId, graceId] = [await idOf(ben), await idOf(cleo), await idOf(grace)];
      const registered = await cleo.ask('POST /register', { client_gravatar: false, include_subscribers: true });
      const benQueue = await ben.ask('POST /register', { event_types: ['message'] });
      assert.equal(registered.status, 200);

      // Everything that Ben does.
      const asBen = chat.as(benId);
      const asGrace = chat.as(graceId);
      const { url: file } = await asBen.uploads.send({ file: new File(['zebrafinch'], 'invoice-17.txt') });
      await asBen.avatars.upload({ file: png });
      const to = { type: 'channel', to: room, topic: '' } as const;
      const { id } = await asBen.messages.send({ ...to, content: `The zebrafinch is late. [invoice-17](${file})` });
      await asBen.messages.edit({ message_id: id, content: `The zebrafinch is **very** late. [invoice-17](${file})` });
      await asGrace.messages.send({ ...to, content: '@**Ben Ngo** It comes tomorrow.' });
      await asGrace.messages.addReaction({ message_id: id, emoji_name: 'tada' });
      const direct = await asGrace.messages.send({ type: 'direct', to: [benId], content: 'zebrafinch, in private' });
      await asBen.messages.send({ type: 'direct', to: [graceId], content: 'Thanks, zebrafinch' });
      await asBen.typing.send({ op: 'start', type: 'stream', stream_id: room, topic: '' });
      await asBen.presence.report({ status: 'active', ping_only: false, new_user_input: true });
      await asBen.userStatus.set({ status_text: 'zebrafinch' });
      await asGrace.messages.send({ type: 'channel', to: own, topic: '', content: 'Yours is here.' });

      const leaks: string[] = [];
      /** Texts that Ben alone may know, and his ID. */
      const look = (what: string, text: string, ids: readonly RegExp[] = []) => {
        for (const word of WORDS) if (text.includes(word)) leaks.push(`${what}: ${word} in ${text.slice(0, 300)}`);
        for (const pattern of ids)
          if (pattern.test(text)) leaks.push(`${what}: ${pattern} in ${pattern.exec(text)?.[0]}`);
      };
      // Lists of users and groups contain the IDs of all accounts, without any other data.
      const namesBen = [
        new RegExp(`"(sender_id|acting_user_id|from_user_id)":${benId}\\b`),
        new RegExp(`"(subscribers|partial_subscribers)":\\[([0-9]+,)*${benId}[,\\]]`),
        new RegExp(
          `"stream_id":${room}\\b|"stream_ids":\\[([0-9]+,)*${room}[,\\]]|data-user-id="${benId}"|data-stream-id="${room}"`,
        ),
      ];
      /** Answers of reads contain nothing. */
      const reads: [string, Params?][] = [
        ['GET /users', { client_gravatar: false }],
        ['GET /streams', { include_all: true, include_subscribed: true }],
        ['GET /streams', { include_public: true, include_web_public: true, include_default: true }],
        ['GET /streams/search', { query: 'order' }],
        ['GET /users/search', { query: 'ben' }],
        ['GET /users/me/subscriptions', { include_subscribers: true }],
        ['GET /user_groups', { include_deactivated_groups: true }],
        ['GET /realm/presence'],
        ['GET /messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow: [] }],
        ['GET /messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow: [['search', 'zebrafinch']] }],
        ['GET /messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow: [['is', 'dm']] }],
        ['GET /messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow: [['channels', 'public']] }],
        ['GET /messages/matches_narrow', { msg_ids: [id, direct.id], narrow: [['search', 'zebrafinch']] }],
        ['GET /attachments'],
        ['GET /users/me/alert_words'],
        ['GET /drafts'],
        ['GET /invites'],
        ['POST /register', { client_gravatar: false, include_subscribers: true, fetch_event_types: [] }],
        ['POST /register', { client_gravatar: false, include_subscribers: true }],
      ];
      for (const [route, params] of reads)
        look(`${route} ${JSON.stringify(params ?? {})}`, (await cleo.ask(route, params)).text, namesBen);

      /** With the ID of a hidden record, and of a missing one: the answers are the same, without the IDs themselves. */
      const pairs: [string, (value: unknown) => [string, Params?], unknown, unknown?][] = [
        ['a user', (user) => [`GET /users/${user}`], benId],
        ['an address', (address) => [`GET /users/${address}`], 'ben@example.net', 'bob@example.net'],
        ['presence', (user) => [`GET /users/${user}/presence`], benId],
        ['status', (user) => [`GET /users/${user}/status`], benId],
        ['subscription of a user', (user) => [`GET /users/${user}/subscriptions/${own}`], benId],
        ['a channel', (channel) => [`GET /streams/${channel}`], room],
        ['a name', (stream) => ['GET /get_stream_id', { stream }], 'Order 17', 'Order 71'],
        ['topics', (channel) => [`GET /users/me/${channel}/topics`], room],
        ['subscribers', (channel) => [`GET /streams/${channel}/members`], room],
        ['channel e-mail', (channel) => [`GET /streams/${channel}/email_address`], room],
        ['joining', (name) => ['POST /users/me/subscriptions', { subscriptions: [{ name }] }], 'Order 17', 'Order 71'],
        ['leaving', (name) => ['DELETE /users/me/subscriptions', { subscriptions: [name] }], 'Order 17', 'Order 71'],
        ['closing', (channel) => [`DELETE /streams/${channel}`], room],
        ['a message', (message) => [`GET /messages/${message}`], id],
        ['a direct message', (message) => [`GET /messages/${message}`], direct.id],
        ['history', (message) => [`GET /messages/${message}/history`], id],
        ['read receipts', (message) => [`GET /messages/${message}/read_receipts`], id],
        ['a reaction', (message) => [`POST /messages/${message}/reactions`, { emoji_name: 'tada' }], id],
        ['an edit', (message) => [`PATCH /messages/${message}`, { content: 'x' }], id],
        ['a deletion', (message) => [`DELETE /messages/${message}`], id],
        ['flags', (message) => ['POST /messages/flags', { messages: [message], op: 'add', flag: 'starred' }], id],
        ['sending', (to) => ['POST /messages', { type: 'channel', to, topic: '', content: 'x' }], room],
        [
          'sending by name',
          (to) => ['POST /messages', { type: 'channel', to, topic: '', content: 'x' }],
          'Order 17',
          'Order 71',
        ],
        ['a direct message to', (user) => ['POST /messages', { type: 'direct', to: [user], content: 'x' }], benId],
        [
          'a direct message to an address',
          (address) => ['POST /messages', { type: 'direct', to: [address], content: 'x' }],
          'ben@example.net',
          'bob@example.net',
        ],
        ['typing to', (user) => ['POST /typing', { op: 'start', type: 'direct', to: [user] }], benId],
        ['typing in', (stream_id) => ['POST /typing', { op: 'start', type: 'stream', stream_id, topic: '' }], room],
        [
          'a narrow',
          (channel) => [
            'GET /messages',
            { anchor: 'newest', num_before: 9, num_after: 0, narrow: [['channel', channel]] },
          ],
          room,
        ],
        [
          'a narrow by name',
          (channel) => [
            'GET /messages',
            { anchor: 'newest', num_before: 9, num_after: 0, narrow: [['channel', channel]] },
          ],
          'Order 17',
          'Order 71',
        ],
        [
          'a sender',
          (sender) => [
            'GET /messages',
            { anchor: 'newest', num_before: 9, num_after: 0, narrow: [['sender', sender]] },
          ],
          benId,
        ],
        [
          'an anchor',
          (anchor) => ['GET /messages', { anchor, num_before: 9, num_after: 9, narrow: [['id', anchor]] }],
          id,
        ],
        ['muting', (user) => [`POST /users/me/muted_users/${user}`], benId],
        ['blocking', (user) => [`POST /users/me/blocked_users/${user}`], benId],
        ['unblocking', (user) => [`DELETE /users/me/blocked_users/${user}`], benId],
        ['reporting', (message) => [`POST /messages/${message}/report`, { report_type: 'spam' }], id],
        [
          'topic visibility',
          (stream_id) => ['POST /user_topics', { stream_id, topic: '', visibility_policy: 3 }],
          room,
        ],
        ['a dry run', (to) => ['POST /dry_run/messages', { type: 'channel', to, topic: '', content: 'x' }], room],
        ['why', (to) => [`POST /why/${cleoId}/messages`, { type: 'channel', to, topic: '', content: 'x' }], room],
        [
          'why of a reaction',
          (message) => [`POST /why/${cleoId}/messages/${message}/reactions`, { emoji_name: 'tada' }],
          id,
        ],
      ];
      const lookAlike = (text: string, value: unknown) =>
        text.replaceAll(String(value), '…').replaceAll(/"(server_timestamp|latency)":[\d.]+/g, '');
      for (const [what, call, hidden, missing = MISSING] of pairs) {
        const [route, params] = call(hidden);
        const there = await cleo.ask(route, params).catch(() => ({ status: 0, text: '' }));
        const [missingRoute, missingParams] = call(missing);
        const absent = await cleo.ask(missingRoute, missingParams).catch(() => ({ status: 0, text: '' }));
        look(what, there.text.replaceAll(String(hidden), '…'));
        const [one, other] = [lookAlike(there.text, hidden), lookAlike(absent.text, missing)];
        if (one !== other || there.status !== absent.status)
          leaks.push(`${what}: ${there.status} ${one.slice(0, 200)} is not ${absent.status} ${other.slice(0, 200)}`);
      }

      // The file by its URL, and a link of an unknown file.
      const got = await cleo.page(file);
      const unknown = await cleo.page(file.replace(/[^/]+$/, 'unknown.txt'));
      look('the file', await got.text());
      const shown = await ben.page(file);
      assert.equal(await shown.text(), 'zebrafinch', `Ben reads his file: ${shown.status} ${file}`);
      // The status differs (403, 404). Both need the 144 random bits of the path.
      assert.equal((await unknown.text()).includes('invoice-17'), false);
      const avatarOf = async (user: number) => (await cleo.page(`/chat/avatar/${user}`)).headers.get('location') ?? '';
      const withoutId = async (user: number) => (await avatarOf(user)).replace(/[0-9a-f]{32}|\d+/g, '…');
      if ((await withoutId(benId)) !== (await withoutId(MISSING))) leaks.push('an avatar');

      // Invitations and rooms are for others.
      for (const route of [
        'POST /invites',
        'POST /invites/multiuse',
        'POST /rooms/ensure',
        'POST /rooms/close',
        'GET /realm/audit',
      ]) {
        const params = {
          invitee_emails: 'x@example.net',
          stream_ids: [own],
          external_id: 'order-17',
          name: 'x',
          members: [cleoId],
        };
        if ((await cleo.ask(route, params)).status === 200) leaks.push(`${route} is not refused`);
      }

      // All events since Cleo has registered.
      const events = await cleo.ask('GET /events', {
        queue_id: registered.body.queue_id,
        last_event_id: -1,
        dont_block: true,
      });
      look('events', events.text, namesBen);
      const received = await ben.ask('GET /events', {
        queue_id: benQueue.body.queue_id,
        last_event_id: -1,
        dont_block: true,
      });
      assert.ok(received.text.includes('zebrafinch'), 'Ben gets his messages');
      assert.ok(events.text.includes('Yours is here.'), 'Cleo gets hers');
      // Her own text comes back, without links.
      const content = `@**Ben Ngo** @**|${benId}** #**Order 17** #**Order 17>** [x](/#narrow/channel/${room})`;
      for (const [route, params] of [
        ['POST /messages/render', { content }],
        ['POST /messages', { type: 'channel', to: own, topic: '', content }],
        ['GET /messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow: [] }],
      ] as const) {
        const { text } = await cleo.ask(route, params);
        look(route, text.replaceAll(/Ben Ngo|Order 17/g, ''), namesBen);
      }
      return leaks;
    }

    test('one customer learns nothing of another, and hidden records are refused like missing ones', async (t) => {
      assert.deepEqual(await leaksOf(await shop(t)), []);
    });

    test('the same questions find the leaks of members with public channels', async (t) => {
      const leaks = await leaksOf(await olderShop(t));
      const found = ['GET /users ', 'GET /streams ', 'GET /messages ', 'a user', 'a channel', 'a message', 'history'];
      const others = [
        'the file',
        'an avatar',
        'a direct message to',
        'topics',
        'subscribers',
        'events',
        'POST /invites',
      ];
      for (const what of [...found, ...others])
        assert.ok(
          leaks.some((leak) => leak.startsWith(what)),
          what,
        );
    });
  });
}
