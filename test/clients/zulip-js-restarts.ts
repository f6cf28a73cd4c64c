import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SqliteConnection } from '../../lib/storage/sqlite/connection.ts';
import { defaultDriver } from '../../lib/storage/sqlite/driver.ts';
import { until } from '../support/until.ts';
import type { Body } from './form-client.ts';
import { ServerProcess } from './server-process.ts';
import { type ZulipJs, zulip } from './zulip-js.ts';
import { Listening } from './zulip-js-listening.ts';

const SENDERS = ['iago', 'cordelia', 'othello', 'shiva'];
const TOPIC = 'storm';

/** Sends one message after another until it is stopped, and records the results. */
class Sender {
  /** IDs by content, of all acknowledged messages. */
  readonly acknowledged = new Map<string, number>();
  /** Contents of messages with an unknown result. */
  readonly uncertain = new Set<string>();
  stopped = false;

  constructor(
    private readonly name: string,
    private readonly client: ZulipJs,
  ) {}

  async run(): Promise<void> {
    for (let n = 1; !this.stopped; n++) {
      const content = `${this.name} ${n}`;
      try {
        const answer = await this.client.messages.send({ to: 'Verona', type: 'stream', topic: TOPIC, content });
        assert.equal(answer.result, 'success', JSON.stringify(answer));
        this.acknowledged.set(content, answer.id);
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        this.uncertain.add(content);
        await sleep(20);
      }
    }
  }
}

/** Polls one queue without end, as a client that survives lost connections. */
class Reader {
  readonly events: Body[] = [];
  lastEventId: number;
  stopped = false;

  constructor(
    private readonly client: ZulipJs,
    readonly queueId: string,
    lastEventId: number,
  ) {
    this.lastEventId = lastEventId;
  }

  async once(more: object = {}): Promise<Body[]> {
    const { result, events, msg } = await this.client.events.retrieve({
      queue_id: this.queueId,
      last_event_id: this.lastEventId,
      ...more,
    });
    assert.equal(result, 'success', msg);
    for (const event of events)
      assert.ok(event.type === 'heartbeat' || event.id > this.lastEventId, `event ${event.id} is repeated`);
    return events;
  }

  async run(): Promise<void> {
    while (!this.stopped) {
      try {
        const events = await this.once();
        this.events.push(...events);
        for (const event of events) this.lastEventId = Math.max(this.lastEventId, event.id);
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        await sleep(20);
      }
    }
  }
}

const acknowledgedBy = (senders: readonly Sender[]) => senders.flatMap((sender) => [...sender.acknowledged]);

/** Kills the server so many times. */
export function testRestarts(kills: number): void {
  test('after a server is killed and restarted, no acknowledged message is lost and no event repeats', async (t) => {
    const server = await ServerProcess.start(t);
    const login = (name: string) => ({
      realm: server.url,
      username: server.account(name).email,
      apiKey: server.account(name).api_key,
    });
    const hamlet = await zulip(login('hamlet'));
    const { queue_id, last_event_id, max_message_id } = await hamlet.queues.register({ event_types: ['message'] });
    const reader = new Reader(hamlet, queue_id, last_event_id);
    const listening = new Listening(t, login('zoe'), ['message']);
    const senders = await Promise.all(SENDERS.map(async (name) => new Sender(name, await zulip(login(name)))));
    t.after(() => {
      for (const one of [reader, ...senders]) one.stopped = true;
    });
    const work = [reader.run(), ...senders.map((sender) => sender.run())];
    await listening.until((event) => event.type === 'message');
    for (let kill = 0; kill < kills; kill++) {
      await sleep(300 + 250 * kill);
      await until('the reader has events', () => reader.events.length > 10);
      await server.stop('SIGKILL');
      // Events that the client has received and not acknowledged must be repeated unchanged.
      await server.run();
      const repeated = await new Reader(hamlet, queue_id, reader.events.at(-10)?.id ?? -1).once({ dont_block: true });
      // A heartbeat has the ID of the previous event.
      const known = new Map(reader.events.filter(({ type }) => type !== 'heartbeat').map((event) => [event.id, event]));
      for (const event of repeated) if (known.has(event.id)) assert.deepEqual(event, known.get(event.id));
    }
    await until('51 messages are acknowledged', () => acknowledgedBy(senders).length > 50);
    for (const sender of senders) sender.stopped = true;
    await Promise.all(work.slice(1));
    const last = await hamlet.messages.send({ to: 'Verona', type: 'stream', topic: TOPIC, content: 'the end' });
    reader.stopped = true;
    await work[0];
    for (;;) {
      const events = await reader.once({ dont_block: true });
      if (events.length === 0) break;
      reader.events.push(...events);
      reader.lastEventId = events.at(-1).id;
    }
    const rows = await rowsOf(hamlet, max_message_id);
    const byContent = new Map(rows.map((row) => [row.content, row.id]));
    assert.equal(byContent.size, rows.length, 'a message is stored twice');
    const acknowledged = acknowledgedBy(senders);
    for (const [content, id] of acknowledged) assert.equal(byContent.get(content), id, `"${content}" was acknowledged`);
    const uncertain = new Set(senders.flatMap((sender) => [...sender.uncertain]));
    assert.ok(uncertain.size > 0, 'the server died between two messages in every round');
    for (const { content } of rows)
      assert.ok(content === 'the end' || uncertain.has(content) || acknowledged.some(([one]) => one === content));

    const messages = reader.events.filter((event) => event.type === 'message');
    assert.deepEqual(
      messages.map((event) => event.message.id),
      rows.map((row) => row.id),
      'events and rows agree, in order',
    );
    const ids = reader.events.filter((event) => event.type !== 'heartbeat').map((event) => event.id);
    assert.ok(
      ids.every((id, i) => i === 0 || id > ids[i - 1]),
      'event IDs rise',
    );
    assert.equal(messages.at(-1).message.id, last.id);

    await listening.until((event) => event.message?.id === last.id);
    const heard = listening.events.map((event) => event.message?.id).filter((id) => id !== undefined);
    const start = rows.findIndex((row) => row.id === heard[0]);
    assert.deepEqual(
      heard,
      rows.slice(start).map((row) => row.id),
      'callOnEachEvent continued',
    );

    await server.stop('SIGTERM');
    const database = SqliteConnection.open(defaultDriver(), server.file);
    t.after(() => database.close());
    assert.deepEqual(database.pragma('integrity_check'), 'ok');
    assert.deepEqual(database.pragma('foreign_key_check'), undefined);
  });
}

async function rowsOf(client: ZulipJs, after: number): Promise<{ id: number; content: string }[]> {
  const narrow = [
    { operator: 'stream', operand: 'Verona' },
    { operator: 'topic', operand: TOPIC },
  ];
  const { messages, found_newest } = await client.messages.retrieve({
    anchor: after,
    num_before: 0,
    num_after: 5000,
    narrow,
    apply_markdown: false,
  });
  assert.equal(found_newest, true);
  return messages;
}
