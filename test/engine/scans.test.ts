import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import * as v from 'valibot';
import { id } from '../../lib/base/schemas.ts';
import { openChat, type Storage, sqlite } from '../../lib/index.ts';
import { transportOf } from '../../lib/internal.ts';
import { defineOperation } from '../../lib/operation/operation.ts';
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
  const test = testOn(engine);

  test(`scans of ten accounts do not block other reads and writes on ${engine.name}`, async (t) => {
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
      params: { place: id },
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
      transportOf(chat).engine.call(look, { userId, client: 'Tests' }, { place: 1 }),
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
