import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { withDefaults } from '../../../lib/chat/chat-options.ts';
import { Engine } from '../../../lib/engine/engine.ts';
import { openChat, type Storage, sqlite } from '../../../lib/index.ts';
import { defineOutboxKind, registeredIn } from '../../../lib/operation/feature.ts';
import { answer } from './answering.ts';

/** Items passed to a slow receiver, through the outbox and without it. */

const SINK_MS = 20;

let engine: Engine;
let received = 0;

async function sink(): Promise<void> {
  await sleep(SINK_MS);
  received++;
}

const toSink = defineOutboxKind<{ n: number; text: string }>('sink', { perform: sink });

async function start(given: { database: string; schema?: string }): Promise<void> {
  const storage = await storageOn(given);
  const chat = await openChat({ storage });
  await chat.createOrganization({ name: 'Bench', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  engine = new Engine(withDefaults({ storage }), registeredIn([{ operations: [], outbox: [toSink] }]));
}

async function storageOn({ database, schema }: { database: string; schema?: string }): Promise<Storage> {
  if (schema === undefined) return sqlite(database);
  const { postgres } = await import('../../../lib/storage/postgres/postgres.ts');
  return postgres(database, { schema });
}

/** Milliseconds until all queued `items` are delivered and recorded. */
async function throughOutbox({ items }: { items: number }): Promise<number> {
  await engine.asSystem('write', async ({ enqueue }) => {
    for (let n = 0; n < items; n++) enqueue(toSink({ n, text: 'Lit at dusk, all is well.' }));
  });
  received = 0;
  const start = performance.now();
  const done = await engine.worker.runDue();
  const milliseconds = performance.now() - start;
  if (done !== items || received !== items) throw new Error(`${done} of ${items} done, ${received} received`);
  return milliseconds;
}

/** Milliseconds of as many calls with the same concurrency and no storage. */
async function straight({ items }: { items: number }): Promise<number> {
  const start = performance.now();
  let left = items;
  const callers = Array.from({ length: toSink.concurrency }, async () => {
    while (left-- > 0) await sink();
  });
  await Promise.all(callers);
  return performance.now() - start;
}

answer({ start, throughOutbox, straight });
