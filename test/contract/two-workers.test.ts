import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Transaction } from '../../lib/storage/interface/storage.ts';
import { testOn } from '../support/engines.ts';
import { auditEntry } from './audit-contract.ts';
import { twoProcesses } from './overlapping.ts';

const SHARED = 'silent';
const ITEM = { kind: 'email', payload: {}, due_ms: 100 };
const CURSOR = 'mirror';

for (const { name, skip, open } of twoProcesses) {
  const test = testOn({ skip });
  describe(`${name} with two concurrent workers`, () => {
    for (const isReversed of [false, true]) {
      const order = isReversed ? 'the other way round' : 'one after the other';

      test(`an outbox item is claimed by one of two workers, ${order}`, async (t) => {
        const { storages, overlapping } = await open(t);
        await storages[0].write((tx) => tx.outbox.add([ITEM, ITEM]));
        const claimed: number[] = [];
        const claim = (limit: number) => async (tx: Transaction) => {
          claimed.push(...(await tx.outbox.claimDue('email', 200, 900, limit)).map(({ id }) => id));
        };
        await overlapping(isReversed, [claim(1), claim(2)], SHARED);
        assert.equal(new Set(claimed).size, claimed.length, 'no item is claimed twice');
        await overlapping(isReversed, [claim(2), claim(2)], SHARED);
        assert.deepEqual(claimed.sort(), [1, 2]);
      });

      test(`an outbox item whose lease ends is either renewed or claimed by another worker, ${order}`, async (t) => {
        const { storages, overlapping } = await open(t);
        await storages[0].write((tx) => tx.outbox.add([ITEM]));
        const [mine] = await storages[0].write((tx) => tx.outbox.claimDue('email', 200, 300, 1));
        assert.ok(mine);
        let theirs = 0;
        const renew = (tx: Transaction) => tx.outbox.renew([mine], 900);
        const claim = async (tx: Transaction) => {
          theirs += (await tx.outbox.claimDue('email', 400, 800, 1)).length;
        };
        await overlapping(isReversed, [renew, claim], SHARED);
        assert.equal(theirs, isReversed ? 1 : 0);
        assert.equal(await storages[0].read((tx) => tx.outbox.nextDue('email')), isReversed ? 800 : 900);
      });

      test(`a page is fetched by one of two workers, ${order}`, async (t) => {
        const { overlapping } = await open(t);
        const claimed: string[] = [];
        const claim = (keys: string[]) => async (tx: Transaction) => {
          claimed.push(...(await tx.linkPreviews.claim(keys, { account_id: 1, now: 100, untilMs: 200 })));
        };
        await overlapping(isReversed, [claim(['a', 'b']), claim(['b', 'a', 'c'])], SHARED);
        assert.deepEqual(claimed.sort(), ['a', 'b', 'c']);
      });

      test(`an event cursor is held by one of two workers, ${order}`, async (t) => {
        const { storages, overlapping } = await open(t);
        await storages[0].write((tx) => tx.eventCursors.ensure(CURSOR, 5));
        const holders: string[] = [];
        const claim = (holder: string) => async (tx: Transaction) => {
          if (await tx.eventCursors.claim(CURSOR, holder, 100, 200)) holders.push(holder);
        };
        await overlapping(isReversed, [claim('one'), claim('two')], SHARED);
        assert.deepEqual(holders, [isReversed ? 'two' : 'one']);
      });

      test(`an event cursor whose lease ends is either renewed or taken over, and never goes back, ${order}`, async (t) => {
        const { storages, overlapping } = await open(t);
        await storages[0].write(async ({ eventCursors }) => {
          await eventCursors.ensure(CURSOR, 5);
          await eventCursors.claim(CURSOR, 'one', 100, 200);
        });
        const outcomes: unknown[] = [];
        const save = async (tx: Transaction) => {
          outcomes.push(await tx.eventCursors.save(CURSOR, 'one', 9, 900));
        };
        const claim = async (tx: Transaction) => {
          outcomes.push(Boolean(await tx.eventCursors.claim(CURSOR, 'two', 300, 800)));
        };
        await overlapping(isReversed, [save, claim], SHARED);
        assert.deepEqual(outcomes, [true, false], 'the first worker holds the cursor');
        const cursor = await storages[0].read((tx) => tx.eventCursors.byName(CURSOR));
        assert.deepEqual([cursor?.holder, cursor?.position], isReversed ? ['two', 5] : ['one', 9]);
      });

      test(`an event cursor keeps the highest position of concurrent saves and advances, ${order}`, async (t) => {
        const { storages, overlapping } = await open(t);
        await storages[0].write(async ({ eventCursors }) => {
          await eventCursors.ensure(CURSOR, 5);
          await eventCursors.claim(CURSOR, 'one', 100, 200);
        });
        const save = (tx: Transaction) => tx.eventCursors.save(CURSOR, 'one', 12, 900);
        const advance = (tx: Transaction) => tx.eventCursors.advance(CURSOR, 10);
        await overlapping(false, [save, advance], SHARED);
        await overlapping(isReversed, [advance, (tx) => tx.eventCursors.advance(CURSOR, 11)], SHARED);
        const cursor = await storages[0].read((tx) => tx.eventCursors.byName(CURSOR));
        assert.deepEqual([cursor?.holder, cursor?.position], [null, 12]);
      });

      test(`an event cursor removed during a save is neither saved nor created again, ${order}`, async (t) => {
        const { storages, overlapping } = await open(t);
        await storages[0].write(async ({ eventCursors }) => {
          await eventCursors.ensure(CURSOR, 5);
          await eventCursors.claim(CURSOR, 'one', 100, 200);
        });
        let isHeld: boolean | undefined;
        const save = async (tx: Transaction) => {
          isHeld = await tx.eventCursors.save(CURSOR, 'one', 9, 900);
        };
        await overlapping(isReversed, [save, (tx) => tx.eventCursors.remove(CURSOR)], SHARED);
        assert.equal(isHeld, !isReversed);
        assert.deepEqual(await storages[0].read((tx) => tx.eventCursors.all()), []);
      });

      test(`an event cursor that two workers create has the position of the first, ${order}`, async (t) => {
        const { storages, overlapping } = await open(t);
        const make = (position: number) => (tx: Transaction) => tx.eventCursors.ensure(CURSOR, position);
        await overlapping(isReversed, [make(5), make(7)], SHARED);
        const cursors = await storages[0].read((tx) => tx.eventCursors.all());
        assert.deepEqual(
          cursors.map(({ position }) => position),
          [isReversed ? 7 : 5],
        );
      });

      test(`an audit entry that commits late is among the newest entries, ${order}`, async (t) => {
        const { storages, overlapping } = await open(t);
        const add = (action: string) => (tx: Transaction) => tx.audit.add([auditEntry({ action })]);
        await overlapping(isReversed, [add('one'), add('two')], SHARED);
        const entries = await storages[0].read((tx) => tx.audit.list({ since: 0, limit: 2 }));
        assert.deepEqual(
          entries.map(({ action }) => action),
          isReversed ? ['two', 'one'] : ['one', 'two'],
        );
      });
    }
  });
}
