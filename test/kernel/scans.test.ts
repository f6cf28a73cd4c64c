import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import * as v from 'valibot';
import { openChat, type Storage, sqlite } from '../../lib/index.ts';
import { transportOf } from '../../lib/internal.ts';
import { defineOperation } from '../../lib/kernel/operation.ts';
import { id } from '../../lib/kernel/schemas.ts';
import { testOn, withoutPostgres } from '../support/engines.ts';
import { Gate } from '../support/gate.ts';
import { postgresPlace } from '../support/postgres.ts';

interface ScannedEngine {
  name: string;
  skip?: string | undefined;
  /** With four connections or threads. */
  place(t: TestContext): Promise<Storage>;
}

const engines: ScannedEngine[] = [
  {
    name: 'SQLite',
    async place(t) {
      const folder = await mkdtemp(join(tmpdir(), 'parlance-'));
      t.after(() => rm(folder, { recursive: true, force: true }));
      return sqlite(join(folder, 'chat.db'), { threadsFromBytes: 0, readerThreads: 4 });
    },
  },
  {
    name: 'PostgreSQL',
    skip: withoutPostgres,
    async place(t) {
      const { url, schema, drop } = await postgresPlace();
      t.after(drop);
      const { postgres } = await import('../../lib/storage/postgres/postgres.ts');
      return postgres(url, { schema, poolSize: 4 });
    },
  },
];

for (const engine of engines) {
  const onEngine = testOn(engine);

  onEngine(`scans of ten accounts leave room for everything else on ${engine.name}`, async (t) => {
    const storage = await engine.place(t);
    const chat = await openChat({ storage });
    t.after(() => chat.close());
    const ada = await chat.createOrganization({ name: 'Club', owner: { email: 'ada@example.com', full_name: 'Ada' } });
    const ids = [ada.user_id];
    for (let n = 0; n < 9; n++) {
      const person = { email: `m${n}@example.com`, full_name: `M ${n}`, password: 'correct horse battery' };
      ids.push((await chat.as(ada).users.create(person)).user_id);
    }
    const held = new Gate();
    const isFull = new Gate();
    let under = 0;
    let most = 0;
    const look = defineOperation({
      name: 'club.look',
      http: 'GET /club/{place}',
      summary: 'Look for something in the whole club',
      access: 'user',
      effect: 'read',
      params: v.object({ place: id }),
      result: v.object({ count: v.number() }),
      errors: [],
      extent: () => 'scan',
      async run({ tx }) {
        most = Math.max(most, ++under);
        if (under === storage.scans) isFull.open();
        await held.opened;
        const count = (await tx.users.changedSince(0)).length;
        under--;
        return { count };
      },
    });
    const scans = ids.map((userId) =>
      transportOf(chat).call(look, { userId, client: 'Tests' }, { place: 1 }),
    ) as Promise<{ count: number }>[];
    await isFull.opened;
    await chat.as(ada).channels.create({ name: 'shore', subscribers: [ada.user_id] });
    assert.equal((await chat.as(ada).users.me()).full_name, 'Ada');
    assert.deepEqual((await chat.as(ada).messages.list({ anchor: 'newest', num_before: 5 })).messages.length, 1);
    held.open();
    for (const scan of scans) assert.ok((await scan).count >= 10);
    assert.equal(most, storage.scans);
    assert.ok(most === (engine.name === 'SQLite' ? 2 : 1));
  });
}

test('a search asks its thread three times: what it may be about, what it finds, and that', async (t) => {
  const workers: Worker[] = [];
  const note = (worker: Worker) => void workers.push(worker);
  process.on('worker', note);
  t.after(() => process.off('worker', note));
  const chat = await openChat({ storage: await (engines[0] as ScannedEngine).place(t) });
  t.after(() => chat.close());
  const ada = await chat.createOrganization({ name: 'Club', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  const session = chat.as(ada);
  await session.channels.create({ name: 'watch', subscribers: [ada.user_id] });
  await session.messages.send({ type: 'channel', to: 'watch', topic: 'night', content: 'The lamp is lit.' });
  const search = async () => {
    const narrow = [['search', 'lamps']] as [string, string][];
    const { messages } = await session.messages.list({ anchor: 'newest', num_before: 9, narrow });
    return messages.map(({ match_content }) => match_content);
  };
  assert.deepEqual(await search(), ['<p>The <span class="highlight">lamp</span> is lit.</p>']);
  const sent = t.mock.method(workers[0] as Worker, 'postMessage').mock;
  await search();
  assert.equal(sent.callCount(), 3);
});
