import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readSearch } from '../../lib/rules/search.ts';
import { migrations } from '../../lib/storage/migrations/index.ts';
import type { Connection, SqlValue } from '../../lib/storage/sql/connection.ts';
import { fetchMeasured } from '../../lib/storage/sql/message-search.ts';
import { putWords } from '../../lib/storage/sql/word-index.ts';
import { SqliteConnection } from '../../lib/storage/sqlite/connection.ts';
import { defaultDriver } from '../../lib/storage/sqlite/driver.ts';
import { contentOfOlder } from './older-content.ts';

/** Newest messages, all with a word that no other message has, in a conversation of another user. */
const BURST = 3_000;

/**
 * A user with many messages to herself. All but every hundredth have the same text. A guest has a few messages among
 * them, without this text.
 */
async function among(messages: number) {
  const connection = SqliteConnection.open(defaultDriver(), ':memory:');
  for (const { sql } of migrations) connection.exec(connection.dialect.schema(sql));
  connection.exec(contentOfOlder(0));
  connection.exec(`
    INSERT INTO users (delivery_email, email_key, full_name, role, is_active, is_system_bot, timezone, joined_ms,
      avatar_source, avatar_version, email_visibility, key_generation, settings, version)
      SELECT p.value, p.value, p.value, 600, 1, 0, '', 0, 'J', 1, 1, 0, '{}', 1 FROM json_each('["guest", "other"]') AS p;
    INSERT INTO conversations (topic, direct_key) VALUES ('', '2'), ('', '3');
    INSERT INTO conversation_participants VALUES (1, 1), (2, 2), (3, 3)`);
  const texts = Array.from({ length: messages + BURST }, (_, at): [number, string] => [
    at + 1,
    at >= messages ? 'a burst' : at === 7 ? 'a comet was seen' : at % 100 === 0 ? 'nothing' : 'the lamp was lit',
  ]);
  for (const [id, content] of texts) {
    const conversation = id > messages ? 3 : id % 2_000 === 1 ? 2 : 1;
    connection.run(
      `INSERT INTO messages (id, conversation_id, sender_id, content, rendered_content, timestamp, client, is_me_message,
        read_by_sender) VALUES (?, ?, 1, ?, '', 0, '', 0, 1)`,
      [id, conversation, content],
    );
  }
  await putWords(connection, 'message_words', texts);
  return connection;
}

/** How a search was run: its statements, and how many messages they examined. */
async function costOf(
  connection: SqliteConnection,
  said: string,
  options: { negated?: boolean; sender?: number; viewer?: number } = {},
) {
  let examined = 0;
  const texts: string[] = [];
  const counting = new Proxy(connection, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (text: string, params: SqlValue[], ...more: unknown[]) => {
        texts.push(text);
        const answer = value.call(target, text, params, ...more);
        if (answer && 'examined' in answer) examined += Number(answer.examined);
        else if (Array.isArray(answer) && text.includes('AS near')) examined += answer.length;
        return answer;
      };
    },
  }) as Connection;
  const { negated = false, sender, viewer = 1 } = options;
  const { ids } = await fetchMeasured(
    counting,
    {
      viewer,
      terms: [
        { test: 'words', search: readSearch(said), negated },
        ...(sender === undefined ? [] : [{ test: 'sender' as const, id: sender }]),
      ],
    },
    { from: Number.MAX_SAFE_INTEGER, direction: 'before', limit: 20 },
  );
  return { found: ids.length, examined, statements: texts.length, texts };
}

describe('the messages a search examines on SQLite', () => {
  const searches: [string, Parameters<typeof costOf>[2], most: number][] = [
    ['lamp', {}, 128],
    ['la', {}, 0],
    ['lam', {}, 128],
    ['comet', {}, 1],
    ['lamp comet', {}, 0],
    ['nowhere', {}, 0],
    ['"lamp was"', {}, 128],
    ['lamp', { sender: 2 }, 128],
    ['lamp', { negated: true }, 128 + 512 + 2_048],
    ['comet', { negated: true }, 128],
    // Few messages of the guest, and few with the word: each is the shorter list.
    ['lamp', { viewer: 2 }, 128 + 5],
    ['burst', {}, BURST + 128 + 512],
  ];
  let many: Promise<SqliteConnection> | undefined;
  for (const [said, options = {}, most] of searches) {
    test(`${JSON.stringify(said)} ${JSON.stringify(options)} among 10,000 messages examines at most ${most}`, async () => {
      many ??= among(10_000);
      const { examined, statements } = await costOf(await many, said, options);
      assert.ok(examined <= most, `${examined} messages`);
      assert.ok(statements <= 7, `${statements} statements`);
    });
  }

  test('searches with different numbers of terms leave no prepared statements', async () => {
    many ??= among(10_000);
    const connection = await many;
    const ask = (said: string, senders: readonly number[]) =>
      fetchMeasured(
        connection,
        {
          viewer: 1,
          terms: [
            { test: 'words', search: readSearch(said), negated: true },
            ...senders.map((id) => ({ test: 'sender' as const, id, negated: true })),
          ],
        },
        { from: Number.MAX_SAFE_INTEGER, direction: 'before', limit: 20 },
      );
    await ask('comet', [2, 3]);
    const { cachedStatements } = connection;
    for (let more = 3; more < 12; more++)
      await ask(
        'comet',
        Array.from({ length: more }, (_, at) => at + 2),
      );
    assert.equal(connection.cachedStatements, cachedStatements);
  });

  test('no statement of a search scans all messages or all words', async () => {
    many ??= among(10_000);
    const connection = await many;
    for (const [said, options] of searches) {
      const { texts } = await costOf(connection, said, options);
      for (const text of texts) {
        const plan = connection.all<{ detail: string }>(
          `EXPLAIN QUERY PLAN ${text}`,
          text
            .split('?')
            .slice(1)
            .map(() => null),
        );
        for (const { detail } of plan) {
          assert.ok(!/^SCAN (m|messages|known_words)\b/.test(detail), `${detail} in ${text}`);
          assert.ok(!/^SCAN (message|topic)_words VIRTUAL TABLE INDEX 0:\s*$/.test(detail), `${detail} in ${text}`);
        }
      }
    }
  });
});
