import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, type TestContext } from 'node:test';
import { correctedClock } from '../../../../lib/adapters/clock.ts';
import { openChat, type Storage, sqlite } from '../../../../lib/index.ts';
import { postgres } from '../../../../lib/storage/postgres/postgres.ts';
import { compiledProgram } from '../../../programs.ts';
import { migratedFile, sqliteDrivers, testOn, withoutPostgres } from '../../../support/engines.ts';
import { memoryFolder } from '../../../support/memory-folder.ts';
import { postgresPlace } from '../../../support/postgres.ts';
import { until } from '../../../support/until.ts';

interface Place {
  /** For the program. */
  args: string[];
  storage(): Storage;
}

async function killAndContinue(t: TestContext, { args, storage }: Place): Promise<void> {
  const program = ['push'] as const;
  let passedMs = 0;
  const clock = correctedClock(() => passedMs);
  const chat = await openChat({ storage: storage(), notifications: { program }, clock });
  t.after(() => chat.close());
  const { user_id: ada } = await chat.createOrganization({
    name: 'Example',
    owner: { email: 'ada@example.com', full_name: 'Ada' },
  });
  const { user_id: ben } = await chat.as(ada).users.create({ email: 'ben@example.com', full_name: 'Ben' });
  const folder = await mkdtemp(join(memoryFolder(), 'parlance-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'heard');
  const child = spawn(process.execPath, [await compiledProgram('listening-host'), file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const killed = once(child, 'exit');
  await once(child.stdout, 'data');
  for (const content of ['one', 'two', 'three'])
    await chat.as(ada).messages.send({ type: 'direct', to: [ben], content });
  assert.equal((await killed)[1], 'SIGKILL');
  const before = readFileSync(file, 'utf8').trimEnd().split('\n');
  const lines: string[] = [];
  await chat.on('notification', ({ position, message }) => void lines.push(`${position} ${message.content}`), {
    ...{ cursor: 'sms', way: 'push' },
  });
  // The killed process may have begun to decide about the third message, which is leased for two minutes.
  passedMs = 3 * 60_000;
  chat.start();
  await until('the second process gets what was not done, and the rest', () => {
    const at = lines.indexOf(before[1] as string);
    return at >= 0 && lines.length - at >= 2;
  });
  const after = lines.slice(lines.indexOf(before[1] as string));
  assert.deepEqual([before.length, after.length], [2, 2]);
  // The worker decides about messages of the same moment in any order; all readers of the log get the same.
  const texts = [...before, ...after.slice(1)].map((line) => line.replace(/^\d+ /, ''));
  assert.deepEqual(texts.sort(), ['one', 'three', 'two']);
  // Before the test removes the tables.
  await chat.close();
}

describe('a program that is killed while it is notified gets the notification again', () => {
  for (const { name, skip } of sqliteDrivers.slice(0, 1)) {
    testOn({ skip })(`on ${name}`, async (t) => {
      const { path, remove } = await migratedFile();
      t.after(remove);
      await killAndContinue(t, { args: [name, path], storage: () => sqlite(path, { driver: name }) });
    });
  }

  testOn({ skip: withoutPostgres })('on PostgreSQL', async (t) => {
    const { url, schema, drop } = await postgresPlace();
    t.after(drop);
    await killAndContinue(t, { args: ['postgres', url, schema], storage: () => postgres(url, { schema }) });
  });
});
