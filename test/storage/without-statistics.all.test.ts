import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import pg from 'pg';
import type { Transaction } from '../../lib/storage/interface/storage.ts';
import { createChannel, createUsers, organization, send } from '../contract/fixtures.ts';
import { testOn, withoutPostgres } from '../support/engines.ts';
import { type PostgresPlace, postgresPlace } from '../support/postgres.ts';
import { rowsLookedAt, statementsOf } from './explained.ts';

const PEOPLE = 10_000;
const TOPICS = 1_000;
/** The two topics that the users have read. */
const CONVERSATIONS = [1, 2];
/** Statistics as from an ANALYZE during the first import. */
const OF_EMPTY_TABLES = `
  UPDATE pg_class SET reltuples = 0 WHERE relnamespace = current_schema()::regnamespace;
  DELETE FROM pg_statistic WHERE starelid IN (SELECT oid FROM pg_class WHERE relnamespace = current_schema()::regnamespace)`;
/** Rows that a statement may visit per user: keys, conditions and results. */
const FOR_EACH = 12;

describe('statements for 10,000 users visit few rows in PostgreSQL tables without statistics', {
  skip: withoutPostgres !== undefined,
}, () => {
  const test = testOn({ skip: withoutPostgres });
  let place: PostgresPlace;
  let client: pg.Client;
  let channels: [one: number, other: number];
  let message: number;
  const messages: number[] = [];
  const people = Array.from({ length: PEOPLE }, (_, n) => 1_000 + n);
  const topic = () => ({ channel_id: channels[0], topic: 'x' });

  before(async () => {
    place = await postgresPlace();
    const storage = place.storage();
    await storage.open();
    await storage.write(async (tx) => {
      await tx.organization.create(organization());
      const { Ada } = await createUsers(tx, 'Ada');
      channels = [await createChannel(tx, 'one'), await createChannel(tx, 'two')];
      message = await send(tx, Ada, await tx.conversations.ensureTopic(channels[0], 'x'));
      await send(tx, Ada, await tx.conversations.ensureTopic(channels[1], 'z'));
      for (let n = 0; n < TOPICS; n++)
        messages.push(await send(tx, Ada, await tx.conversations.ensureTopic(channels[0], `topic ${n}`)));
    });
    await storage.close();
    client = new pg.Client({ connectionString: place.url });
    await client.connect();
    await client.query(`SET search_path TO ${place.schema}`);
    for (const table of ['users', 'subscriptions', 'subscription_periods', 'user_topics', 'read_ranges']) {
      await client.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
    }
    const each = `generate_series(${people[0]}, ${people.at(-1)}) AS n`;
    await client.query(`
      INSERT INTO users (id, delivery_email, email_key, full_name, role, is_active, is_system_bot, timezone, joined_ms,
        avatar_source, avatar_version, email_visibility, key_generation, settings, version)
        SELECT n, n, n, n, 400, 1, 0, '', 0, 'J', 1, 1, 0, '{}', 1 FROM ${each};
      INSERT INTO subscriptions (user_id, channel_id, active, color, is_muted, pin_to_top, floor)
        SELECT n, c, 1, '', 0, 0, 0 FROM ${each}, unnest(ARRAY[${channels}]) AS c;
      INSERT INTO subscription_periods (user_id, channel_id, after_message_id, after_seq)
        SELECT user_id, channel_id, 0, 0 FROM subscriptions;
      INSERT INTO user_topics SELECT n, ${channels[0]}, 'x', 'x', 3, 0 FROM ${each};
      INSERT INTO read_ranges SELECT n, id, 5, 5 FROM ${each}, unnest(ARRAY[${CONVERSATIONS}]) AS id`);
  });

  after(async () => {
    await client.end();
    await place.drop();
  });

  const works: Record<string, (tx: Transaction) => Promise<unknown>> = {
    'a mention': (tx) => tx.flags.setForReaders(message, people, 'mentioned'),
    'an alert word': (tx) =>
      tx.flags.setForReceivers(
        people.map((user_id) => ({ message_id: message, user_id })),
        'has_alert_word',
      ),
    'leaving a channel': (tx) =>
      tx.subscriptions.remove(people.map((user_id) => ({ user_id, channel_id: channels[0] }))),
    'following a topic by mention': (tx) =>
      tx.userTopics.followWhereMentioned(message, people, { ...topic(), last_updated: 1 }),
    'unfollowing a topic': (tx) => tx.userTopics.remove(people, topic()),
    'moving a topic to another channel': async (tx) => {
      const [conversation] = await tx.conversations.byIds([1]);
      assert.ok(conversation);
      const to = { channel_id: channels[1], topic: 'x' };
      await tx.conversations.rename(conversation, to, { timestamp: 1, up_to: message });
    },
    'moving a message into a topic of another channel': async (tx) => {
      const [from] = await tx.conversations.byIds([1]);
      assert.ok(from);
      const to = await tx.conversations.topic(channels[1], 'z');
      assert.ok(to);
      await tx.messages.move([message], from, to, 1);
    },
  };
  for (const [what, work] of Object.entries(works)) {
    for (const plans of ['custom', 'generic']) {
      test(`${what} visits at most 12 rows for each user, with ${plans} plans`, async () => {
        const statements = await statementsOf(client, place, work);
        assert.ok(statements.length > 0);
        for (const [text, values] of statements) {
          const rows = await rowsLookedAt(client, text, values, plans);
          assert.ok(rows <= FOR_EACH * PEOPLE, `${rows} rows: ${text}`);
        }
      });
    }
  }

  test('reading messages of 1,000 topics visits at most 12 rows for each with statistics of empty tables', async () => {
    const statements = await statementsOf(client, place, (tx) => tx.messages.byIds(messages));
    await client.query(OF_EMPTY_TABLES);
    assert.equal(statements.length, 1);
    for (const [text, values] of statements) {
      const rows = await rowsLookedAt(client, text, values, 'custom');
      assert.ok(rows <= FOR_EACH * TOPICS, `${rows} rows: ${text}`);
    }
  });

  for (const plans of ['custom', 'generic']) {
    test(`a check of 1,000 read topics visits at most 12 rows for each, with statistics of one range and ${plans} plans`, async () => {
      const reader = 1_000;
      await client.query(`
        DELETE FROM read_ranges;
        INSERT INTO read_ranges VALUES (${people.at(-1)}, 1, 5, 5);
        ANALYZE;
        INSERT INTO read_ranges SELECT ${reader}, id, 0, ${Number.MAX_SAFE_INTEGER} FROM conversations`);
      const statements = await statementsOf(client, place, async (tx) => {
        assert.equal(await tx.readState.isAllRead(reader), true);
      });
      for (const [text, values] of statements) {
        const rows = await rowsLookedAt(client, text, values, plans);
        assert.ok(rows <= FOR_EACH * TOPICS, `${rows} rows: ${text}`);
      }
    });
  }
});
