import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { sqlite } from '../../lib/index.ts';
import type { sqliteDrivers } from '../support/engines.ts';
import { until } from '../support/until.ts';
import { TOKEN, type Troubled, troubled } from './database-trouble.ts';
import { limitFiles, smallDisk, withoutLimit, withoutMount } from './small-disk.ts';

/** Sends messages, one at a time and in parallel, until the database is full. */
export async function sendUntilRefused({ say, checkUnavailable }: Troubled): Promise<void> {
  for (let round = 0; ; round++) {
    assert.ok(round < 500, 'the database must become full');
    const count = round % 3 === 0 ? 1 : 20;
    const answers = await Promise.all(
      Array.from({ length: count }, (_, at) => say(`${round}.${at} ${'x'.repeat(2_000)}`)),
    );
    const refused = answers.filter((answer) => answer.status !== 200);
    for (const answer of refused) checkUnavailable(answer, { passing: false });
    if (refused.length > 0) return;
  }
}

export async function readinessOf({ send }: Troubled): Promise<[status: number, storage: string]> {
  const { status, body } = await send('GET', '/ready', { auth: `Bearer ${TOKEN}` });
  return [status, body.parts.storage];
}

export async function untilReadiness(server: Troubled, readiness: [status: number, storage: string]): Promise<void> {
  const isSo = async () => isDeepStrictEqual(await readinessOf(server), readiness);
  await until(`/ready says ${readiness}`, isSo, { every: 50 });
}

export async function checkNothingLost({ everything, acknowledged }: Troubled): Promise<void> {
  assert.deepEqual(
    [...(await everything())].sort(),
    [...acknowledged].sort(),
    'the acknowledged messages, and no others',
  );
}

type Driver = (typeof sqliteDrivers)[number];

/** Fills the disk so many times. */
export function testFullDisk({ name: driver, skip }: Driver, times: number): void {
  const options = { skip: withoutMount ?? skip };
  it(`answers 503 to writes, continues reads, and recovers when there is room (${driver})`, options, async (t) => {
    const disk = smallDisk(t, 4);
    const server = await troubled(t, sqlite(join(disk.path, 'chat.db'), { driver }));
    const { queue_id } = (await server.send('POST', '/api/v1/register', { form: { event_types: '["message"]' } })).body;
    await server.say('before');
    for (let time = 0; time < times; time++) {
      disk.fill();
      await untilReadiness(server, [503, 'full']);
      await sendUntilRefused(server);
      server.checkUnavailable(await server.say(`alone ${'x'.repeat(2_000)}`), { passing: false });
      server.checkUnavailable(await server.send('POST', '/api/v1/register'), { passing: false });
      assert.equal((await server.send('GET', '/api/v1/users/me')).status, 200, 'reads continue');
      await checkNothingLost(server);
      assert.deepEqual(await readinessOf(server), [503, 'full']);
      assert.deepEqual(
        readdirSync(disk.path).filter((name) => name.includes('trial')),
        [],
      );
      disk.makeRoom();
      await untilReadiness(server, [200, 'ok']);
      assert.equal((await server.say(`room again ${time}`)).status, 200);
      await checkNothingLost(server);
    }
    const { events } = (
      await server.send('GET', `/api/v1/events?queue_id=${queue_id}&last_event_id=-1&dont_block=true`)
    ).body;
    assert.deepEqual(
      events.map((event: { message: { id: number } }) => event.message.id),
      [...server.acknowledged.keys()].sort((a, b) => a - b),
      'each acknowledged message has its event, once',
    );
  });
}

/** Lets writes fail so many times. */
export function testRefusedWrites({ name: driver, skip }: Driver, times: number): void {
  it(`answers 503 while writes fail, and loses no message (${driver})`, { skip: withoutLimit ?? skip }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'parlance-failing-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const db = join(folder, 'chat.db');
    const server = await troubled(t, sqlite(db, { driver }));
    t.after(() => void limitFiles(process.pid, 'unlimited'));
    await server.say('before');
    for (let time = 0; time < times; time++) {
      // No file may grow.
      limitFiles(process.pid, Math.max(4096, statSync(`${db}-wal`).size));
      await sendUntilRefused(server);
      assert.equal((await server.send('GET', '/api/v1/users/me')).status, 200, 'reads continue');
      await checkNothingLost(server);
      limitFiles(process.pid, 'unlimited');
      assert.equal((await server.say(`well again ${time}`)).status, 200);
      await checkNothingLost(server);
    }
  });
}
