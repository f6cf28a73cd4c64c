import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import { queues } from '../../../../lib/domains/events/queues/index.ts';
import { migrations } from '../../../../lib/storage/migrations/index.ts';
import type { Services } from '../../../../lib/viewer/context.ts';
import { createUsers, draft, newQueue, organization } from '../../../contract/fixtures.ts';
import { places } from '../../../storage/migration-places.ts';
import { testOn } from '../../../support/engines.ts';

const MINUTE_MS = 60_000;
const START_MS = 1_000_000;

/** Three events for Ada at `START_MS`, and the time when the log is trimmed next. */
async function opened(t: TestContext, { make }: (typeof places)[number]) {
  const place = await make();
  const storage = place.storage(migrations);
  await storage.open();
  t.after(async () => {
    await storage.close();
    await place.remove();
  });
  const { Ada, seqs } = await storage.write(async (tx) => {
    await tx.organization.create(organization());
    const { Ada } = await createUsers(tx, 'Ada');
    await tx.events.append(
      ['1', '2', '3'].map((note) => draft(note, { users: [Ada.id] })),
      START_MS,
    );
    return { Ada, seqs: (await tx.events.since(0, 10)).map(({ seq }) => seq) };
  });
  const trims = queues.dueWork?.find(({ name }) => name === 'event log') ?? assert.fail();
  return { place, storage, Ada, seqs, nextTrim: () => storage.read((tx) => trims.nextDue(tx, {} as Services)) };
}

for (const place of places) {
  const test = testOn(place);
  describe(`the event log on ${place.name}`, () => {
    test('events are trimmed 15 minutes after the oldest one, unless a queue needs that one', async (t) => {
      const { storage, Ada, seqs, nextTrim } = await opened(t, place);
      const [first = 0, second = 0] = seqs;
      assert.equal(await nextTrim(), START_MS + 15 * MINUTE_MS);
      await storage.write((tx) => tx.queues.create(newQueue('a', Ada.id, { acked_seq: second })));
      assert.equal(await nextTrim(), START_MS + 15 * MINUTE_MS);
      await storage.write((tx) => tx.queues.create(newQueue('b', Ada.id, { acked_seq: first })));
      assert.equal(await nextTrim(), undefined);
    });

    test('trimmed events leave no recipients in the database', async (t) => {
      const { storage, seqs, place: at } = await opened(t, place);
      assert.equal(await storage.write((tx) => tx.events.trim(seqs[2] ?? 0, START_MS + 1, 10)), 2);
      const rows = await at.sql('SELECT seq FROM event_recipients');
      assert.deepEqual(
        rows.map(({ seq }) => Number(seq)),
        seqs.slice(2),
      );
    });
  });
}
