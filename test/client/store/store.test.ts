import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Batch, DerivedCell, SourceCell } from '../../../lib/client/store/cell.ts';
import { createChatStore } from '../../../lib/client/store/chat-store.ts';
import type { FeedTarget } from '../../../lib/client/store/feed.ts';
import { suggest, wordAt } from '../../../lib/client/store/suggest.ts';
import type {
  Cell,
  ChatStore,
  ChatStoreOptions,
  DraftStorage,
  MessageList,
  TopicPlace,
} from '../../../lib/client/store/types.ts';
import { ChatError, RateLimitHit, type Session, Unreachable } from '../../../lib/index.ts';
import { testChat } from '../../../lib/testing/testing.ts';
import { Gate } from '../../support/gate.ts';

/** Waits until the cell has a value with this property. */
async function until<T>(cell: Cell<T>, isDone: (value: T) => boolean): Promise<T> {
  for (let turns = 0; turns < 3000; turns++) {
    if (isDone(cell.get())) return cell.get();
    await wait(10);
  }
  assert.fail(`the cell still is ${JSON.stringify(cell.get())}`);
}

async function chatWithStore(t: TestContext, options: ChatStoreOptions = {}) {
  const { chat, people, channels, close } = await testChat();
  const store = createChatStore(people.ada, { storage: null, ...options });
  t.after(async () => {
    await store.stop();
    await close();
  });
  store.start();
  await until(store.status, ({ state }) => state === 'live');
  return { chat, people, store, channelId: channels.general, topic: { channelId: channels.general, topic: 'lunch' } };
}

async function chatWithStorage(t: TestContext) {
  const stored = new Map<string, string>();
  const storage: DraftStorage = {
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, value) => void stored.set(key, value),
    removeItem: (key) => void stored.delete(key),
    get length() {
      return stored.size;
    },
    key: (at) => [...stored.keys()][at] ?? null,
  };
  return { stored, storage, ...(await chatWithStore(t, { storage })) };
}

const full = () => {
  throw new Error('QuotaExceededError');
};
const FULL: DraftStorage = { getItem: full, setItem: full, removeItem: full, length: 0, key: full };

const loaded = (list: MessageList) => until(list.state, ({ loading }) => loading === 'none');
const texts = (list: MessageList) => list.state.get().messages.map(({ content }) => content.replace(/<[^>]*>/g, ''));

describe('cells', () => {
  it('notify once after a batch, and not at all if the value is unchanged at the end', () => {
    const batch = new Batch();
    const source = new SourceCell(batch, 1);
    const doubled = new DerivedCell(batch, () => source.get() * 2);
    const heard: number[] = [];
    source.listen((value) => {
      heard.push(value);
      doubled.invalidate();
    });
    const end = doubled.subscribe((value) => heard.push(value));
    batch.run(() => {
      source.set(2);
      source.set(3);
    });
    batch.run(() => {
      source.set(4);
      source.set(3);
    });
    end();
    source.set(5);
    assert.deepEqual(heard, [2, 3, 6, 5]);
  });

  it('start their source with the first listener and end it with the last', () => {
    const calls: string[] = [];
    const cell = new SourceCell(new Batch(), 0, () => {
      calls.push('start');
      return () => calls.push('end');
    });
    const [first, second] = [cell.listen(() => undefined), cell.listen(() => undefined)];
    first();
    first();
    second();
    cell.listen(() => undefined)();
    assert.deepEqual(calls, ['start', 'end', 'start', 'end']);
  });
});

describe('a chat store', () => {
  it('starts and stops in any order, and again', async (t) => {
    const { people, close } = await testChat();
    t.after(close);
    const store = createChatStore(people.ada, { storage: null });
    await store.stop();
    store.start();
    store.start();
    await store.stop();
    await store.stop();
    store.start();
    await until(store.status, ({ state }) => state === 'live');
    await store.stop();
  });

  it("shows the user's own message at once and has one row of it afterwards", async (t) => {
    const { store, topic } = await chatWithStore(t);
    const list = store.messages.open(topic);
    await loaded(list);
    const rows: string[][] = [];
    list.state.listen(({ messages, outgoing }) =>
      rows.push([...messages.map(({ content }) => content), ...outgoing.map(({ content }) => content)]),
    );
    store.outbox.send(topic, 'Soup');
    assert.deepEqual(rows.at(-1), ['Soup']);
    await until(store.outbox, (outgoing) => outgoing.size === 0);
    assert.deepEqual(rows.at(-1), ['<p>Soup</p>']);
    assert.ok(rows.every((row) => row.length <= 1));
    assert.equal(store.unread.get().total, 0);
  });

  it('keeps the text of a refused message, for another attempt or for the composer', async (t) => {
    const { store, people, topic, channelId } = await chatWithStore(t);
    const { localId } = store.outbox.send({ channelId: 999, topic: 'x' }, 'to no channel');
    const failed = (outgoing: ChatStore['outbox']['value']) => outgoing.get(localId)?.state === 'failed';
    const outgoing = await until(store.outbox, failed);
    assert.equal((outgoing.get(localId)?.error as ChatError | undefined)?.code, 'STREAM_DOES_NOT_EXIST');
    store.outbox.retry(localId);
    assert.equal(store.outbox.get().get(localId)?.state, 'sending');
    await until(store.outbox, failed);
    assert.equal(store.outbox.discard(localId)?.content, 'to no channel');
    assert.equal(store.outbox.discard(localId), undefined);
    assert.equal(store.outbox.get().size, 0);
    await people.ada.subscriptions.remove({ subscriptions: ['general'] });
    const list = store.messages.open({ channelId }, 'newest');
    store.outbox.send(topic, 'no event comes for this');
    await until(list.state, () => texts(list).includes('no event comes for this'));
    await until(store.outbox, (sent) => sent.size === 0);
  });

  it('fetches a message that no list has, when it gets a star or a mention', async (t) => {
    const { store, people, channelId } = await chatWithStore(t);
    const { id } = await people.ben.messages.send({ type: 'channel', to: channelId, topic: 'lunch', content: 'Soup' });
    const lists = [store.messages.open({ view: 'starred' }), store.messages.open({ view: 'mentions' })];
    await Promise.all(lists.map(loaded));
    assert.deepEqual(lists.map(texts), [[], []]);
    await people.ada.messages.updateFlags({ op: 'add', flag: 'starred', messages: [id] });
    await people.ben.messages.edit({ message_id: id, content: 'Soup, @**Ada**?' });
    for (const list of lists) await until(list.state, ({ messages }) => messages.length === 1);
    assert.deepEqual(lists.map(texts), [['Soup, @Ada?'], ['Soup, @Ada?']]);
  });

  it('fetches messages by their IDs, and keeps those up to date whose cell has a listener', async (t) => {
    const { people, store, topic } = await chatWithStore(t);
    const to = { type: 'channel', to: topic.channelId, topic: topic.topic } as const;
    const { id } = await people.ben.messages.send({ ...to, content: 'Soup?' });
    const { id: other } = await people.ben.messages.send({ ...to, content: 'Bread?' });
    const { id: hidden } = await people.ben.messages.send({
      type: 'direct',
      to: [people.cleo.user_id],
      content: 'Psst',
    });
    const [cell, unheard] = [store.messages.message(id), store.messages.message(other)];
    const end = cell.listen(() => {});
    await store.messages.fetch([id, other, hidden]);
    assert.match(`${cell.get()?.content}`, /Soup\?/);
    assert.deepEqual([unheard.get(), store.messages.message(hidden).get()], [undefined, undefined]);
    await people.ben.messages.edit({ message_id: id, content: 'Tea?' });
    await until(cell, (message) => /Tea\?/.test(`${message?.content}`));
    await people.ben.messages.edit({ message_id: id, topic: 'dinner', propagate_mode: 'change_one' });
    await until(cell, (message) => (message?.place as TopicPlace | undefined)?.topic === 'dinner');
    await people.ben.messages.delete({ message_id: id });
    await until(cell, (message) => message === undefined);
    end();
  });

  it('knows the newest unread message of a topic, also after it was read or deleted', async (t) => {
    const { people, store, topic } = await chatWithStore(t);
    const to = { type: 'channel', to: topic.channelId, topic: topic.topic } as const;
    const ids: number[] = [];
    for (const content of ['One', 'Two', 'Three']) ids.push((await people.ben.messages.send({ ...to, content })).id);
    const [first, second, third] = ids as [number, number, number];
    const newestIs = (id: number) =>
      until(store.unread, ({ channels }) => channels.get(topic.channelId)?.topics.get('lunch')?.newest === id);
    await newestIs(third);
    await people.ben.messages.delete({ message_id: third });
    await newestIs(second);
    store.messages.markRead([second]);
    await newestIs(first);
    await store.flush();
    await store.messages.markUnread([second]);
    await newestIs(second);
  });

  it('keeps as many messages of a list as its limit says', async (t) => {
    const { people, store, topic } = await chatWithStore(t);
    for (let index = 0; index < 5; index++)
      await people.ben.messages.send({
        type: 'channel',
        to: topic.channelId,
        topic: 'lunch',
        content: `Text ${index}`,
      });
    const list = store.messages.open({ view: 'all' }, 'newest', { limit: 6 });
    await loaded(list);
    for (let index = 5; index < 9; index++)
      await people.ben.messages.send({
        type: 'channel',
        to: topic.channelId,
        topic: 'lunch',
        content: `Text ${index}`,
      });
    await until(list.state, ({ messages }) => /Text 8/.test(`${messages.at(-1)?.content}`));
    assert.deepEqual(texts(list).length, 6);
    assert.equal(list.state.get().hasOldest, false);
    list.close();
  });

  it('moves messages between open lists, and reports the new place of a whole topic', async (t) => {
    const { store, people, topic, channelId } = await chatWithStore(t);
    const [from, to] = [store.messages.open(topic), store.messages.open({ channelId, topic: 'Dinner' })];
    await Promise.all([loaded(from), loaded(to)]);
    const { id } = await people.ben.messages.send({ type: 'channel', to: channelId, topic: 'lunch', content: 'a' });
    await people.ben.messages.send({ type: 'channel', to: channelId, topic: 'lunch', content: 'b' });
    await until(from.state, ({ messages }) => messages.length === 2);
    await people.ada.messages.edit({
      message_id: id,
      topic: 'dinner',
      propagate_mode: 'change_one',
      send_notification_to_new_thread: false,
    });
    await until(to.state, ({ messages }) => messages.length === 1);
    assert.deepEqual([texts(from), texts(to)], [['b'], ['a']]);
    assert.deepEqual(
      [...(store.unread.get().channels.get(channelId)?.topics.values() ?? [])].map(({ name, count }) => [name, count]),
      [
        ['lunch', 1],
        ['dinner', 1],
      ],
    );
    const [last] = from.state.get().messages;
    await people.ada.messages.edit({
      message_id: last?.id ?? 0,
      topic: 'DINNER',
      propagate_mode: 'change_all',
      send_notification_to_new_thread: false,
    });
    await until(from.state, ({ movedTo }) => movedTo !== undefined);
    assert.deepEqual(from.state.get().movedTo, { channelId, topic: 'dinner' });
    // The message left the store with the first list, so the second one fetches it.
    await until(to.state, ({ messages }) => messages.length === 2);
    assert.deepEqual(texts(to), ['a', 'b']);
  });

  it("keeps at most 400 messages of a list, and the reader's position", async (t) => {
    const { store, people, topic, channelId } = await chatWithStore(t);
    const send = (content: string) =>
      people.ben.messages.send({ type: 'channel', to: channelId, topic: 'lunch', content });
    for (let count = 0; count < 450; count++) await send(String(count));
    await until(store.unread, ({ total }) => total === 450);
    const list = store.messages.open(topic, 'newest');
    await loaded(list);
    assert.equal(list.state.get().messages.length, 50);
    await list.older(20);
    assert.equal(list.state.get().messages.length, 70);
    for (let count = 0; count < 7; count++) await list.older();
    assert.equal(list.state.get().messages.length, 400);
    const unsent = store.outbox.send(topic, 'own');
    assert.deepEqual(list.state.get().outgoing, [unsent], 'an own message is shown also below old messages');
    await until(store.outbox, ({ size }) => size === 0);
    assert.deepEqual(list.state.get().outgoing, []);
    assert.deepEqual([list.state.get().hasNewest, list.state.get().hasOldest], [false, false]);
    const { generation } = list.state.get();
    await send('not in the window');
    await until(store.unread, ({ total }) => total === 451);
    assert.ok(!texts(list).includes('not in the window'));
    for (let count = 0; count < 2; count++) await list.newer();
    assert.equal(texts(list).at(-1), 'not in the window');
    assert.equal(list.state.get().generation, generation);
    await list.around('first_unread');
    assert.equal(list.state.get().anchor, list.state.get().messages.find(({ content }) => content === '<p>0</p>')?.id);
  });

  it('sends to the topic and the users that its lists show, under the names that the server stores', async (t) => {
    const { store, people, channelId } = await chatWithStore(t);
    const long = `${'x'.repeat(59)}${'🍲'.repeat(9)}`;
    const places = [
      { channelId, topic: '  lunch ' },
      { channelId, topic: ` ${long} ` },
      { channelId, topic: 'general chat' },
      { userIds: [people.ben, people.ada, people.cleo].map(({ user_id }) => user_id).reverse() },
    ];
    for (const place of places) {
      const list = store.messages.open(place);
      await loaded(list);
      store.drafts.of(place).set('Soup?');
      store.outbox.send(place, 'Soup?');
      assert.equal(list.state.get().outgoing.length, 1, JSON.stringify(place));
      await until(list.state, ({ messages, outgoing }) => messages.length === 1 && outgoing.length === 0);
      assert.equal(store.drafts.of(list.narrow as TopicPlace).get(), 'Soup?');
      list.close();
    }
    const { topics } = await people.ben.topics.list({ stream_id: channelId, allow_empty_topic_name: true });
    assert.deepEqual(topics.map(({ name }) => name).sort(), ['', 'channel events', 'lunch', `${'x'.repeat(57)}...`]);
  });

  it('keeps the end of a list for a reader who follows it', async (t) => {
    const { store, people, topic, channelId } = await chatWithStore(t);
    const send = (content: string) =>
      people.ben.messages.send({ type: 'channel', to: channelId, topic: 'lunch', content });
    const { id } = await send('first');
    const list = store.messages.open(topic, 'newest');
    await loaded(list);
    list.holdAt(id);
    list.holdAt('newest');
    for (let count = 0; count < 450; count++) await send(String(count));
    await until(store.unread, ({ total }) => total === 451);
    assert.deepEqual([texts(list).length, texts(list).at(-1), list.state.get().hasNewest], [400, '449', true]);
  });

  it('counts by the policy of the topic, then by the mute of the channel', async (t) => {
    const { store, people, channelId } = await chatWithStore(t);
    const set = (visibility_policy: 0 | 1 | 2) =>
      people.ada.userTopics.set({ stream_id: channelId, topic: 'LUNCH', visibility_policy });
    await people.ben.messages.send({ type: 'channel', to: channelId, topic: 'lunch', content: '@**Ada**' });
    await people.ben.messages.send({ type: 'direct', to: [people.ada.user_id], content: 'psst' });
    await until(store.unread, ({ total }) => total === 2);
    await set(1);
    await until(store.unread, ({ total, mentions, direct }) => total === 1 && mentions === 1 && direct === 1);
    await people.ada.subscriptions.updateProperties({
      subscription_data: [{ stream_id: channelId, property: 'is_muted', value: true }],
    });
    await set(2);
    await until(store.unread, ({ total }) => total === 2);
    await set(0);
    await until(store.unread, ({ total }) => total === 1);
    await people.ada.mutedUsers.add({ muted_user_id: people.ben.user_id });
    await until(store.unread, ({ total }) => total === 0);
    await people.ada.subscriptions.remove({ subscriptions: ['general'] });
    await until(store.unread, ({ mentions, channels }) => mentions === 0 && channels.size === 0);
  });

  it('undoes a reaction that the server refuses', async (t) => {
    const { store, people, topic, channelId } = await chatWithStore(t);
    const { id } = await people.ben.messages.send({ type: 'channel', to: channelId, topic: 'lunch', content: 'a' });
    const list = store.messages.open(topic);
    await until(list.state, ({ messages }) => messages.length === 1);
    const reactions = () => list.state.get().messages[0]?.reactions.map(({ emoji_name }) => emoji_name);
    const react = (emoji_name: string, emoji_code: string, on: boolean) =>
      store.messages.react(id, { emoji_name, emoji_code, reaction_type: 'unicode_emoji' }, on);
    const refused = react('no_such_emoji', '1f389', true);
    assert.deepEqual(reactions(), ['no_such_emoji']);
    await assert.rejects(refused, { code: 'BAD_REQUEST' });
    assert.deepEqual(reactions(), []);
    await react('tada', '1f389', true);
    await react('tada', '1f389', true);
    assert.deepEqual(reactions(), ['tada']);
    await react('tada', '1f389', false);
    await react('tada', '1f389', false);
    assert.deepEqual(reactions(), []);
  });

  it('has no gap if the window is trimmed while older messages are fetched', async (t) => {
    const { people, topic, channelId, store: other } = await chatWithStore(t);
    const { ada } = people;
    const say = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () =>
          people.ben.messages.send({ type: 'channel', to: channelId, topic: 'lunch', content: 'a' }),
        ),
      );
    await say(520);
    let before = async () => undefined as unknown;
    const list = async (given: Parameters<typeof ada.messages.list>[0]) => {
      const found = await ada.messages.list(given);
      await before();
      return found;
    };
    const session: Session = { ...ada, messages: { ...ada.messages, list } };
    const store = createChatStore(session, { storage: null });
    t.after(() => store.stop());
    store.start();
    const open = store.messages.open(topic, 'newest');
    await until(open.state, ({ messages, loading }) => messages.length > 0 && loading === 'none');
    while (open.state.get().messages.length < 400) await open.older();
    before = async () => {
      before = async () => undefined;
      const last = open.state.get().messages.at(-1)?.id ?? 0;
      const [{ id } = { id: 0 }] = await say(1);
      await until(open.state, ({ messages }) => messages.at(-1)?.id === id && id > last);
    };
    await open.older();
    const ids = open.state.get().messages.map((message) => message.id);
    const { messages } = await ada.messages.list({
      anchor: ids[0],
      num_before: 0,
      num_after: ids.length - 1,
      narrow: [
        { operator: 'channel', operand: channelId },
        { operator: 'topic', operand: 'lunch' },
      ],
    });
    assert.deepEqual(
      ids,
      messages.map((message) => message.id),
    );
    await other.stop();
  });

  it('refuses to overwrite a concurrent edit', async (t) => {
    const { store, topic, people } = await chatWithStore(t);
    const { id } = await people.ada.messages.send({
      type: 'channel',
      to: topic.channelId,
      topic: 'lunch',
      content: 'a',
    });
    assert.equal(await store.messages.markdown(id), 'a');
    await people.ada.messages.edit({ message_id: id, content: 'b' });
    await assert.rejects(store.messages.edit(id, 'c'), { code: 'EXPECTATION_MISMATCH' });
    assert.equal(await store.messages.markdown(id), 'b');
    await store.messages.edit(id, 'c');
    assert.equal(await store.messages.markdown(id), 'c');
  });

  it('marks as read locally at once and on the server in batches', async (t) => {
    const { store, people, channelId } = await chatWithStore(t);
    const send = () => people.ben.messages.send({ type: 'channel', to: channelId, topic: 'lunch', content: 'a' });
    const ids = [(await send()).id, (await send()).id];
    await until(store.unread, ({ total }) => total === 2);
    for (const id of ids) store.messages.markRead([id]);
    assert.equal(store.unread.get().total, 0);
    await store.flush();
    const { unread_msgs } = await people.ada.register({ fetch_event_types: ['update_message_flags'] });
    assert.equal(unread_msgs.count, 0);
  });

  for (const [reason, failure] of [
    ['requests a wait', new RateLimitHit(30)],
    ['has a fault', new ChatError('Internal server error.', 'INTERNAL_SERVER_ERROR', 500)],
    ['is overloaded', new ChatError('The database is too busy.', 'SERVICE_UNAVAILABLE', 503)],
    ['cannot be reached', new Unreachable('http://chat.example.com', new Error('no connection'))],
  ] as const)
    it(`keeps messages read, and sends the flags again, if the server ${reason}`, async (t) => {
      const { people, topic } = await chatWithStore(t);
      const { messages } = people.ada;
      let isFailing = true;
      const updateFlags: typeof messages.updateFlags = (...given) =>
        isFailing ? Promise.reject(failure) : messages.updateFlags(...given);
      const session: Session = Object.create(people.ada, { messages: { value: { ...messages, updateFlags } } });
      const store = createChatStore(session, { storage: null });
      store.start();
      t.after(() => store.stop());
      await until(store.status, ({ state }) => state === 'live');
      const send = () =>
        people.ben.messages.send({ type: 'channel', to: topic.channelId, topic: 'lunch', content: 'a' });
      const ids = [(await send()).id, (await send()).id];
      await until(store.unread, ({ total }) => total === 2);
      store.messages.markRead(ids);
      await store.flush();
      isFailing = false;
      await store.flush();
      const { unread_msgs } = await people.ada.register({ fetch_event_types: ['update_message_flags'] });
      assert.equal(unread_msgs.count, 0);
    });

  it('keeps a message read that is edited before the server knows it', async (t) => {
    const { store, people, topic, channelId } = await chatWithStore(t);
    const { id } = await people.ben.messages.send({ type: 'channel', to: channelId, topic: 'lunch', content: 'a' });
    const list = store.messages.open(topic);
    await until(list.state, ({ messages }) => messages.length === 1);
    store.messages.markRead([id]);
    await people.ben.messages.edit({ message_id: id, content: 'b' });
    await until(list.state, ({ messages }) => messages[0]?.content === '<p>b</p>');
    assert.equal(list.state.get().messages[0]?.flags.has('read'), true);
    await store.flush();
    const { messages } = await people.ada.messages.list({ anchor: id, num_before: 0, num_after: 0 });
    assert.deepEqual(messages[0]?.flags, ['read']);
  });

  it('keeps a draft in the storage at once and on the server soon, and accepts one of another client', async (t) => {
    const { store, people, topic, stored, storage } = await chatWithStorage(t);
    const draft = store.drafts.of(topic);
    draft.set('Sou');
    draft.set('Soup?');
    assert.match([...stored.values()].join(), /Soup\?/);
    const second = createChatStore(people.ada, { storage });
    second.start();
    t.after(() => second.stop());
    await until(second.drafts.of(topic), (text) => text === 'Soup?');
    await store.flush();
    assert.equal(stored.size, 0);
    const { drafts } = await people.ada.drafts.list();
    assert.deepEqual(
      drafts.map(({ content }) => content),
      ['Soup?'],
    );
    await people.ada.drafts.edit({
      draft_id: drafts[0]?.id ?? 0,
      draft: { type: 'stream', to: [topic.channelId], topic: 'lunch', content: 'Salad!' },
    });
    await until(draft, (text) => text === 'Salad!');
    draft.set('');
    await store.flush();
    assert.equal((await people.ada.drafts.list()).count, 0);
    await until(second.drafts.of(topic), (text) => text === '');
  });

  for (const [isSent, when] of [
    [false, 'before the server has it'],
    [true, 'after the server has it'],
  ] as const)
    it(`a text being written goes with its topic when it is renamed and moved back, ${when}`, async (t) => {
      const { store, people, topic, stored, storage } = await chatWithStorage(t);
      const { id } = await people.ben.messages.send({
        type: 'channel',
        to: topic.channelId,
        topic: 'lunch',
        content: '1',
      });
      const other = createChatStore(people.ada, { storage: null });
      other.start();
      t.after(() => other.stop());
      await until(other.status, ({ state }) => state === 'live');
      // On a slow machine, the text would be on its way while the topic is moved.
      const synchronize = async (isOn: boolean) => {
        await people.ada.settings.edit({ enable_drafts_synchronization: isOn });
        await until(store.settings, (settings) => settings?.enable_drafts_synchronization === isOn);
      };
      if (!isSent) await synchronize(false);
      const draft = store.drafts.of(topic);
      draft.set('Half a sent');
      if (isSent) await store.flush();
      if (isSent) await until(other.drafts.of(topic), (text) => text === 'Half a sent');
      const resolved = { ...topic, topic: '✔ lunch' };
      for (const place of [resolved, topic]) {
        const { topic: renamed } = place;
        const list = store.messages.open(place === topic ? resolved : topic);
        await people.ada.messages.edit({ message_id: id, topic: renamed, propagate_mode: 'change_all' });
        await until(list.state, ({ movedTo }) => movedTo?.topic === renamed);
        list.close();
        assert.equal(store.drafts.of(place), draft);
        assert.equal(draft.get().trim(), 'Half a sent');
        assert.equal(store.drafts.of(place === topic ? resolved : topic).get(), '');
        draft.set(`${draft.get()} `);
        if (isSent) for (const one of [store, other]) await one.flush();
      }
      if (!isSent) await synchronize(true);
      await store.flush();
      await until(other.drafts.of(topic), (text) => text.trim() === 'Half a sent');
      await other.flush();
      const { drafts } = await people.ada.drafts.list();
      assert.deepEqual(
        drafts.map(({ topic: name, content }) => [name, content]),
        [['lunch', 'Half a sent']],
      );
      assert.equal(stored.size, 0);
      const reloaded = createChatStore(people.ada, { storage });
      reloaded.start();
      t.after(() => reloaded.stop());
      await until(reloaded.status, ({ state }) => state === 'live');
      assert.equal(reloaded.drafts.of(topic).get(), 'Half a sent');
    });

  it('a draft that is on its way while its topic is renamed goes to the new topic', async (t) => {
    const { store, people, topic } = await chatWithStorage(t);
    const message = { type: 'channel', to: topic.channelId, topic: 'lunch', content: '1' } as const;
    const { id } = await people.ben.messages.send(message);
    const { create } = people.ada.drafts;
    const [begun, released] = [new Gate(), new Gate()];
    t.mock.method(people.ada.drafts, 'create', async (...call: Parameters<typeof create>) => {
      begun.open();
      await released.opened;
      return create.apply(people.ada.drafts, call);
    });
    store.drafts.of(topic).set('Half a sent');
    const sending = store.flush();
    await begun.opened;
    const list = store.messages.open(topic);
    await people.ada.messages.edit({ message_id: id, topic: 'soup', propagate_mode: 'change_all' });
    await until(list.state, ({ movedTo }) => movedTo?.topic === 'soup');
    released.open();
    await sending;
    await store.flush();
    const { drafts } = await people.ada.drafts.list();
    assert.deepEqual(
      drafts.map(({ topic: name, content }) => [name, content]),
      [['soup', 'Half a sent']],
    );
  });

  it('a text being written is added to the one of the topic that its topic is merged into', async (t) => {
    const { store, people, topic } = await chatWithStorage(t);
    const { id } = await people.ben.messages.send({
      type: 'channel',
      to: topic.channelId,
      topic: 'lunch',
      content: '1',
    });
    const dinner = { ...topic, topic: 'dinner' };
    store.drafts.of(topic).set('Soup');
    store.drafts.of(dinner).set('Bread');
    await store.flush();
    await people.ada.messages.edit({ message_id: id, topic: 'dinner', propagate_mode: 'change_all' });
    await until(store.drafts.of(dinner), (text) => text === 'Bread\n\nSoup');
    assert.equal(store.drafts.of(topic).get(), '');
    await store.flush();
    const { drafts } = await people.ada.drafts.list();
    assert.deepEqual(
      drafts.map(({ content }) => content),
      ['Bread\n\nSoup'],
    );
  });

  it('a text that continues the draft of the server survives a reload, however wrong the clock is', async (t) => {
    const { store, people, topic, stored, storage } = await chatWithStorage(t);
    store.drafts.of(topic).set('Half');
    await store.flush();
    store.drafts.of(topic).set('Half a sent');
    assert.equal(stored.size, 1);
    for (const [key, value] of stored) stored.set(key, value.replace(/"changedAt":[\d.]+/, '"changedAt":1'));
    const reloaded = createChatStore(people.ada, { storage });
    reloaded.start();
    t.after(() => reloaded.stop());
    await until(reloaded.status, ({ state }) => state === 'live');
    assert.equal(reloaded.drafts.of(topic).get(), 'Half a sent');
  });

  for (const [which, seconds, shown] of [
    ['text of the storage', 60, 'from the storage'],
    ['text of the storage', 1, 'from the storage'],
    ['draft of the server', -1, 'from the server'],
    ['draft of the server', -60, 'from the server'],
  ] as const)
    it(`shows the ${which} if the storage changed ${Math.abs(seconds)} s ${seconds > 0 ? 'later' : 'earlier'}`, async (t) => {
      const { people, topic, stored, storage } = await chatWithStorage(t);
      const timestamp = Math.floor(Date.now() / 1000) - 600;
      // The name of the text in the storage.
      const { drafts } = people.ada;
      const neverArrives = { ...drafts, create: () => Promise.reject(new Error('The connection broke.')) };
      const before = createChatStore(Object.create(people.ada, { drafts: { value: neverArrives } }), { storage });
      before.start();
      await until(before.status, ({ state }) => state === 'live');
      before.drafts.of(topic).set('from the storage');
      await before.stop();
      const [name, text] = [...stored][0] ?? assert.fail();
      const changedAt = (timestamp + seconds) * 1000;
      stored.set(name, text.replace(/"changedAt":[\d.]+,"known":\[[^\]]*\]/, `"changedAt":${changedAt},"known":[]`));
      const draft = { type: 'stream' as const, to: [topic.channelId], topic: 'lunch', timestamp };
      await drafts.create({ drafts: [{ ...draft, content: 'from the server' }] });
      const reloaded = createChatStore(people.ada, { storage });
      reloaded.start();
      t.after(() => reloaded.stop());
      await until(reloaded.status, ({ state }) => state === 'live');
      assert.equal(reloaded.drafts.of(topic).get(), shown);
    });

  it('an older text of the same draft, which comes back as an event, does not replace newer input', async (t) => {
    const { people, topic, storage } = await chatWithStorage(t);
    const { drafts } = people.ada;
    const create: typeof drafts.create = (...parameters) => {
      // The user continues to type before the server stores the text. The clock jumps back.
      t.mock.timers.enable({ apis: ['Date'], now: 0 });
      draft.set('Half a sent');
      t.mock.timers.reset();
      return drafts.create(...parameters);
    };
    const session: Session = Object.create(people.ada, { drafts: { value: { ...drafts, create } } });
    const store = createChatStore(session, { storage });
    store.start();
    t.after(() => store.stop());
    await until(store.status, ({ state }) => state === 'live');
    const draft = store.drafts.of(topic);
    draft.set('Half');
    await store.flush();
    await people.ben.messages.send({ type: 'direct', to: [people.ada.user_id], content: 'a' });
    await until(store.unread, ({ direct }) => direct > 0);
    assert.equal(draft.get(), 'Half a sent');
  });

  it('a second tab leaves the stored text of the first alone, and does not send it in its place', async (t) => {
    const { store, people, topic, stored, storage } = await chatWithStorage(t);
    const draft = store.drafts.of(topic);
    draft.set('Half');
    const second = createChatStore(people.ada, { storage });
    second.start();
    t.after(() => second.stop());
    await until(second.drafts.of(topic), (text) => text === 'Half');
    draft.set('Half a sent');
    await second.flush();
    assert.equal((await people.ada.drafts.list()).count, 0);
    assert.match([...stored.values()].join(), /Half a sent/);
    // The second tab receives a text of the first that is not the last.
    await store.flush();
    await until(second.drafts.of(topic), (text) => text === 'Half a sent');
    draft.set('Half a sentence');
    await people.ada.drafts.edit({
      draft_id: (await people.ada.drafts.list()).drafts[0]?.id ?? 0,
      draft: { type: 'stream', to: [topic.channelId], topic: 'lunch', content: 'Half a s' },
    });
    await until(second.drafts.of(topic), (text) => text === 'Half a s');
    assert.match([...stored.values()].join(), /Half a sentence/);
    assert.equal((await people.ada.drafts.list()).count, 1);
  });

  it('keeps the text of pending messages for the next page, which sends them once with the same key', async (t) => {
    const { people, topic, stored, storage } = await chatWithStorage(t);
    const keys: (string | undefined)[] = [];
    const { messages } = people.ada;
    let isArriving = false;
    const send: typeof messages.send = async ({ queue_id: _, ...parameters }) => {
      keys.push(parameters.idempotency_key);
      // The event does not identify the message.
      if (isArriving) await messages.send(parameters);
      throw new Error('The connection broke.');
    };
    const session: Session = Object.create(people.ada, { messages: { value: { ...messages, send } } });
    const page = async (of: Session) => {
      const store = createChatStore(of, { storage });
      store.start();
      t.after(() => store.stop());
      await until(store.status, ({ state }) => state === 'live');
      return store;
    };
    const first = await page(session);
    const lost = first.outbox.send(topic, 'lost');
    await until(first.outbox, (all) => all.get(lost.localId)?.state === 'unsure');
    isArriving = true;
    const arrived = first.outbox.send(topic, 'arrived');
    const refused = first.outbox.send({ channelId: 999, topic: 'x' }, 'refused');
    await until(first.outbox, (all) => all.get(refused.localId)?.state === 'failed');
    await until(first.outbox, (all) => all.get(arrived.localId)?.state === 'unsure');
    await first.stop();
    const other = createChatStore(people.ben, { storage });
    other.start();
    t.after(() => other.stop());
    await until(other.status, ({ state }) => state === 'live');
    assert.equal(other.outbox.get().size, 0);
    const second = await page(people.ada);
    const list = second.messages.open(topic);
    await until(second.outbox, (all) => all.size === 1);
    const { state, content, place, error } = second.outbox.get().get(refused.localId) ?? assert.fail();
    assert.deepEqual([state, content, place], ['failed', 'refused', { channelId: 999, topic: 'x' }]);
    assert.match(error?.message ?? '', /channel/i);
    assert.deepEqual(keys, [lost.localId, arrived.localId, refused.localId]);
    await until(list.state, () => texts(list).length === 2);
    assert.deepEqual(texts(list).sort(), ['arrived', 'lost']);
    second.outbox.discard(refused.localId);
    assert.equal(stored.size, 0);
  });

  it('sends and fetches again within 3 seconds what was lost while the store stayed live', async (t) => {
    const { people, topic } = await chatWithStore(t);
    const { messages } = people.ada;
    let sent = 0;
    const send: typeof messages.send = async (parameters) => {
      if (sent++ === 0) throw new Error('The connection broke.');
      return messages.send(parameters);
    };
    let fetched = 0;
    const fetchList: typeof messages.list = async (parameters) => {
      if (fetched++ === 0) throw new Error('The connection broke.');
      return messages.list(parameters);
    };
    const lossy = { ...messages, send, list: fetchList };
    const store = createChatStore(Object.create(people.ada, { messages: { value: lossy } }), {
      storage: null,
    });
    t.after(() => store.stop());
    store.start();
    await until(store.status, ({ state }) => state === 'live');
    const list = store.messages.open(topic);
    await loaded(list);
    assert.ok(list.state.get().error);
    const since = Date.now();
    store.outbox.send(topic, 'lost');
    await until(store.outbox, (all) => all.size === 0);
    await until(list.state, ({ messages }) => messages.length === 1);
    assert.deepEqual(texts(list), ['lost']);
    assert.ok(Date.now() - since < 3000);
  });

  it('does not send a message again by itself if the server may have forgotten its key', async (t) => {
    const { people, topic, stored, storage } = await chatWithStorage(t);
    const messages = { ...people.ada.messages, send: () => Promise.reject(new Error('The connection broke.')) };
    const first = createChatStore(Object.create(people.ada, { messages: { value: messages } }), { storage });
    first.start();
    await until(first.status, ({ state }) => state === 'live');
    const { localId } = first.outbox.send(topic, 'from yesterday');
    await until(first.outbox, (all) => all.get(localId)?.state === 'unsure');
    await first.stop();
    for (const [key, value] of stored)
      stored.set(
        key,
        value.replace(/"sentAt":(\d+)/, (_, at) => `"sentAt":${at - 23 * 3_600_000}`),
      );
    const second = createChatStore(people.ada, { storage });
    second.start();
    t.after(() => second.stop());
    await until(second.outbox, (all) => all.get(localId)?.state === 'failed');
    assert.equal(second.outbox.get().get(localId)?.error, undefined);
    const list = second.messages.open(topic);
    await loaded(list);
    assert.deepEqual(texts(list), []);
    second.outbox.retry(localId);
    await until(list.state, () => texts(list).length === 1);
    await until(second.outbox, (all) => all.size === 0);
    assert.equal(stored.size, 0);
  });

  it('sends a message also if the browser stores nothing, and warns that a reload loses it', async (t) => {
    const { store, topic } = await chatWithStore(t, { storage: FULL });
    const list = store.messages.open(topic);
    await loaded(list);
    store.outbox.send(topic, 'Soup');
    assert.deepEqual([...store.warnings.get()], ['not_stored']);
    await until(list.state, () => texts(list).includes('Soup'));
    await until(store.outbox, (all) => all.size === 0);
  });

  it('warns when the browser does not store drafts, and keeps them on the server', async (t) => {
    const { store, people, topic } = await chatWithStore(t, { storage: FULL });
    store.drafts.of(topic).set('text');
    assert.deepEqual([...store.warnings.get()], ['not_stored']);
    await store.flush();
    assert.equal((await people.ada.drafts.list()).drafts[0]?.content, 'text');
  });

  it('keeps the texts of the account when a logout fails, and removes them after a successful one', async (t) => {
    const { stored, store, people, topic } = await chatWithStorage(t);
    stored.set('parlance.draft https://other.example 7 5:lunch', 'of another account');
    await people.ada.settings.edit({ enable_drafts_synchronization: false });
    await until(store.settings, (settings) => settings?.enable_drafts_synchronization === false);
    store.drafts.of(topic).set('Half a thou');
    await assert.rejects(
      store.logOut(() => Promise.reject(new Error('no connection'))),
      /no connection/,
    );
    assert.equal(stored.size, 2);
    await store.logOut(async () => undefined);
    assert.deepEqual([...stored.values()], ['of another account']);
    await store.flush();
    assert.equal(stored.size, 1);
  });

  it('shows who types, and fetches users and topics when there is a listener', async (t) => {
    const { store, people, topic, channelId } = await chatWithStore(t);
    await people.ben.typing.send({ type: 'channel', op: 'start', stream_id: channelId, topic: 'Lunch' });
    await until(store.activity.typing(topic), (users) => users.includes(people.ben.user_id));
    const topics = store.channels.topics(channelId);
    const end = topics.listen(() => undefined);
    t.after(end);
    await people.ben.messages.send({ type: 'channel', to: channelId, topic: 'lunch', content: 'a' });
    await until(store.activity.typing(topic), (users) => users.length === 0);
    const [lunch] = await until(topics, (all) => all.some(({ name }) => name === 'lunch'));
    assert.deepEqual([lunch?.name, lunch?.unread, lunch?.visibilityPolicy], ['lunch', 1, 0]);
    const ben = store.people.user(people.ben.user_id);
    await until(ben, (person) => person?.full_name === people.ben.full_name);
    await people.ben.settings.edit({ full_name: 'Benedict' });
    await until(ben, (person) => person?.full_name === 'Benedict');
    await until(store.people.user(999), (person) => person?.is_unknown === true);
    const { cross_realm_bots } = await people.ada.register({ fetch_event_types: ['realm_user'] });
    const [bot] = cross_realm_bots;
    await until(store.people.user(bot?.user_id ?? 0), (person) => person?.full_name === bot?.full_name);
  });

  it('fetches topics and users again when the connection is back', async (t) => {
    const { people, channelId, store: other } = await chatWithStore(t);
    await people.ben.messages.send({ type: 'channel', to: channelId, topic: 'lunch', content: 'a' });
    const { ada } = people;
    let failures = 0;
    const once = <T extends (...given: never[]) => unknown>(method: T, left = 1) =>
      ((...given: never[]) => {
        if (left-- <= 0) return method(...given);
        failures++;
        return Promise.reject(new Unreachable('http://chat.example.com', new Error('no connection')));
      }) as T;
    const session: Session = {
      ...ada,
      topics: { ...ada.topics, list: once(ada.topics.list) },
      users: { ...ada.users, list: once(ada.users.list) },
    };
    const store = createChatStore(session, { storage: null });
    t.after(() => store.stop());
    store.start();
    await until(store.status, ({ state }) => state === 'live');
    const topics = store.channels.topics(channelId);
    t.after(topics.listen(() => undefined));
    const ben = store.people.user(people.ben.user_id);
    for (let turns = 0; turns < 400 && failures < 2; turns++) await wait(10);
    assert.deepEqual([topics.get(), ben.get()], [[], undefined]);
    const target = store as unknown as FeedTarget;
    target.setStatus({ state: 'offline' });
    target.setStatus({ state: 'live' });
    await until(topics, (all) => all.some(({ name }) => name === 'lunch'));
    await until(ben, (person) => person?.full_name === people.ben.full_name);
    await other.stop();
  });

  it('lists topics again for a second listener after the first has left', async (t) => {
    const { store, people, channelId } = await chatWithStore(t);
    const topics = store.channels.topics(channelId);
    topics.listen(() => undefined)();
    t.after(topics.listen(() => undefined));
    await people.ben.messages.send({ type: 'channel', to: channelId, topic: 'lunch', content: 'a' });
    await until(topics, (all) => all.some(({ name }) => name === 'lunch'));
    assert.equal(store.channels.topics(channelId), topics);
  });

  it('hands over unread messages with their counts, one time for each response, and no read ones', async (t) => {
    const { store, people, channelId } = await chatWithStore(t);
    const heard: string[] = [];
    const end = store.messages.onUnread((messages) => {
      const { total } = store.unread.get();
      heard.push(...messages.map(({ id, content }) => `${content} ${total} ${store.messages.isUnread(id)}`));
    });
    const lunch = { type: 'channel', to: channelId, topic: 'lunch' } as const;
    await people.ada.messages.send({ ...lunch, content: 'mine', read_by_sender: true });
    await people.ben.messages.send({ ...lunch, content: 'soup' });
    await until(store.unread, ({ total }) => total === 1);
    assert.deepEqual(heard, ['<p>soup</p> 1 true']);
    end();
    await people.ben.messages.send({ ...lunch, content: 'bread' });
    await until(store.unread, ({ total }) => total === 2);
    assert.equal(heard.length, 1);
    await store.session.userTopics.set({ stream_id: channelId, topic: 'Lunch', visibility_policy: 3 });
    for (let turns = 0; turns < 100 && store.channels.policy(channelId, 'lunch') === 0; turns++) await wait(10);
    assert.equal(store.channels.policy(channelId, 'lunch'), 3);
  });

  it('counts the unread messages of a list below a message, without those of other lists', async (t) => {
    const { store, people, channelId, topic } = await chatWithStore(t);
    const say = (to: string, content: string) =>
      people.ben.messages.send({ type: 'channel', to: channelId, topic: to, content }).then(({ id }) => id);
    const first = await say('lunch', 'a');
    await say('tea', 'b');
    await say('LUNCH', '@**all** c');
    await people.ben.messages.send({ type: 'direct', to: [people.ada.user_id], content: 'd' });
    await until(store.unread, ({ total }) => total === 4);
    const count = (narrow: Parameters<typeof store.messages.open>[0]) => store.messages.countUnread(narrow, first);
    assert.equal(count(topic), 1);
    assert.equal(count({ channelId }), 2);
    assert.equal(count({ userIds: [people.ben.user_id] }), 1);
    assert.equal(count({ view: 'all' }), 3);
    assert.equal(count({ view: 'mentions' }), 1);
    assert.equal(count({ search: [['search', 'a']] }), 0);
    assert.equal(store.messages.countUnread(topic, 0), 2);
  });

  it('hands on the events of data that it does not keep, and none after a new start', async (t) => {
    const { people, store } = await chatWithStore(t);
    const heard: string[] = [];
    store.events.listen((events) => heard.push(events.map(({ type }) => type).join()));
    const { saved_snippet_id } = await people.ada.savedSnippets.create({ title: 'Hi', content: 'Hello' });
    await until(store.events, (events) => events.some(({ type }) => type === 'saved_snippets'));
    await people.ben.savedSnippets.create({ title: 'Not hers', content: 'Hello' });
    await people.ada.savedSnippets.remove({ saved_snippet_id });
    await until(store.events, () => heard.length === 2);
    assert.deepEqual(heard, ['saved_snippets', 'saved_snippets']);
    await store.stop();
    store.start();
    await until(store.events, ({ length }) => length === 0);
  });

  it('shows the presence of a user to each of several listeners', async (t) => {
    const { store, people } = await chatWithStore(t);
    const cells = [store.activity.presence(people.ben.user_id), store.activity.presence(people.ben.user_id)];
    for (const cell of cells) t.after(cell.listen(() => undefined));
    store.activity.reportPresence(true);
    for (const cell of cells) await until(cell, (presence) => presence !== 'unknown');
  });

  it("reports the user's own presence and shows that of others", async (t) => {
    const { store, people } = await chatWithStore(t);
    const ben = store.activity.presence(people.ben.user_id);
    t.after(ben.listen(() => undefined));
    await people.ben.presence.report({ status: 'active', ping_only: true });
    await until(ben, (presence) => presence === 'active');
    store.activity.reportPresence(true);
    const finn = store.activity.presence(people.finn.user_id);
    t.after(finn.listen(() => undefined));
    await until(finn, (presence) => presence === 'offline');
    const { presences } = await people.ben.presence.list();
    assert.equal(presences[people.ada.email]?.aggregated?.status, 'active');
  });

  it('logs out when its account is deactivated', async (t) => {
    const { store, chat, people } = await chatWithStore(t);
    await chat
      .as(people.ben)
      .users.deactivate({ user_id: people.ada.user_id })
      .catch(() => undefined);
    await people.ada.users.edit({ user_id: people.ben.user_id, role: 100 });
    await people.ben.users.deactivate({ user_id: people.ada.user_id });
    await until(store.status, ({ state }) => state === 'signed-out');
  });
});

describe('completion', () => {
  const counting = (people: Session) => {
    let searches = 0;
    const search: Session['users']['search'] = (...parameters) => {
      searches += 1;
      return people.users.search(...parameters);
    };
    const session: Session = Object.create(people, { users: { value: { ...people.users, search } } });
    return { session, searches: () => searches };
  };

  it('shows what is loaded at once, and asks the server only for what it has not returned yet', async (t) => {
    const { people, channels, close } = await testChat();
    const { session, searches } = counting(people.ada);
    const store = createChatStore(session, { storage: null });
    t.after(async () => {
      await store.stop();
      await close();
    });
    store.start();
    await until(store.status, ({ state }) => state === 'live');
    const { members } = await people.ada.users.list();
    const ben = members.find(({ full_name }) => full_name === 'Ben');
    await until(store.people.user(ben?.user_id ?? 0), (person) => person !== undefined);
    const place = { channelId: channels.general, topic: 'lunch' };
    const named = (text: string, loaded: string[]) =>
      suggest(store, { text, caret: text.length, place }, (found) => loaded.push(...found.map(({ label }) => label)));
    const loaded: string[] = [];
    const answer = named('ask @b', loaded);
    assert.deepEqual(loaded, ['Ben']);
    assert.equal((await answer)[0]?.label, 'Ben');
    assert.equal((await named('ask @be', []))[0]?.label, 'Ben');
    assert.deepEqual(await named('ask @ben soon', []), []);
    assert.equal(searches(), 1);
  });
});

describe('the word at the caret', () => {
  const CASES: Record<string, ReturnType<typeof wordAt>> = {
    '@ad': { kind: 'mention', from: 0, query: 'ad' },
    'Hello @**Ada Lo': { kind: 'mention', from: 6, query: 'Ada Lo' },
    '(@_**ad': { kind: 'mention', from: 1, query: 'ad' },
    'done @**Ada** and': undefined,
    'ada@example.com': undefined,
    ':ta': { kind: 'emoji', from: 0, query: 'ta' },
    ':t': undefined,
    '10:30': undefined,
    'ok :-D': undefined,
    ':+1': { kind: 'emoji', from: 0, query: '+1' },
    'see #': undefined,
    'in C#': undefined,
    'at @ 5': undefined,
    '#general>': { kind: 'topic', from: 0, query: '', channel: 'general' },
    'see #gen': { kind: 'channel', from: 4, query: 'gen' },
    '#**general>lu': { kind: 'topic', from: 0, query: 'lu', channel: 'general' },
    '@ad\n': undefined,
    'plain text': undefined,
    '/': { kind: 'command', from: 0, query: '/' },
    '/po': { kind: 'command', from: 0, query: '/po' },
    '/poll ': undefined,
    'and /po': undefined,
  };
  for (const [text, word] of Object.entries(CASES)) {
    it(`of ${JSON.stringify(text)} is ${word ? `${word.kind} ${word.query}` : 'none'}`, () => {
      assert.deepEqual(wordAt(text, text.length), word);
    });
  }
});
