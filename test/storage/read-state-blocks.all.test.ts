import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import pg from 'pg';
import type { Transaction } from '../../lib/storage/interface/storage.ts';
import { createChannel, createUsers, organization, subscribe } from '../contract/fixtures.ts';
import { testOn, withoutPostgres } from '../support/engines.ts';
import { type PostgresPlace, postgresPlace } from '../support/postgres.ts';
import { blocksRead, statementsOf } from './explained.ts';

/** Messages of the small and of the large database. In both, the reader has not read the newest. */
const SIZES = [8_000, 32_000];
const UNREAD = 4_000;
const TOPICS = 100;
/** Messages that are marked as read one by one. */
const MARKED = 100;
/** Blocks per topic: a few indexes of up to three pages. */
const PER_TOPIC = 20;
/** Blocks per returned message, of an index that contains all columns or leads to the message. */
const PER_MESSAGE = { filled: 1.2, analyzed: 1.2, vacuumed: 0.1 };
/** Blocks per message that is read alone. */
const PER_MARKED = 24;
/** An index of four times as many messages may have one more level. */
const GROWTH = 1.6;

const TABLES = ['messages', 'read_ranges', 'conversations', 'subscriptions', 'message_flags', 'muted_users'];

interface Filled extends PostgresPlace {
  client: pg.Client;
  reader: number;
  topics: number[];
  newest: number[];
}

describe('on PostgreSQL, blocks read for unread messages grow with the result, not with the tables', {
  skip: withoutPostgres !== undefined,
}, () => {
  const test = testOn({ skip: withoutPostgres });
  const databases: Filled[] = [];

  before(async () => {
    for (const size of SIZES) databases.push(await filled(size));
  });

  after(async () => {
    for (const { client, drop } of databases) {
      await client.end();
      await drop();
    }
  });

  const works: Record<string, (tx: Transaction, database: Filled) => Promise<{ listed?: number; marked?: number }>> = {
    'listing unread messages': async ({ readState }, { reader }) => ({
      listed: (await readState.unread(reader, 50_000)).length,
    }),
    'finding unread conversations': async ({ readState }, { reader, topics }) => {
      assert.deepEqual(await readState.unreadConversations(reader), topics);
      return {};
    },
    'marking topics as read': async ({ readState }, { reader, topics }) => ({
      listed: (await readState.markConversationsRead(reader, topics, 10_000))?.length ?? 0,
    }),
    'marking messages as read': async ({ readState }, { reader, newest }) => ({
      marked: (await readState.markRead(reader, newest)).length,
    }),
  };

  for (const state of ['filled', 'analyzed', 'vacuumed'] as const) {
    for (const [what, work] of Object.entries(works)) {
      test(`${what} reads few blocks in tables that were ${state}`, async () => {
        const read: Record<string, number[]> = { custom: [], generic: [] };
        for (const database of databases) {
          const { client } = database;
          if (state !== 'filled') {
            await client.query(`${state === 'analyzed' ? 'ANALYZE' : 'VACUUM ANALYZE'} ${TABLES.join()}`);
          }
          let answered: { listed?: number; marked?: number } = {};
          const statements = await statementsOf(client, database, async (tx) => {
            answered = await work(tx, database);
          });
          const { listed = 0, marked = 0 } = answered;
          const most = PER_TOPIC * TOPICS + PER_MESSAGE[state] * listed + PER_MARKED * marked;
          for (const [plans, blocks] of Object.entries(read)) {
            let sum = 0;
            for (const [text, values] of statements.filter(([text]) => /^\s*(SELECT|WITH)\b/.test(text))) {
              sum += await blocksRead(client, text, values, plans);
            }
            assert.ok(sum <= most, `${sum} blocks, ${most} expected at most, with ${plans} plans`);
            blocks.push(sum);
          }
        }
        for (const [plans, [few, many]] of Object.entries(read)) {
          assert.ok(
            few && many && many <= GROWTH * few,
            `${few} blocks, and ${many} of more messages, with ${plans} plans`,
          );
        }
      });
    }
  }
});

/** Ada has read all but the newest messages. Bob has written them in the topics in turn. */
async function filled(messages: number): Promise<Filled> {
  const place = await postgresPlace();
  const storage = place.storage();
  await storage.open();
  const { reader, sender, topics } = await storage.write(async (tx) => {
    await tx.organization.create(organization());
    const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
    const topics: number[] = [];
    for (let n = 0; n < TOPICS; n++) {
      const channel = await createChannel(tx, `c${n}`);
      await subscribe(tx, channel, Ada, Bob);
      topics.push((await tx.conversations.ensureTopic(channel, 'x')).id);
    }
    return { reader: Ada.id, sender: Bob.id, topics };
  });
  await storage.close();
  const client = new pg.Client({ connectionString: place.url });
  await client.connect();
  await client.query(`SET search_path TO ${place.schema}`);
  for (const table of TABLES) {
    await client.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
  }
  await client.query(`
    INSERT INTO messages (conversation_id, sender_id, content, rendered_content, timestamp, client, is_me_message,
        read_by_sender)
      SELECT ${topics[0]} + n % ${TOPICS}, ${sender}, repeat('x', 200), repeat('x', 200), 1, 'test', 0, 1
      FROM generate_series(1, ${messages}) AS n;
    INSERT INTO read_ranges SELECT ${reader}, id, 0, ${messages - UNREAD} FROM conversations`);
  const newest = Array.from({ length: MARKED }, (_, at) => messages - at);
  return { ...place, client, reader, topics, newest };
}
