import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, type TestContext } from 'node:test';
import pg from 'pg';
import { type Chat, ChatError, type Logger, openChat, sqlite } from '../../lib/index.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { openHandle } from '../../lib/storage/sqlite/driver.ts';
import { testChat } from '../../lib/testing/testing.ts';
import { compiledProgram } from '../programs.ts';
import { migratedFile, sqliteDrivers, testOn, withoutPostgres } from '../support/engines.ts';
import { migratedPlace } from '../support/postgres.ts';
import { until } from '../support/until.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

const order = (number: number) =>
  ({ type: 'channel', to: 'general', topic: 'orders', content: `order ${number}` }) as const;

const unsuitable = (text: RegExp) => (error: unknown) =>
  error instanceof ChatError && error.code === 'TRANSACTION_UNSUITABLE' && text.test(error.message);

/** The orders in the channel, oldest first. */
async function ordersIn(chat: Chat): Promise<string[]> {
  const query = { anchor: 'newest', num_before: 50, apply_markdown: false } as const;
  const { messages } = await chat.system().messages.list({
    ...query,
    narrow: [
      ['channel', 'general'],
      ['topic', 'orders'],
    ],
  });
  return messages.map(({ content }) => content);
}

/** Listens for orders in the events of a chat. */
async function heardBy(chat: Chat): Promise<string[]> {
  const heard: string[] = [];
  await chat.on('event', ({ event }) => void (event.type === 'message' && heard.push(event.message.content)), {
    event_types: ['message'],
  });
  return heard;
}

async function killedBetween(...args: string[]): Promise<void> {
  const child = spawn(process.execPath, [await compiledProgram('within-host'), ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [, signal] = await once(child, 'exit');
  assert.equal(signal, 'SIGKILL');
}

describe('the transaction of the host, on PostgreSQL', () => {
  const test = testOn({ skip: withoutPostgres });

  async function open(t: TestContext) {
    const place = await migratedPlace();
    const pool = new pg.Pool({ connectionString: place.url, max: 5 });
    const made = await testChat({ storage: postgres({ pool }, { schema: place.schema }), logger: silent });
    const other = await openChat({ storage: place.storage(), logger: silent });
    const table = `"${place.schema}".orders`;
    await pool.query(`CREATE TABLE ${table} (number integer PRIMARY KEY)`);
    t.after(async () => {
      await made.close();
      await other.close();
      await pool.query(`DROP TABLE ${table}`);
      await pool.end();
      await place.drop();
    });
    const begun = async (number: number, begin = 'BEGIN') => {
      const client = await pool.connect();
      await client.query(begin);
      await client.query(`INSERT INTO ${table} VALUES (${number})`);
      return client;
    };
    const numbers = async () => {
      const { rows } = await pool.query(`SELECT number FROM ${table} ORDER BY number`);
      return rows.map(({ number }) => number);
    };
    return { ...made, other, pool, place, begun, numbers };
  }

  test('a commit publishes message and events, here and in other processes; a rollback leaves nothing', async (t) => {
    const { chat, people, other, begun, numbers } = await open(t);
    const heard = [await heardBy(chat), await heardBy(other)];
    const one = await begun(1);
    const { id } = await people.dora.messages.send({ ...order(0), topic: 'before' });
    const sent = await chat.as(people.dora).within(one).messages.send(order(1));
    assert.ok(sent.id > id);
    assert.deepEqual(await ordersIn(chat), []);
    await one.query('COMMIT');
    one.release();
    const two = await begun(2);
    await chat.as(people.dora).within(two).messages.send(order(2));
    await chat.as(people.dora).within(two).messages.addReaction({ message_id: sent.id, emoji_name: 'tada' });
    await two.query('ROLLBACK');
    two.release();
    await people.dora.messages.send(order(3));
    for (const chat of heard) await until('the events arrive', () => chat.includes('order 3'));
    for (const chat of heard) assert.deepEqual(chat, ['order 0', 'order 1', 'order 3']);
    assert.deepEqual([await ordersIn(chat), await numbers()], [['order 1', 'order 3'], [1]]);
    assert.deepEqual((await people.dora.messages.get({ message_id: sent.id })).message.reactions, []);
  });

  test('a refused call leaves the transaction and its settings as they were', async (t) => {
    const { chat, people, begun, numbers, place } = await open(t);
    const client = await begun(1);
    const settings = async () =>
      (await client.query(`SELECT current_setting('search_path') AS path, current_setting('lock_timeout') AS lock`))
        .rows;
    const before = await settings();
    const dora = chat.as(people.dora).within(client);
    await assert.rejects(dora.messages.send({ ...order(1), to: 'nowhere' }), { code: 'STREAM_DOES_NOT_EXIST' });
    await dora.messages.send({ ...order(1), idempotency_key: 'one' });
    await dora.messages.send({ ...order(1), idempotency_key: 'one' });
    assert.deepEqual(await settings(), before);
    const { rows } = await client.query('SHOW idle_in_transaction_session_timeout');
    assert.deepEqual(rows, [{ idle_in_transaction_session_timeout: '5s' }]);
    await client.query(`INSERT INTO "${place.schema}".orders VALUES (2)`);
    await client.query('COMMIT');
    client.release();
    assert.deepEqual([await ordersIn(chat), await numbers()], [['order 1'], [1, 2]]);
  });

  test('E2: each of five open transactions in a pool of five sends a message, and so do other sessions', async (t) => {
    const { chat, people, other, begun, numbers } = await open(t);
    const heard = await heardBy(other);
    const clients = await Promise.all([1, 2, 3, 4, 5].map((number) => begun(number)));
    const outside = people.emil.messages.send(order(0));
    await Promise.all(
      clients.map(async (client, at) => {
        await chat
          .as(people.dora)
          .within(client)
          .messages.send(order(at + 1));
        await client.query('COMMIT');
        client.release();
      }),
    );
    await outside;
    await until('all events arrive', () => heard.length === 6);
    assert.deepEqual(heard, await ordersIn(chat));
    assert.deepEqual(await numbers(), [1, 2, 3, 4, 5]);
  });

  test('a connection without a suitable transaction and other operations are refused', async (t) => {
    const { chat, people, pool, place, begun } = await open(t);
    const send = (connection: object) => chat.as(people.dora).within(connection).messages.send(order(1));
    await assert.rejects(send(pool), unsuitable(/not a pool/));
    await assert.rejects(send({}), unsuitable(/client of `pg`/));
    const client = await pool.connect();
    await assert.rejects(send(client), unsuitable(/Send BEGIN first/));
    client.release();
    const strict = await begun(1, 'BEGIN ISOLATION LEVEL SERIALIZABLE');
    await assert.rejects(send(strict), unsuitable(/serializable/));
    await assert.rejects(strict.query('SELECT 1/0'));
    await assert.rejects(send(strict), unsuitable(/has failed/));
    await strict.query('ROLLBACK');
    strict.release();
    const url = new URL(place.url);
    url.pathname = '/template1';
    const elsewhere = new pg.Client({ connectionString: url.href });
    await elsewhere.connect();
    await elsewhere.query('BEGIN');
    await assert.rejects(send(elsewhere), unsuitable(/another database/));
    await elsewhere.end();
    const again = await begun(1);
    const { channels } = chat.system().within(again);
    await assert.rejects(channels.create({ name: 'x', subscribers: [] }), unsuitable(/channels.create cannot run/));
    await again.query('COMMIT');
    again.release();
  });

  test('a commit during the call, and a missing connection, are reported', async (t) => {
    const { chat, people, begun } = await open(t);
    const dora = chat.as(people.dora);
    const client = await begun(1);
    const early = dora.within(client).messages.send(order(1));
    const refused = assert.rejects(early, unsuitable(/ended during this call/));
    await client.query('SELECT 1');
    await client.query('COMMIT');
    await refused;
    client.release();
    for (const missing of [undefined, null])
      assert.throws(() => dora.within(missing as unknown as object), unsuitable(/Pass the connection/));
    assert.deepEqual(await ordersIn(chat), []);
  });

  test('a host that is killed before its commit leaves neither row nor message, and blocks no other sender', async (t) => {
    const { chat, people, place, numbers } = await open(t);
    await killedBetween('postgres', place.url, place.schema);
    await people.dora.messages.send(order(3));
    assert.deepEqual([await ordersIn(chat), await numbers()], [['order 1', 'order 3'], [1]]);
  });
});

for (const { name: driver, skip } of sqliteDrivers) {
  const test = testOn({ skip });
  const titled = (title: string) => `within a transaction of the host (${driver}), ${title}`;

  async function open(t: TestContext) {
    const { path, remove } = await migratedFile();
    const made = await testChat({ storage: sqlite(path, { driver }), logger: silent });
    const database = openHandle(driver, path);
    database.exec('CREATE TABLE orders (number INTEGER PRIMARY KEY)');
    t.after(async () => {
      database.close();
      await made.close();
      await remove();
    });
    const numbers = () =>
      database
        .prepare('SELECT number FROM orders ORDER BY number')
        .all()
        .map((row) => (row as { number: number }).number);
    return { ...made, path, database, numbers };
  }

  test(titled('a commit publishes message and events, and a rollback leaves nothing'), async (t) => {
    const { chat, people, database, numbers } = await open(t);
    const heard = await heardBy(chat);
    const dora = chat.as(people.dora).within(database);
    database.exec('BEGIN IMMEDIATE; INSERT INTO orders VALUES (1)');
    await dora.messages.send(order(1));
    await assert.rejects(dora.messages.send({ ...order(1), to: 'nowhere' }), { code: 'STREAM_DOES_NOT_EXIST' });
    assert.deepEqual(await ordersIn(chat), []);
    database.exec('COMMIT; BEGIN IMMEDIATE; INSERT INTO orders VALUES (2)');
    await dora.messages.send(order(2));
    database.exec('ROLLBACK');
    await people.dora.messages.send(order(3));
    await until('the events arrive', () => heard.includes('order 3'));
    assert.deepEqual([heard, await ordersIn(chat), numbers()], [['order 1', 'order 3'], ['order 1', 'order 3'], [1]]);
  });

  test(titled('the host may attach the chat file, unless it has a table with the same name'), async (t) => {
    const { chat, people, path } = await open(t);
    const own = openHandle(driver, ':memory:');
    own.prepare('ATTACH ? AS chat').run(path);
    own.exec('CREATE TABLE bills (number INTEGER); BEGIN IMMEDIATE; INSERT INTO bills VALUES (1)');
    await chat.as(people.dora).within(own).messages.send(order(1));
    own.exec('COMMIT');
    assert.deepEqual(await ordersIn(chat), ['order 1']);
    own.exec('CREATE TABLE users (id INTEGER); BEGIN IMMEDIATE');
    await assert.rejects(chat.as(people.dora).within(own).messages.send(order(2)), unsuitable(/table "users"/));
    own.close();
  });

  test(titled('a database without a transaction or without the file is refused'), async (t) => {
    const { chat, people, database } = await open(t);
    const send = (connection: object) => chat.as(people.dora).within(connection).messages.send(order(1));
    await assert.rejects(send(database), unsuitable(/BEGIN IMMEDIATE first/));
    database.exec('BEGIN; ROLLBACK');
    const other = openHandle(driver, ':memory:');
    await assert.rejects(send(other), unsuitable(/is not .*chat\.db/));
    other.close();
    await assert.rejects(send({}), unsuitable(/better-sqlite3 or node:sqlite/));
    await assert.rejects(send(other), unsuitable(/is closed/));
    database.exec('BEGIN IMMEDIATE');
    const early = send(database);
    const refused = assert.rejects(early, unsuitable(/ended during this call/));
    await Promise.resolve();
    database.exec('COMMIT');
    await refused;
  });

  test(titled('a host that is killed before its commit leaves neither row nor message'), async (t) => {
    const { chat, path, numbers } = await open(t);
    await killedBetween(driver, path);
    assert.deepEqual([await ordersIn(chat), numbers()], [['order 1'], [1]]);
  });
}
