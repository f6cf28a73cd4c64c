import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { check, type Keepable, localFiles, openChat, type Storage } from '../../lib/index.ts';
import { seedDemo } from '../../lib/internal.ts';
import { migrations } from '../../lib/storage/migrations/index.ts';
import { type MigrationPlace, places } from '../storage/migration-places.ts';
import { testOn } from '../support/engines.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

interface Damage {
  sql: string;
  /** The check that finds the damage, and one of its examples. */
  finds: string;
  example: RegExp;
  /** The only engine on which the damage is possible. */
  on?: 'sqlite' | 'postgres';
}

const DAMAGES: Readonly<Record<string, Damage>> = {
  'a message without a conversation': {
    sql: 'PRAGMA foreign_keys = OFF; UPDATE messages SET conversation_id = 999999 WHERE id = 1',
    finds: 'references',
    example: /^messages to conversations \(1\)$/,
    on: 'sqlite',
  },
  'overlapping read ranges': {
    sql: `INSERT INTO read_ranges (user_id, conversation_id, from_id, to_id)
      SELECT u.id, c.id, p.a, p.b FROM (SELECT MIN(id) AS id FROM users) u, (SELECT MAX(id) AS id FROM conversations) c,
        (SELECT 5000000 AS a, 5000009 AS b UNION ALL SELECT 5000005, 5000012) AS p`,
    finds: 'read ranges',
    example: /from 5000000$/,
  },
  'a wrong number of subscribers': {
    sql: "UPDATE channels SET subscriber_count = 77 WHERE name = 'Verona'",
    finds: 'subscriber counts',
    example: /stored: 77, actual: \d+$/,
  },
  "a wrong size of an account's files": {
    sql: `INSERT INTO bot_storage (user_id, key, value, bytes) SELECT MIN(id), 'count', '3', 10 FROM users;
      INSERT INTO bot_storage_sizes (user_id, entries, bytes) SELECT MIN(id), 1, 11 FROM users`,
    finds: 'bot storage',
    example: /^user \d+, stored: 1 and 11, actual: 1 and 10$/,
  },
  'a period that ended despite a subscription': {
    sql: `UPDATE subscription_periods SET to_message_id = 900000, to_seq = 900000
      WHERE to_seq IS NULL AND user_id = (SELECT MAX(user_id) FROM subscription_periods)
        AND channel_id = (SELECT MIN(id) FROM channels)`,
    finds: 'subscriptions',
    example: /^user \d+, channel \d+$/,
  },
  'a period that ends before it starts': {
    sql: `INSERT INTO subscription_periods (user_id, channel_id, after_message_id, to_message_id, after_seq, to_seq)
      SELECT user_id, channel_id, 50, 3, -9, -20 FROM subscriptions WHERE user_id = (SELECT MAX(user_id) FROM subscriptions)`,
    finds: 'periods',
    example: /after -9$/,
  },
  'a cycle of groups': {
    sql: `INSERT INTO user_groups (id, name, description, is_system_group, deactivated, settings)
        VALUES (9001, 'one', '', 0, 0, '{}'), (9002, 'two', '', 0, 0, '{}');
      INSERT INTO group_subgroups (group_id, subgroup_id) VALUES (9001, 9002), (9002, 9001)`,
    finds: 'groups',
    example: /^group 9001$/,
  },
  'unknown flags': {
    sql: 'UPDATE message_flags SET bits = 4096 WHERE message_id = (SELECT MIN(message_id) FROM message_flags)',
    finds: 'flags',
    example: /^message \d+, user \d+$/,
  },
  'a message that search does not know': {
    sql: `DELETE FROM message_words WHERE ROWID_ = (SELECT MAX(id) FROM messages)`,
    finds: 'search for messages',
    example: /^message \d+$/,
  },
  'words of other messages': {
    sql: `UPDATE messages SET content = 'zyzzyva' WHERE id = (SELECT MIN(id) FROM messages)`,
    finds: 'words of messages',
    example: /^message \d+$/,
  },
  'words of a deleted topic': {
    sql: `INSERT INTO topic_words (ROWID_, words) VALUES (777777, 'wgone')`,
    finds: 'words of absent topics',
    example: /^topic 777777$/,
  },
  'incomplete settings': {
    sql: `UPDATE users SET settings = '{"a":' WHERE id = (SELECT MAX(id) FROM users)`,
    finds: 'structures',
    example: /^users \d+, settings$/,
  },
  'a wrong search key of a name': {
    sql: `UPDATE users SET name_key = 'somebody else' WHERE id = (SELECT MAX(id) FROM users)`,
    finds: 'keys',
    example: /^users \d+, name_key$/,
  },
  'queued work of an unknown kind': {
    sql: `INSERT INTO outbox (kind, payload, due_ms, attempts, created_ms) VALUES ('of the future', '{}', 1, 0, 1)`,
    finds: 'outbox',
    example: /: of the future$/,
  },
  'a queue ahead of the log': {
    sql: 'UPDATE event_queues SET acked_seq = 88888888',
    finds: 'log',
    example: /^[0-9a-f-]{36}$/,
  },
  'an account of a later version': {
    sql: 'UPDATE users SET version = 99999999 WHERE id = (SELECT MAX(id) FROM users)',
    finds: 'versions',
    example: /^user \d+$/,
  },
  'no owner': { sql: 'UPDATE users SET role = 400 WHERE role = 100', finds: 'organization', example: /owner/ },
  'a missing participant of a direct conversation': {
    sql: `DELETE FROM conversation_participants WHERE conversation_id = (SELECT MAX(conversation_id) FROM conversation_participants)
      AND user_id = (SELECT MAX(p.user_id) FROM conversation_participants p
        WHERE p.conversation_id = (SELECT MAX(conversation_id) FROM conversation_participants))`,
    finds: 'direct conversations',
    example: /^conversation \d+$/,
  },
  'a wrong sum of file sizes': {
    sql: 'UPDATE upload_space SET used = 5',
    finds: 'upload space',
    example: /^stored: 5/,
  },
  'a sequence that repeats IDs': {
    sql: "ALTER SEQUENCE messages_id_seq RESTART WITH 1; SELECT nextval('messages_id_seq')",
    finds: 'numbers',
    example: /^messages: \d+$/,
    on: 'postgres',
  },
};

async function populated(t: TestContext, place: MigrationPlace) {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const files = localFiles(folder);
  const chat = await openChat({ storage: place.storage(migrations), files, logger: quiet });
  const { accounts } = await seedDemo(chat);
  const [owner, other] = accounts.map(({ user_id }) => user_id) as [number, number];
  const session = chat.as(owner);
  const sent = await session.uploads.send({ file: new File(['abc'], 'a.txt') });
  await session.messages.send({ type: 'stream', to: 'Denmark', topic: 'files', content: `[a](${sent.url}) @**Iago**` });
  await session.messages.send({ type: 'direct', to: [other], content: 'hello' });
  // A cycle of topics: one gives up its name.
  const say = async (topic: string) =>
    (await session.messages.send({ type: 'stream', to: 'Denmark', topic, content: 'x' })).id;
  const rename = (message_id: number, topic: string) =>
    session.messages.edit({ message_id, topic, propagate_mode: 'change_all' });
  const [one, two] = [await say('alpha'), await say('beta')];
  await rename(two, 'alpha');
  await rename(one, 'beta');
  await session.register();
  await chat.close();
  return { files, folder, storage: place.storage(migrations) as Storage & Keepable };
}

for (const { name, skip, make } of places) {
  const test = testOn({ skip });
  const engine = name === 'PostgreSQL' ? 'postgres' : 'sqlite';

  test(`check finds nothing in a healthy organization and names each kind of damage, on ${name}`, async (t) => {
    const place = await make();
    t.after(place.remove);
    const { files, folder, storage } = await populated(t, place);
    t.after(() => storage.close());
    const found = async () => (await check(storage, { files })).findings;
    let before = await found();
    assert.deepEqual(before, []);
    for (const [what, { sql, finds, example, on }] of Object.entries(DAMAGES)) {
      if (on && on !== engine) continue;
      const countBefore = before.find((one) => one.check === finds)?.count ?? 0;
      await place.sql(
        sql
          .replaceAll('ROWID_', engine === 'sqlite' ? 'rowid' : 'id')
          .replace(", 'wgone'", engine === 'sqlite' ? ", 'wgone'" : ", CAST('wgone' AS tsvector)"),
      );
      before = await found();
      const finding = before.find((one) => one.check === finds);
      assert.ok(finding, `${what} is found`);
      assert.ok(finding.count > countBefore, `${what} adds to the findings`);
      assert.match(finding.examples.join('\n'), new RegExp(example.source, 'm'), what);
      assert.match(finding.says, /\.$/);
      assert.notEqual(finding.advice, '');
    }
    await rm(folder, { recursive: true });
    assert.ok(
      (await found()).some((one) => one.check === 'files' && /a\.txt.*none of 3 bytes/.test(one.examples[0] ?? '')),
    );
  });
}
