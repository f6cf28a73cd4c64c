import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { serve } from '../../server/index.ts';
import { basic } from '../server/running.ts';
import { testOn } from '../support/engines.ts';
import { postgresEngine, sqliteEngine, type WorldEngine } from '../world/copies.ts';
import { openWorld, type World } from '../world/world.ts';

interface Event {
  id: number;
  type: string;
  message?: { content: string };
}

/** One long poll. */
type Poll = (queueId: string, lastEventId: number) => Promise<readonly Event[]>;

export interface Load {
  /** Chats over one database. Senders and polls use them in turn, as behind a load balancer. */
  processes: number;
  senders: number;
  listeners: number;
  /** In total. */
  messages: number;
  /** Polls or event streams over HTTP. The default is polls in the process. */
  http?: 'polls' | 'streams';
}

const WAYS = {
  'polls in the process': {},
  'polls over HTTP': { http: 'polls' },
  streams: { http: 'streams' },
} as const;

interface Delivery {
  engine: WorldEngine;
  processes: 1 | 2;
  by: keyof typeof WAYS;
}

/** @param deliveries messages times listeners */
export function testDelivery(deliveries: number, { engine, processes, by }: Delivery): void {
  const servers = processes === 1 ? 'one server' : 'two servers in turn';
  const name = `${deliveries} deliveries by ${by} of ${servers}, none repeated or missing, on ${engine.name}`;
  testOn(engine)(name, async (t) => {
    const load = { processes, senders: 10, listeners: 50, messages: deliveries / 50, ...WAYS[by] };
    assert.equal(await deliverConcurrently(t, engine, load), deliveries);
  });
}

/**
 * @param deliveries messages times listeners, by each transport on each engine. 100,000 take three minutes in total.
 */
export function testDeliveries(deliveries: number): void {
  for (const engine of [sqliteEngine, postgresEngine]) {
    for (const processes of [1, 2] as const) {
      for (const by of Object.keys(WAYS) as (keyof typeof WAYS)[]) testDelivery(deliveries, { engine, processes, by });
    }
  }
}

/**
 * Sends and polls at the same time: slowly enough that polls wait between messages, and fast enough that some arrive
 * during the read of a commit. Every listener must receive every message exactly once and in the same order. It never
 * receives an event whose ID it has acknowledged.
 *
 * @returns how many messages were delivered
 */
export async function deliverConcurrently(t: TestContext, engine: WorldEngine, load: Load): Promise<number> {
  const place = await engine.place();
  t.after(() => place.remove());
  const worlds: World[] = [];
  for (let at = 0; at < load.processes; at++) {
    const world = await openWorld(place.fixture, place.storage());
    t.after(() => world.close());
    worlds.push(world);
  }
  const inTurn = (at: number) => worlds[at % worlds.length] as World;
  const polls: Poll[] = [];
  for (const world of worlds) polls.push(load.http ? await overHttp(t, world, load.http) : inProcess(world));
  const queues: string[] = [];
  for (let at = 0; at < load.listeners; at++) {
    const { queue_id } = await inTurn(at)
      .as('hamlet')
      .register({ event_types: ['message'], fetch_event_types: [] });
    queues.push(queue_id as string);
  }
  let next = 0;
  const send = async () => {
    while (next < load.messages) {
      const world = inTurn(next);
      const content = `message ${next++}`;
      await world.as('cordelia').messages.send({ type: 'channel', to: 'Denmark', topic: 'ghosts', content });
      await setTimeout(Math.random() * 100);
    }
  };
  const listening = queues.map((queueId, at) => listen(queueId, load.messages, at, polls));
  const sending = Array.from({ length: load.senders }, send);
  const [received] = await Promise.all([Promise.all(listening), Promise.all(sending)]);
  const [first = []] = received;
  for (const contents of received) assert.deepEqual(contents, first, 'every listener has the same order');
  const failures = worlds.flatMap((world) => world.failures);
  assert.deepEqual(failures, [], 'no error was logged');
  return received.flat().length;
}

async function listen(queueId: string, messages: number, start: number, polls: readonly Poll[]): Promise<string[]> {
  const contents: string[] = [];
  let last = -1;
  for (let turn = start; contents.length < messages; turn++) {
    const poll = polls[turn % polls.length] as Poll;
    for (const event of await poll(queueId, last)) {
      if (event.type === 'heartbeat') continue;
      assert.ok(event.id > last, `event ${event.id} was repeated after ${last}`);
      last = event.id;
      contents.push(event.message?.content ?? '');
    }
    await setTimeout(Math.random() * 3);
  }
  assert.equal(new Set(contents).size, messages, 'each message once');
  return contents;
}

const inProcess =
  (world: World): Poll =>
  async (queue_id, last_event_id) =>
    (await world.as('hamlet').events.list({ queue_id, last_event_id })).events as readonly Event[];

async function overHttp(t: TestContext, world: World, kind: 'polls' | 'streams'): Promise<Poll> {
  const { url, close } = await serve(world.chat, { port: 0, rateLimits: false });
  t.after(close);
  const authorization = basic(world.emails.hamlet, await world.chat.apiKeyOf(world.users.hamlet));
  if (kind === 'streams') {
    return (queue_id, last) => {
      const address = `${url}/api/v1/events/stream?${new URLSearchParams({ queue_id })}`;
      return readStream(address, { authorization, 'last-event-id': String(last) });
    };
  }
  return async (queue_id, last_event_id) => {
    const query = new URLSearchParams({ queue_id, last_event_id: String(last_event_id) });
    const answer = await fetch(`${url}/api/v1/events?${query}`, { headers: { authorization } });
    const body = (await answer.json()) as { events?: Event[]; msg: string };
    assert.ok(body.events, body.msg);
    return body.events;
  };
}

/** Reads a stream for a while, and disconnects while more data may follow. */
async function readStream(address: string, headers: Record<string, string>): Promise<Event[]> {
  const answer = await fetch(address, { headers });
  // From here on: on a busy machine, all connections would otherwise end before they have read an event.
  const left = setTimeout(Math.random() * 2_000);
  assert.equal(answer.status, 200);
  const events: Event[] = [];
  let text = '';
  const reader = (answer.body ?? assert.fail()).pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const read = await Promise.race([reader.read(), left]);
    if (!read || read.done) break;
    const frames = (text + read.value).split('\n\n');
    text = frames.pop() ?? '';
    for (const frame of frames) {
      const [, id, data] = /^id:(\d+)\ndata:(.+)$/.exec(frame) ?? [];
      if (data === undefined) assert.equal(frame, ':');
      else {
        const event = JSON.parse(data) as Event;
        assert.equal(event.id, Number(id));
        events.push(event);
      }
    }
  }
  await reader.cancel();
  return events;
}
