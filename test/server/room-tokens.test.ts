import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { type ChatError, connect, localFiles, openChat, type Session } from '../../lib/index.ts';
import { catalogue, type Operation, transportOf } from '../../lib/internal.ts';
import { serve } from '../../server/index.ts';
import { featureEngines, testOn } from '../support/engines.ts';
import { running } from './running.ts';

const operations: readonly Operation[] = catalogue;

/** Operations for tokens that are limited to rooms, and the values that a parameter may have. */
const OPEN: Readonly<Record<string, Operation['forRooms']>> = {
  'channels.get': true,
  'channels.getId': true,
  'channels.search': true,
  'events.delete': true,
  'events.list': true,
  'messages.addReaction': true,
  'messages.addSubmessage': true,
  'messages.delete': true,
  'messages.edit': { stream_id: [] },
  'messages.get': true,
  'messages.list': true,
  'messages.markChannelRead': true,
  'messages.markTopicRead': true,
  'messages.removeReaction': true,
  'messages.render': true,
  'messages.send': { type: ['channel', 'stream'] },
  'messages.updateFlags': true,
  'messages.updateFlagsNarrow': true,
  'push.addBrowser': true,
  'push.getWebKey': true,
  'push.removeBrowser': true,
  register: true,
  'topics.list': true,
  'typing.send': { type: ['channel', 'stream'] },
  'uploads.getTemporaryUrl': true,
  'uploads.send': true,
  'users.get': true,
  'users.getByEmail': true,
  'users.list': true,
  'users.me': true,
  'users.search': true,
};

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: ChatError) => error.code ?? '',
  );

test('tokens that are limited to rooms can use exactly these operations', () => {
  const open = operations.flatMap(({ name, forRooms }) => (forRooms === undefined ? [] : [[name, forRooms]]));
  assert.deepEqual(Object.fromEntries(open), OPEN);
});

for (const engine of featureEngines) {
  describe(`tokens that are limited to rooms, on ${engine.name}`, () => {
    const test = testOn(engine);

    /** Ben is in the orders 17 and 19, and a member of everything that a token must not show. */
    async function shop(t: TestContext) {
      const place = await engine.open();
      const folder = await mkdtemp(join(tmpdir(), 'room-tokens-'));
      const server = await running(t, {}, { storage: place.storage, files: localFiles(folder) });
      t.after(async () => {
        await place.dispose();
        await rm(folder, { recursive: true, force: true });
      });
      const { chat, owner, url } = server;
      const account = async (name: string, role: 400 | 600) =>
        (await chat.system().users.ensure({ email: `${name}@example.com`, full_name: name, role })).user_id;
      const [ben, grace, cleo] = [await account('Ben', 400), await account('Grace', 400), await account('Cleo', 400)];
      await chat.system().userGroups.create({ name: 'support', description: '', members: [grace] });
      const ensure = (order: number, members: number[]) =>
        chat.rooms.ensure({ external_id: `order-${order}`, name: `Order ${order}`, members, staff: 'support' });
      const { stream_id: room } = await ensure(17, [ben]);
      const { stream_id: other } = await ensure(19, [ben, cleo]);
      const { id: open } = await chat.system().channels.create({ name: 'News', subscribers: [ben, grace, cleo] });
      const login = async (rooms = ['order-17']) => {
        const { token } = await chat.tokens.create({ user: ben, rooms });
        return connect({ site: url, token });
      };
      const say = (user: number, to: number, content: string) =>
        chat.as(user).messages.send({ type: 'channel', to, topic: to === open ? 'news' : '', content });
      return { ...server, place, chat, owner, url, ben, grace, cleo, room, other, open, ensure, login, say };
    }

    test('a token of a room is refused for every other operation, for dry runs and for explanations', async (t) => {
      const { chat, ben, owner } = await shop(t);
      const { token } = await chat.tokens.create({ user: ben, rooms: ['order-17'] });
      const transport = transportOf(chat);
      const caller = { ...(await transport.checkLogin('token', token)), client: 'test' };
      for (const operation of operations) {
        if (operation.access === 'anyone' || operation.forRooms !== undefined) continue;
        const code = await codeOf(transport.engine.call(operation, caller, {}));
        // Ben is no administrator.
        const isRefused = code === 'TOKEN_NOT_ALLOWED' || code === 'UNAUTHORIZED_PRINCIPAL';
        assert.ok(isRefused, `${operation.name}: ${code}`);
      }
      const params = { type: 'channel', to: 'order-17', topic: '', content: 'x' };
      for (const operation of operations.filter(({ forRooms }) => forRooms !== undefined)) {
        assert.equal(await codeOf(transport.dryRun(operation, caller, params)), 'TOKEN_NOT_ALLOWED', operation.name);
        for (const about of [ben, owner.user_id]) {
          const question = { asker: caller, about, values: params };
          assert.equal(await codeOf(transport.why(operation, question)), 'TOKEN_NOT_ALLOWED', operation.name);
        }
      }
    });

    test('a token of a room reads and writes its messages, and finds nothing else', async (t) => {
      const { chat, url, ben, grace, cleo, room, other, open, login, say, send, owner } = await shop(t);
      const own = await say(grace, room, 'in the room');
      const elsewhere = [await say(grace, other, 'zebra'), await say(cleo, open, 'zebra')].map(({ id }) => id);
      const direct = await chat.as(cleo).messages.send({ type: 'direct', to: [ben], content: 'zebra' });
      const hidden = [...elsewhere, direct.id];
      await chat.as(ben).messages.updateFlags({ messages: [own.id, ...hidden], op: 'add', flag: 'starred' });
      const { url: file } = await chat.as(ben).uploads.send({ file: new File(['zebra'], 'zebra.txt') });
      await say(ben, other, `[zebra](${file})`);
      const session = await login();
      const ids = async (narrow: [string, string | number][]) => {
        const window = { anchor: 'newest', num_before: 100, num_after: 0 } as const;
        return (await session.messages.list({ ...window, narrow })).messages.map(({ id }) => id);
      };
      for (const narrow of [[], [['is', 'starred']], [['channel', 'external:order-17']]] as [string, string][][])
        assert.deepEqual(await ids(narrow), [own.id], JSON.stringify(narrow));
      const nothing: [string, string | number][][] = [
        [['is', 'dm']],
        [['dm', cleo]],
        [['search', 'zebra']],
        [['channels', 'public']],
        [['id', direct.id]],
        [['with', direct.id]],
      ];
      for (const narrow of nothing) assert.ok(!(await ids(narrow).catch(() => [])).length, JSON.stringify(narrow));
      for (const channel of [other, 'Order 19', 'external:order-19', open])
        assert.equal(await codeOf(ids([['channel', channel]])), 'BAD_NARROW', String(channel));
      assert.deepEqual((await session.messages.list({ message_ids: [own.id, ...hidden] })).messages.length, 1);

      const refused: [string, () => Promise<unknown>][] = [
        ...hidden.flatMap((message_id): [string, () => Promise<unknown>][] => [
          ['get', () => session.messages.get({ message_id })],
          ['react', () => session.messages.addReaction({ message_id, emoji_name: 'tada' })],
          ['edit', () => session.messages.edit({ message_id, content: 'x' })],
          ['delete', () => session.messages.delete({ message_id })],
          ['star', () => session.messages.updateFlags({ messages: [message_id], op: 'add', flag: 'starred' })],
        ]),
        ['send', () => session.messages.send({ type: 'channel', to: other, topic: '', content: 'x' })],
        ['send by name', () => session.messages.send({ type: 'channel', to: 'News', topic: 'x', content: 'x' })],
        ['write directly', () => session.messages.send({ type: 'direct', to: [grace], content: 'x' })],
        ['type directly', () => session.typing.send({ op: 'start', type: 'direct', to: [grace] })],
        ['type elsewhere', () => session.typing.send({ op: 'start', type: 'channel', stream_id: other, topic: '' })],
        ['channel', () => session.channels.get({ stream_id: open })],
        ['topics', () => session.topics.list({ stream_id: open })],
        ['read a channel', () => session.messages.markChannelRead({ stream_id: other })],
        ['user', () => session.users.get({ user_id: cleo })],
        ['address', () => session.users.getByEmail({ email: 'cleo@example.com' })],
        ['owner', () => session.users.get({ user_id: owner.user_id })],
      ];
      for (const [what, call] of refused) assert.notEqual(await codeOf(call()), 'done', what);
      const names = (await session.users.list()).members.map(({ full_name }) => full_name).sort();
      assert.deepEqual(names, ['Ben', 'Grace']);
      assert.deepEqual((await session.users.search({ query: 'Cleo' })).members, []);
      assert.deepEqual((await session.channels.search({ query: '' })).streams.length, 1);
      const { token } = await chat.tokens.create({ user: ben, rooms: ['order-17'] });
      const got = await send('GET', file, { auth: `Bearer ${token}` });
      assert.ok(got.status >= 400, 'a file of another room');
      const avatar = async (id: number) =>
        (await send('GET', `/avatar/${id}`, { auth: `Bearer ${token}` })).headers.location;
      assert.equal(await avatar(cleo), await avatar(999));

      const keyed = { type: 'channel', to: other, topic: '', content: 'keyed', idempotency_key: 'key' } as const;
      await chat.as(ben).messages.send(keyed);
      assert.equal(await codeOf(session.messages.send(keyed)), 'IDEMPOTENCY_KEY_REUSED', 'an answer of another login');
      const sent = await session.uploads.send({ file: new File(['mine'], 'mine.txt') });
      const { id } = await session.messages.send({
        type: 'channel',
        to: room,
        topic: '',
        content: `[mine](${sent.url})`,
      });
      assert.equal((await send('GET', sent.url, { auth: `Bearer ${token}` })).text, 'mine');
      assert.equal((await chat.as(grace).messages.get({ message_id: id })).message.sender_id, ben);
      await session.messages.edit({ message_id: id, content: 'edited' });
      assert.equal(
        await codeOf(session.messages.edit({ message_id: id, stream_id: open, topic: 'x' })),
        'TOKEN_NOT_ALLOWED',
      );
      await session.messages.addReaction({ message_id: own.id, emoji_name: 'tada' });
      await session.typing.send({ op: 'start', type: 'channel', stream_id: room, topic: '' });
      await session.messages.delete({ message_id: id });
      const readOnly = await chat.tokens.create({ user: ben, rooms: ['order-17'], scopes: ['read'] });
      const reader = connect({ site: url, token: readOnly.token });
      assert.equal((await reader.messages.get({ message_id: own.id })).message.id, own.id);
      assert.equal(await codeOf(reader.messages.delete({ message_id: own.id })), 'TOKEN_NOT_ALLOWED');
    });

    test('the state and the events of a token are those of its room', async (t) => {
      const { chat, ben, grace, cleo, room, other, open, ensure, login, say, place, url } = await shop(t);
      const session = await login();
      const text = (value: unknown) => JSON.stringify(value);
      const before = await say(grace, other, 'zebra');
      await chat.as(cleo).messages.send({ type: 'direct', to: [ben], content: 'zebra' });
      await chat.as(ben).drafts.create({ drafts: [{ type: 'stream', to: [open], topic: 'zebra', content: 'zebra' }] });
      const state = await session.register({ include_subscribers: true });
      assert.ok(
        !/zebra|Cleo|News|Order 19/.test(text(state)),
        /.{50}(zebra|Cleo|News|Order 19)/.exec(text(state))?.[0],
      );
      assert.deepEqual(
        state.subscriptions.map(({ stream_id }) => stream_id),
        [room],
      );
      assert.equal(state.unread_msgs.count, 0);
      const { queue_id } = state;
      const poll = async (caller: Pick<Session, 'events'>, last_event_id = -1) =>
        (await caller.events.list({ queue_id, last_event_id, dont_block: true })).events;

      await chat.as(ben).messages.updateFlags({ messages: [before.id], op: 'add', flag: 'starred' });
      await say(cleo, other, 'zebra');
      await say(cleo, open, 'zebra');
      await chat.as(cleo).messages.send({ type: 'direct', to: [ben], content: 'zebra' });
      await chat.as(cleo).messages.addReaction({ message_id: before.id, emoji_name: 'tada' });
      await chat.as(ben).userStatus.set({ status_text: 'zebra' });
      await chat.as(cleo).settings.edit({ full_name: 'zebra' });
      await ensure(19, [ben]);
      const own = await say(grace, room, 'in the room');
      const events = await poll(session);
      assert.ok(!/zebra|Cleo|News|Order 19/.test(text(events)), text(events));
      const seen = events.filter(({ type }) => type !== 'heartbeat');
      assert.deepEqual(
        seen.map(({ type }) => type),
        ['update_message_flags', 'message', 'stream'],
      );
      assert.deepEqual((seen[0] as unknown as { messages: number[] }).messages, []);
      assert.ok(text(seen[1]).includes(`"id":${own.id}`));

      // Another token of the same room goes on, in another process too. Other logins do not.
      const otherChat = await openChat({ storage: await place.reopen() });
      const second = await serve(otherChat, { port: 0 });
      t.after(async () => {
        await second.close();
        await otherChat.close();
      });
      const { token } = await chat.tokens.create({ user: ben, rooms: ['order-17'] });
      assert.ok(text(await poll(connect({ site: second.url, token }))).includes('in the room'));
      const both = await chat.tokens.create({ user: ben, rooms: ['order-17', 'order-19'] });
      for (const stranger of [chat.as(ben), connect({ site: url, token: both.token })])
        assert.equal(await codeOf(poll(stranger)), 'BAD_EVENT_QUEUE_ID');
      const whole = await chat.as(ben).register({ event_types: ['message'] });
      const theirs = session.events.list({ queue_id: whole.queue_id, last_event_id: -1, dont_block: true });
      assert.equal(await codeOf(theirs), 'BAD_EVENT_QUEUE_ID');
      assert.equal(await codeOf(session.events.delete({ queue_id: whole.queue_id })), 'BAD_EVENT_QUEUE_ID');

      // A poll that waits has the limit too.
      const last = Number(events.at(-1)?.id);
      const waiting = session.events.list({ queue_id, last_event_id: last });
      await say(cleo, open, 'zebra');
      await chat.rooms.ensure({ external_id: 'order-17', name: 'Order 17b', members: [ben], staff: 'support' });
      const renamed = (await waiting).events;
      assert.ok(text(renamed).includes('Order 17b') && !text(renamed).includes('zebra'), text(renamed));

      // Who is in the room changes what the token sees: the client registers again.
      const next = session.events.list({ queue_id, last_event_id: Number(renamed.at(-1)?.id) });
      await chat.rooms.ensure({ external_id: 'order-17', name: 'Order 17b', members: [ben, cleo], staff: 'support' });
      assert.equal(await codeOf(next), 'BAD_EVENT_QUEUE_ID');
      assert.equal(await codeOf(poll(session, last)), 'BAD_EVENT_QUEUE_ID');
      assert.equal((await session.users.list()).members.length, 3);

      await chat.rooms.close({ external_id: 'order-17' });
      const closed = await session.register({ client_capabilities: { archived_channels: true } });
      assert.deepEqual(
        closed.subscriptions.map(({ is_archived }) => is_archived),
        [true],
      );
      await chat.rooms.ensure({ external_id: 'order-17', name: 'Order 17', members: [cleo], staff: 'support' });
      assert.equal(await codeOf(session.messages.get({ message_id: own.id })), 'BAD_REQUEST');
      assert.deepEqual(
        (await session.users.list()).members.map(({ user_id }) => user_id),
        [ben],
      );
    });

    test('a token of a room is created by its members only, and for rooms only', async (t) => {
      const { chat, ben, cleo, open } = await shop(t);
      await chat
        .sync({ channels: [{ external_id: 'news', name: 'Mirrored', users: [] }] } as never)
        .catch(() => undefined);
      const create = (user: number, rooms: string[]) => chat.as(user).tokens.create({ rooms });
      for (const [user, room] of [
        [cleo, 'order-17'],
        [ben, 'order-99'],
        [ben, 'news'],
        [ben, `${open}`],
      ] as const)
        await assert.rejects(create(user, [room]), {
          code: 'BAD_REQUEST',
          message: `There is no room with the external ID "${room}" that you are in.`,
        });
      await assert.rejects(create(ben, []), { code: 'BAD_REQUEST' });
      assert.equal((await create(ben, ['order-19', 'order-17'])).user_id, ben);
    });
  });
}
