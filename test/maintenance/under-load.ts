import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backUp, check, type Keepable, localFiles, openChat, restore, type Storage } from '../../lib/index.ts';
import { seedDemo } from '../../lib/internal.ts';
import { migrations } from '../../lib/storage/migrations/index.ts';
import type { places } from '../storage/migration-places.ts';
import { testOn } from '../support/engines.ts';
import { until } from '../support/until.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

type PlaceOf = (typeof places)[number];

/** Restores on another engine. */
export function testBackupUnderLoad({ name, skip, make }: PlaceOf, other: PlaceOf): void {
  const test = testOn({ skip: skip ?? other.skip });

  test(`a backup during writes restores without damage and with all acknowledged messages, on ${name}`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'parlance-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const place = await make();
    const target = await other.make();
    t.after(() => Promise.all([place.remove(), target.remove()]));
    const files = localFiles(join(folder, 'uploads'));
    const chat = await openChat({ storage: place.storage(migrations), files, logger: quiet });
    t.after(() => chat.close());
    const { accounts } = await seedDemo(chat);
    const people = accounts.slice(1, 5).map(({ user_id }) => chat.as(user_id));
    const acknowledged: number[] = [];
    let isOver = false;
    const work = people.map(async (person, who) => {
      for (let n = 0; !isOver; n++) {
        const { url } =
          n % 9 === 0 ? await person.uploads.send({ file: new File([`${who} ${n}`], 'n.txt') }) : { url: '' };
        const sent = await person.messages.send({
          type: 'stream',
          to: 'Verona',
          topic: `load ${n % 3}`,
          content: `${n} [n](${url})`,
        });
        acknowledged.push(sent.id);
        await person.messages.addReaction({ message_id: sent.id, emoji_name: 'tada' }).catch(() => undefined);
        if (n % 5 === 0) await person.subscriptions.remove({ subscriptions: ['Scotland'] });
        if (n % 5 === 2) await person.subscriptions.add({ subscriptions: [{ name: 'Scotland' }] });
        if (n % 7 === 0) await person.messages.edit({ message_id: sent.id, content: `${n} edited` });
      }
    });
    await until('60 messages are acknowledged', () => acknowledged.length >= 60);

    const before = [...acknowledged];
    const storage = place.storage(migrations) as Storage & Keepable;
    t.after(() => storage.close());
    const path = join(folder, 'busy.backup');
    await backUp(storage, path, { files });
    const { length } = acknowledged;
    assert.ok(length > before.length, 'writes continued during the backup');
    isOver = true;
    await Promise.all(work);

    const into = target.storage(migrations) as Storage & Keepable;
    await restore(path, into, { files: localFiles(join(folder, 'again')), checkReplaceable: () => assert.fail() });
    const restored = await openChat({ storage: into, files: localFiles(join(folder, 'again')), logger: quiet });
    t.after(() => restored.close());
    const { findings } = await check(into, { files: localFiles(join(folder, 'again')) });
    assert.deepEqual(findings, []);
    const owner = restored.as(accounts[0]?.user_id as number);
    const kept = new Set<number>();
    for (let anchor: number | 'newest' = 'newest'; ; ) {
      const { messages, found_oldest } = await owner.messages.list({
        anchor,
        num_before: 1_000,
        num_after: 0,
        narrow: [{ operator: 'channel', operand: 'Verona' }],
      });
      for (const { id } of messages) kept.add(id);
      if (found_oldest) break;
      anchor = messages[0]?.id as number;
    }
    assert.deepEqual(
      before.filter((id) => !kept.has(id)),
      [],
    );
    // IDs follow the order of commits, so none is missing in between.
    const last = Math.max(...kept);
    assert.deepEqual(
      acknowledged.filter((id) => id < last && !kept.has(id)),
      [],
    );
    assert.deepEqual((await check(storage, { files })).findings, []);
  });
}
