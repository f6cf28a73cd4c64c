import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSearch } from '../../lib/rules/search.ts';
import { transactionOn } from '../../lib/storage/sql/transaction.ts';
import { sqlite } from '../../lib/storage/sqlite/sqlite.ts';
import { createChannel, createUsers, organization, subscribe } from '../contract/fixtures.ts';
import { Counting } from './counting.ts';

/** The visited rows depend on the result: SQLite counts rows of messages and ranges as it visits them. */

const MESSAGES = 20_000;
const LIMIT = 500;
/** Factor per returned message: windows overlap with earlier attempts that were too large. */
const ENOUGH = 4 * LIMIT;

/** Bob has written messages in these topics in turn, and Ada has read none. */
async function world(topics: number) {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-'));
  const file = join(folder, 'chat.db');
  const storage = sqlite(file);
  await storage.open();
  const { Ada, Bob, Cleo, direct, conversations } = await storage.write(async (tx) => {
    await tx.organization.create(organization());
    const { Ada, Bob, Cleo } = await createUsers(tx, 'Ada', 'Bob', 'Cleo');
    const { id: direct } = await tx.conversations.ensureDirect([Bob.id, Cleo.id]);
    const channel = await createChannel(tx, 'one');
    await subscribe(tx, channel, Ada, Bob);
    const conversations: number[] = [];
    for (let n = 0; n < topics; n++) conversations.push((await tx.conversations.ensureTopic(channel, `t${n}`)).id);
    return { Ada: Ada.id, Bob: Bob.id, Cleo: Cleo.id, direct, conversations };
  });
  await storage.close();
  const connection = new Counting(file, ['messages', 'read_ranges', 'message_flags']);
  connection.exec(
    `INSERT INTO messages (id, conversation_id, sender_id, content, rendered_content, timestamp, client, is_me_message,
       read_by_sender, folded_content)
     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     SELECT i, ? + i % ?, ?, 'x', '<p>x</p>', 1, 'test', 0, 1, 'x' FROM n`,
    ...[MESSAGES, conversations[0] as number, topics, Bob],
  );
  const range = (conversation: number, from: number, to: number) =>
    connection.exec('INSERT INTO read_ranges VALUES (?, ?, ?, ?)', Ada, conversation, from, to);
  /** Adds a word to all messages of a conversation from an ID on. */
  const words = (word: string, conversation: number, from: number) =>
    connection.exec(
      'INSERT INTO message_words (rowid, words) SELECT id, ? FROM messages WHERE conversation_id = ? AND id >= ?',
      ...[word, conversation, from],
    );
  /** Makes the oldest message a direct message to Cleo. */
  const toCleo = () => connection.exec('UPDATE messages SET conversation_id = ? WHERE id = 1', direct);
  return {
    Ada,
    Bob,
    Cleo,
    conversations,
    range,
    toCleo,
    words,
    ranges: async () => connection.all<{ from_id: number; to_id: number }>('SELECT from_id, to_id FROM read_ranges'),
    readState: transactionOn(connection).readState,
    messages: transactionOn(connection).messages,
    async visits(work: () => Promise<unknown>) {
      const before = connection.visits;
      await work();
      return connection.visits - before;
    },
    async close() {
      connection.close();
      await rm(folder, { recursive: true });
    },
  };
}

const downFrom = (id: number, count: number, step = 1) => Array.from({ length: count }, (_, at) => id - at * step);

test('a range that is read between two read ranges of a conversation becomes one range with them', async () => {
  const { Ada, conversations, range, ranges, readState, close } = await world(4);
  const [, conversation] = conversations as [number, number];
  range(conversation, 1, 9);
  range(conversation, 21, 29);
  const read = await readState.markRangeRead(Ada, { conversation_id: conversation, from_id: 13, to_id: 17 });
  assert.deepEqual(read, [13, 17]);
  assert.deepEqual(
    (await ranges()).map(({ from_id, to_id }) => [from_id, to_id]),
    [[1, 29]],
  );
  await close();
});

test('listing the newest unread messages visits only rows for the result, however many are unread', async () => {
  const { Ada, readState, visits, close } = await world(1);
  const count = await visits(async () => {
    const unread = await readState.unread(Ada, LIMIT);
    assert.deepEqual(
      unread.map(({ id }) => id),
      downFrom(MESSAGES, LIMIT),
    );
  });
  assert.ok(count <= ENOUGH, `${count} rows`);
  await close();
});

test('listing unread messages below many read ranges visits each range at most four times', async () => {
  const { Ada, conversations, range, readState, visits, close } = await world(1);
  const [topic] = conversations as [number];
  for (let id = 2 * LIMIT; id < MESSAGES; id += 10) range(topic, id, id + 9);
  const ranges = (MESSAGES - 2 * LIMIT) / 10;
  const count = await visits(async () => {
    const unread = await readState.unread(Ada, LIMIT);
    assert.deepEqual(unread.map(({ id }) => id).slice(1), downFrom(2 * LIMIT - 1, LIMIT - 1));
  });
  // Each range is visited at most twice, with the next one.
  assert.ok(count <= ENOUGH + 4 * ranges, `${count} rows`);
  await close();
});

test('listing unread messages between alternately read ones visits only ranges near the result', async () => {
  const { Ada, conversations, range, readState, visits, close } = await world(1);
  const [topic] = conversations as [number];
  for (let id = 1; id < MESSAGES; id += 2) range(topic, id, id);
  const count = await visits(async () => {
    const unread = await readState.unread(Ada, LIMIT);
    assert.deepEqual(
      unread.map(({ id }) => id),
      downFrom(MESSAGES, LIMIT, 2),
    );
  });
  assert.ok(count <= 4 * ENOUGH, `${count} rows`);
  await close();
});

test('listing unread messages of 400 conversations visits a few rows for each', async () => {
  const topics = 400;
  const { Ada, readState, visits, close } = await world(topics);
  const count = await visits(async () => {
    const unread = await readState.unread(Ada, LIMIT);
    assert.deepEqual(
      unread.map(({ id }) => id),
      downFrom(MESSAGES, LIMIT),
    );
  });
  assert.ok(count <= ENOUGH + 8 * topics, `${count} rows`);
  await close();
});

test('marking a part of a conversation as read visits only the rows of that part', async () => {
  const { Ada, conversations, readState, visits, close } = await world(1);
  const [topic] = conversations as [number];
  let after: number | undefined = 0;
  for (let part = 0; part < 3 && after !== undefined; part++) {
    const count = await visits(async () => {
      const { message_ids, after_id } = await readState.markConversationPart(Ada, topic, after as number, LIMIT);
      assert.equal(message_ids.length, LIMIT);
      after = after_id;
    });
    assert.ok(count <= ENOUGH, `${count} rows`);
  }
  const tooMany = await visits(async () => {
    assert.equal(await readState.markConversationsRead(Ada, [topic], LIMIT), undefined);
  });
  assert.ok(tooMany <= ENOUGH, `${tooMany} rows`);
  await close();
});

test('collecting unread messages when leaving a channel or muting stops at the limit', async () => {
  const { Ada, Bob, conversations, readState, visits, close } = await world(1);
  const channel_id = 1;
  const pair = { user_id: Ada, channel_id };
  const left = { ...pair, floor: 0, to_id: MESSAGES };
  for (const work of [
    async () => assert.equal(await readState.unreadInChannels([pair], LIMIT), undefined),
    async () => assert.equal(await readState.unreadLeft(left, conversations, LIMIT), undefined),
    async () => assert.deepEqual(await readState.conversationsLeft(left), conversations),
    async () => {
      const page = await readState.unreadFrom(Ada, Bob, { after_id: 0, to_id: MESSAGES }, LIMIT);
      assert.equal(page.message_ids.length, LIMIT);
    },
  ]) {
    const count = await visits(work);
    assert.ok(count <= ENOUGH, `${count} rows`);
  }
  await close();
});

test('a page of unread messages visits few rows, from either end or the middle', async () => {
  const { Ada, messages, visits, close } = await world(4);
  const query = { viewer: Ada, terms: [{ test: 'unread' as const }] };
  for (const [from, direction, first] of [
    [0, 'after', 1],
    [Number.MAX_SAFE_INTEGER, 'before', MESSAGES - 49],
    [MESSAGES / 2, 'after', MESSAGES / 2 + 1],
  ] as const) {
    const count = await visits(async () => {
      const ids = await messages.fetchIds(query, from, direction, 50);
      assert.deepEqual(ids, downFrom(first + 49, 50).reverse());
    });
    assert.ok(count <= ENOUGH, `${count} rows`);
  }
  await close();
});

test('a page of all messages visits few rows if the reader has received few of them', async () => {
  const { Cleo, messages, toCleo, visits, close } = await world(4);
  toCleo();
  const count = await visits(async () =>
    assert.deepEqual(await messages.fetchIds({ viewer: Cleo }, Number.MAX_SAFE_INTEGER, 'before', 50), [1]),
  );
  assert.ok(count <= 2 * ENOUGH, `${count} rows`);
  await close();
});

test('finding the first unread message visits few rows if almost all or all messages are read', async () => {
  const { Ada, conversations, range, messages, visits, close } = await world(4);
  const [one, ...others] = conversations as [number, ...number[]];
  for (const other of others) range(other, 0, MESSAGES);
  range(one, 0, MESSAGES - 10);
  const first = async (wanted: number[]) => {
    const ids = await messages.fetchIds({ viewer: Ada, terms: [{ test: 'unread' }] }, 0, 'after', 1);
    assert.deepEqual(ids, wanted);
  };
  const some = await visits(() => first([MESSAGES - 8]));
  range(one, MESSAGES - 9, MESSAGES);
  const none = await visits(() => first([]));
  assert.ok(some <= ENOUGH && none <= ENOUGH, `${some} and ${none} rows`);
  await close();
});

test('unread messages of one sender are found with few rows, among many unread or many read messages', async () => {
  const { Ada, Bob, conversations, range, messages, visits, close } = await world(4);
  const ofSender = (id: number) =>
    messages.fetchIds(
      { viewer: Ada, terms: [{ test: 'unread' }, { test: 'sender', id }] },
      Number.MAX_SAFE_INTEGER,
      'before',
      50,
    );
  const many = await visits(async () => assert.deepEqual(await ofSender(Bob), downFrom(MESSAGES, 50).reverse()));
  const none = await visits(async () => assert.deepEqual(await ofSender(Ada), []));
  for (const conversation of conversations) range(conversation, 20, MESSAGES);
  const old = await visits(async () => assert.deepEqual(await ofSender(Bob), downFrom(19, 19).reverse()));
  assert.ok(many <= ENOUGH && none <= ENOUGH && old <= ENOUGH, `${many}, ${none} and ${old} rows`);
  await close();
});

test('a search in unread messages visits few rows, however many are unread', async () => {
  const { Ada, conversations, range, words, messages, visits, close } = await world(4);
  const [lit, ...dark] = conversations as [number, ...number[]];
  range(lit, 0, MESSAGES);
  // In one of the topics, which is read, and in the oldest messages of another.
  words('wlamp', lit, MESSAGES - 2_000);
  words('wlamp', dark[0] as number, MESSAGES - 100);
  const find = (negated: boolean) =>
    messages.fetchIds(
      { viewer: Ada, terms: [{ test: 'unread' }, { test: 'words', search: readSearch('lamp'), negated }] },
      0,
      'after',
      20,
    );
  const found = await visits(async () => assert.equal((await find(false)).length, 20));
  const without = await visits(async () => assert.equal((await find(true)).length, 20));
  assert.ok(found <= ENOUGH && without <= ENOUGH, `${found} and ${without} rows`);
  await close();
});
