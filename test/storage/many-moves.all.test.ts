import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import type { Transaction } from '../../lib/storage/interface/storage.ts';
import { createChannel, createUsers, openFounded, organization, send } from '../contract/fixtures.ts';
import { engines, testOn, withoutPostgres } from '../support/engines.ts';
import { postgresPlace } from '../support/postgres.ts';
import { rowsLookedAt, statementsOf } from './explained.ts';

const MESSAGES = 10;
/** Moves of each message, back and forth. */
const MOVES = 100;
const RENAMES = 1_000;

/** Moves each message in and out of a topic, and renames the topic in between. Returns the history of each message. */
async function movedOften(tx: Transaction) {
  const { Ada } = await createUsers(tx, 'Ada');
  const channel = await createChannel(tx, 'one');
  const [home, away] = [
    await tx.conversations.ensureTopic(channel, 'a'),
    await tx.conversations.ensureTopic(channel, 'b'),
  ];
  const ids: number[] = [];
  while (ids.length < MESSAGES) ids.push(await send(tx, Ada, home));
  const histories = new Map<number, string[]>(ids.map((id) => [id, []]));
  const atHome = new Set(ids);
  const up_to_message_id = ids.at(-1) as number;
  const rest = { part_of: null, editor_id: Ada.id, timestamp: 1, prev_content: null, prev_rendered_content: null };
  const topics = { prev_topic: 'a', topic: 'b', prev_channel_id: null, channel_id: null };
  const move = (message_id: number | null, from: number, to: number) =>
    tx.edits.add({
      ...rest,
      ...topics,
      message_id,
      conversation_id: to,
      prev_conversation_id: from,
      up_to_message_id: message_id === null ? up_to_message_id : null,
    });
  for (const id of ids) {
    for (let n = 0; n < MOVES; n++) {
      if (atHome.delete(id)) await move(id, home.id, away.id);
      else {
        atHome.add(id);
        await move(id, away.id, home.id);
      }
      histories.get(id)?.push('move');
      if (n % (MOVES / (RENAMES / MESSAGES)) === 0) {
        await move(null, home.id, home.id);
        for (const other of atHome) histories.get(other)?.push('rename');
      }
    }
  }
  return { messages: ids.map((id) => ({ id, conversation_id: home.id })), histories };
}

for (const engine of engines) {
  testOn(engine)(
    `the edit history of messages moved 100 times has every move and rename, read alone or together, on ${engine.name}`,
    async (t) => {
      const { storage } = await openFounded(t, engine);
      const { messages, histories } = await storage.write(movedOften);
      await storage.read(async ({ edits }) => {
        const together = await edits.ofMessages(messages);
        assert.equal(together.size, MESSAGES);
        for (const message of messages) {
          const history = together.get(message.id) ?? [];
          const kinds = history.map(({ message_id }) => (message_id === null ? 'rename' : 'move'));
          assert.deepEqual(kinds, histories.get(message.id));
          assert.deepEqual(history, (await edits.ofMessages([message])).get(message.id));
        }
      });
    },
  );
}

test('reading the edit history of messages moved 100 times visits at most 30 rows for each move and rename', {
  skip: withoutPostgres ?? false,
}, async (t) => {
  const place = await postgresPlace();
  const storage = place.storage();
  t.after(async () => {
    await storage.close();
    await place.drop();
  });
  await storage.open();
  const { messages } = await storage.write(async (tx) => {
    await tx.organization.create(organization());
    return movedOften(tx);
  });
  const client = new pg.Client({ connectionString: place.url });
  await client.connect();
  t.after(() => client.end());
  await client.query(`SET search_path TO ${place.schema}`);
  let rows = 0;
  for (const [text, values] of await statementsOf(client, place, (tx) => tx.edits.ofMessages(messages))) {
    rows += await rowsLookedAt(client, text, values, 'custom');
  }
  assert.ok(rows < 30 * (MESSAGES * MOVES + RENAMES), `${rows} rows`);
});
