import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { localFiles, openChat } from '../../lib/index.ts';
import { seedDemo } from '../../lib/internal.ts';
import { backUp } from '../../lib/maintenance/back-up.ts';
import { restore } from '../../lib/maintenance/restore.ts';
import type { Storage } from '../../lib/storage/interface/storage.ts';
import type { Keepable } from '../../lib/storage/maintenance/tables.ts';
import { migrations } from '../../lib/storage/migrations/index.ts';
import type { MigrationPlace, places } from '../storage/migration-places.ts';
import { testOn } from '../support/engines.ts';

export async function scratch(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export const quiet = { debug() {}, info() {}, warn() {}, error() {} };
export const open = (place: MigrationPlace) => place.storage(migrations) as Storage & Keepable;
export const never = () => assert.fail('nothing is to be replaced');

type PlaceOf = (typeof places)[number];

export function testBackupOfDemo(from: PlaceOf, to: PlaceOf): void {
  const run = testOn({ skip: from.skip ?? to.skip });
  run(`a backup of the demo on ${from.name} is restored on ${to.name} with its file`, async (t) => {
    const folder = await scratch(t);
    const [here, there] = [await from.make(), await to.make()];
    t.after(() => Promise.all([here.remove(), there.remove()]));
    const files = localFiles(join(folder, 'uploads'));
    const storage = open(here);
    const chat = await openChat({ storage, files, logger: quiet });
    const demo = await seedDemo(chat);
    const [owner] = demo.accounts;
    const session = chat.as(owner?.user_id as number);
    const sent = await session.uploads.send({ file: new File(['x'.repeat(3_000_000)], 'a.txt') });
    await session.messages.send({
      type: 'stream',
      to: 'Denmark',
      topic: 'files',
      content: `see [a](${sent.url}) Größe`,
    });
    const before = await session.register();
    const backup = join(folder, 'b.backup');
    const manifest = await backUp(storage, backup, { files });
    await session.messages.send({ type: 'stream', to: 'Denmark', topic: 'files', content: 'later' });
    await chat.close();
    assert.equal(manifest.files.count, 1);
    assert.equal((await stat(backup)).mode & 0o777, 0o600);
    assert.deepEqual((await readdir(folder)).sort(), ['b.backup', 'uploads']);
    await assert.rejects(backUp(storage, backup, { files }), /exists already/);

    const second = localFiles(join(folder, 'second'));
    await restore(backup, open(there), { files: second, checkReplaceable: never });
    const again = open(there);
    const restored = await openChat({ storage: again, files: second, logger: quiet });
    t.after(() => restored.close());
    const later = restored.as(owner?.user_id as number);
    const after = await later.register();
    const shown = ({
      queue_id,
      last_event_id,
      event_queue_longpoll_timeout_seconds,
      server_timestamp,
      ...rest
    }: typeof before) => rest;
    assert.deepEqual(shown(after), shown(before));
    const found = await later.messages.list({
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      narrow: [{ operator: 'search', operand: 'größe' }],
    });
    assert.equal(found.messages.length, 1);
    let size = 0;
    for await (const piece of (await later.download(sent.url)).content) size += piece.length;
    assert.equal(size, 3_000_000);
    const { id } = await later.messages.send({ type: 'stream', to: 'Denmark', topic: 'files', content: 'anew' });
    assert.ok(id > 1_000_000);
    const { user_id } = await later.users.create({
      email: 'new@example.com',
      full_name: 'New',
      password: 'a long password here',
    });
    assert.ok(user_id > 10_000);
  });
}
