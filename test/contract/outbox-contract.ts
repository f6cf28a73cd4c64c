import assert from 'node:assert/strict';
import type { OutboxItem } from '../../lib/storage/interface/outbox.ts';
import type { Storage, WriteKind } from '../../lib/storage/interface/storage.ts';
import { type Engine, testOn } from '../support/engines.ts';
import { Gate } from '../support/gate.ts';
import { createUsers, draft, holdUntil, openFounded } from './fixtures.ts';
import { invited, offer } from './invitations-contract.ts';

const ids = (items: readonly OutboxItem[]) => items.map(({ id }) => id);

const fill = (storage: Storage, kind: string, count: number) =>
  storage.write((tx) => tx.outbox.add(Array.from({ length: count }, (_, n) => ({ kind, payload: { n }, due_ms: 1 }))));

export function outboxContract(engine: Engine): void {
  const test = testOn(engine);

  test('due outbox items are claimed by kind, once until their lease ends', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      assert.equal(await tx.outbox.nextDue('email'), undefined);
      await tx.outbox.add([
        { kind: 'email', payload: { to: 'ä@example.org', n: [1, null] }, due_ms: 100 },
        { kind: 'push', payload: {}, due_ms: 50 },
        { kind: 'email', payload: {}, due_ms: 900 },
      ]);
      await tx.outbox.add([]);
      assert.equal(await tx.outbox.nextDue('push'), 50);
      assert.equal(await tx.outbox.nextDue('email'), 100);
      assert.equal(await tx.outbox.nextDue('else'), undefined);
    });
    const claim = (kind: string, now: number, lease: number, limit = 10) =>
      storage.write((tx) => tx.outbox.claimDue(kind, now, lease, limit));
    assert.deepEqual(await claim('push', 49, 500), []);
    const one = await claim('push', 100, 500);
    assert.deepEqual(
      one.map(({ kind, attempts, last_error, given_up_ms }) => [kind, attempts, last_error, given_up_ms]),
      [['push', 1, null, null]],
    );
    const two = await claim('email', 100, 500);
    assert.deepEqual(
      two.map(({ kind, payload }) => [kind, payload]),
      [['email', { to: 'ä@example.org', n: [1, null] }]],
    );
    assert.deepEqual(await claim('email', 499, 600), []);
    assert.deepEqual(
      (await claim('email', 500, 600)).map(({ kind, attempts }) => [kind, attempts]),
      [['email', 2]],
    );
  });

  test('outbox items are claimed earliest first, up to the limit', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write((tx) =>
      tx.outbox.add([30, 10, 20].map((due_ms) => ({ kind: 'x', payload: { due_ms }, due_ms }))),
    );
    const due = async (limit: number) =>
      (await storage.write((tx) => tx.outbox.claimDue('x', 50, 500, limit))).map(({ payload }) => payload.due_ms);
    assert.deepEqual((await due(2)).sort(), [10, 20]);
    assert.deepEqual(await due(2), [30]);
  });

  test('renewing the lease of an outbox item extends it, and does not revive a failed item', async (t) => {
    const { storage } = await openFounded(t, engine);
    await fill(storage, 'x', 2);
    await storage.write(async (tx) => {
      const [one, two] = (await tx.outbox.claimDue('x', 1, 100, 2)) as [OutboxItem, OutboxItem];
      await tx.outbox.failed([{ ...two, error: 'no', due_ms: null }], 1);
      await tx.outbox.renew([one, two], 200);
      await tx.outbox.renew([], 300);
      assert.deepEqual(await tx.outbox.claimDue('x', 199, 300, 2), []);
      assert.deepEqual(ids(await tx.outbox.claimDue('x', 200, 300, 2)), [one.id]);
    });
  });

  test('a worker whose lease ended cannot renew or fail an outbox item that another worker claimed', async (t) => {
    const { storage } = await openFounded(t, engine);
    await fill(storage, 'x', 1);
    await storage.write(async (tx) => {
      const late = await tx.outbox.claimDue('x', 1, 100, 1);
      const [theirs] = await tx.outbox.claimDue('x', 100, 200, 1);
      assert.deepEqual([theirs?.id, theirs?.attempts], [late[0]?.id, 2]);
      await tx.outbox.renew(late, 900);
      const failures = late.map((item) => ({ ...item, error: 'too late', due_ms: 120 }));
      assert.deepEqual(await tx.outbox.failed(failures, 110), []);
      assert.equal(await tx.outbox.nextDue('x'), 200);
      // The work is done, so a worker may report it after its lease.
      assert.equal(await tx.outbox.done(late.map(({ id }) => id)), 1);
    });
  });

  test('an outbox item is advanced by the worker that holds it, and keeps its lease', async (t) => {
    const { storage } = await openFounded(t, engine);
    await fill(storage, 'x', 1);
    const claim = async (now: number, lease: number) =>
      (await storage.write((tx) => tx.outbox.claimDue('x', now, lease, 1)))[0] as OutboxItem;
    const first = await claim(1, 100);
    await storage.write(async (tx) => {
      assert.equal(await tx.outbox.advance(first, { n: 5 }), true);
      assert.equal(await tx.outbox.nextDue('x'), 100);
    });
    const second = await claim(100, 200);
    assert.deepEqual(second.payload, { n: 5 });
    await storage.write(async (tx) => {
      assert.equal(await tx.outbox.advance(first, { n: 6 }), false, 'another worker has claimed it');
      await tx.outbox.failed([{ ...second, error: 'no', due_ms: null }], 150);
      assert.equal(await tx.outbox.advance(second, { n: 7 }), false, 'it has finally failed');
    });
  });

  test('outbox items are removed when done, due again after a failure and kept when given up', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      await tx.outbox.add(['a', 'b', 'c', 'd', 'e'].map((name) => ({ kind: 'x', payload: { name }, due_ms: 10 })));
      const [a, b, c, d, e] = ids(await tx.outbox.claimDue('x', 10, 20, 10)) as [
        number,
        number,
        number,
        number,
        number,
      ];
      await tx.outbox.done([a, e]);
      await tx.outbox.done([]);
      await tx.outbox.failed(
        [
          { id: b, attempts: 1, error: 'try again', due_ms: 1_000 },
          { id: c, attempts: 1, error: 'no such address', due_ms: null },
        ],
        500,
      );
      await tx.outbox.failed([{ id: d, attempts: 1, error: 'refused "twice"', due_ms: null }], 600);
      await tx.outbox.failed([], 700);
      assert.equal(await tx.outbox.nextDue('x'), 1_000);
      assert.deepEqual(
        (await tx.outbox.givenUp(10)).map(({ last_error, payload, given_up_ms }) => [last_error, payload, given_up_ms]),
        [
          ['refused "twice"', { name: 'd' }, 600],
          ['no such address', { name: 'c' }, 500],
        ],
      );
      assert.equal((await tx.outbox.givenUp(1)).length, 1);
      const [again, ...rest] = await tx.outbox.claimDue('x', 5_000, 6_000, 10);
      assert.deepEqual([again?.id, again?.last_error, again?.attempts, rest], [b, 'try again', 2, []]);
    });
  });

  test('given-up outbox items are removed oldest first, up to the limit, and others stay', async (t) => {
    const { storage } = await openFounded(t, engine);
    await fill(storage, 'x', 4);
    await storage.write(async (tx) => {
      assert.equal(await tx.outbox.oldestGivenUp(), undefined);
      const claimed = await tx.outbox.claimDue('x', 1, 100, 3);
      for (const [at, item] of claimed.entries()) {
        await tx.outbox.failed([{ ...item, error: `${at}`, due_ms: null }], 100 * (at + 1));
      }
      assert.equal(await tx.outbox.oldestGivenUp(), 100);
      assert.equal(await tx.outbox.removeGivenUp(99, 10), 0);
      assert.equal(await tx.outbox.removeGivenUp(250, 1), 1);
      assert.equal(await tx.outbox.oldestGivenUp(), 200);
      assert.equal(await tx.outbox.removeGivenUp(250, 10), 1);
      assert.deepEqual(
        (await tx.outbox.givenUp(10)).map(({ last_error }) => last_error),
        ['2'],
      );
      assert.equal((await tx.outbox.claimDue('x', 1, 100, 10)).length, 1, 'items that are due stay');
    });
  });

  test('two storages that claim at the same time never claim the same outbox item', async (t) => {
    const { storage, reopen } = await openFounded(t, engine);
    const storages = [storage, await reopen()];
    await fill(storage, 'x', 60);
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        (storages[at % 2] as Storage).write((tx) => tx.outbox.claimDue('x', 1, 100, 3), 'silent'),
      ),
    );
    for (const items of claims) assert.ok(items.length <= 3);
    const claimed = claims.flatMap(ids);
    assert.equal(new Set(claimed).size, claimed.length);
    const rest = await storage.write((tx) => tx.outbox.claimDue('x', 1, 100, 100));
    assert.equal(claimed.length + rest.length, 60);
  });

  if (engine.name === 'PostgreSQL') besideOthers(engine);

  test('only a commit with due work announces it, and a silent commit announces no changes', async (t) => {
    const { storage, reopen } = await openFounded(t, engine);
    const other = await reopen();
    const heard: { changes: boolean; dueWork: boolean }[] = [];
    // Looks at the log report commits too, some time later.
    storage.onForeignCommit(
      (commit) => heard.push(commit),
      () => false,
    );
    const after = async (work: () => Promise<unknown>, enough: () => boolean) => {
      heard.splice(0);
      await work();
      for (let turn = 0; turn < 500 && !enough(); turn++) await new Promise((resolve) => setTimeout(resolve, 10));
      const told = { changes: heard.some(({ changes }) => changes), dueWork: heard.some(({ dueWork }) => dueWork) };
      return told;
    };
    const anything = () => heard.length > 0;
    const both = { changes: true, dueWork: true };
    const tells = engine.name === 'PostgreSQL';
    // The first notice after the start of listening covers all earlier commits.
    if (tells) await after(async () => undefined, anything);
    const append = () => other.write((tx) => tx.events.append([draft('x', { scope: 'everyone' })], 1), 'mark');
    const add = (kind: WriteKind) => other.write((tx) => tx.outbox.add([{ kind: 'x', payload: {}, due_ms: 1 }]), kind);
    assert.deepEqual(await after(append, anything), tells ? { changes: true, dueWork: false } : both);
    assert.deepEqual(
      await after(
        () => add('mark'),
        () => heard.length > 1 || (!tells && anything()),
      ),
      both,
    );
    assert.deepEqual(await after(() => add('silent'), anything), tells ? { changes: false, dueWork: true } : both);
    const rolledBack = async () => {
      const failing = other.write(async (tx) => {
        await tx.outbox.add([{ kind: 'x', payload: {}, due_ms: 1 }]);
        throw new Error('on second thoughts');
      });
      await assert.rejects(failing);
      await other.write((tx) => tx.outbox.claimDue('x', 1, 100, 1), 'silent');
      return append();
    };
    assert.deepEqual(await after(rolledBack, anything), tells ? { changes: true, dueWork: false } : both);
    const invitation = await other.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      return tx.invitations.create(offer(Ada), [invited('zoe')], null);
    });
    for (const remindMs of [5, null]) {
      const resend = () =>
        other.write(async (tx) => {
          await tx.invitations.resend(invitation[0] as number, remindMs);
          await tx.events.append([draft('x', { scope: 'everyone' })], 1);
        });
      const isTold = () => heard.some(({ dueWork }) => dueWork);
      const told = await after(resend, tells && remindMs === null ? anything : isTold);
      assert.deepEqual(told, tells ? { changes: true, dueWork: remindMs !== null } : both);
    }
  });
}

/** Only on PostgreSQL, where writers run concurrently. */
function besideOthers(engine: Engine): void {
  const test = testOn(engine);
  test('outbox items are claimed and completed while a transaction of a sender is open', async (t) => {
    const { storage, reopen } = await openFounded(t, engine);
    const other = await reopen();
    await fill(storage, 'x', 3);
    let isFinishing = false;
    const begun = new Gate();
    const sending = storage.write(async (tx) => {
      await tx.events.append([draft('news', { scope: 'everyone' })], 1);
      begun.open();
      await holdUntil(tx, () => isFinishing);
    }, 'mark');
    await begun.opened;
    const claimed = ids(await other.write((tx) => tx.outbox.claimDue('x', 1, 100, 2), 'silent'));
    await other.write((tx) => tx.outbox.done(claimed), 'silent');
    isFinishing = true;
    await sending;
    assert.equal((await storage.write((tx) => tx.outbox.claimDue('x', 1, 100, 10))).length, 1);
  });

  test('a claim skips outbox items that another open transaction has claimed', async (t) => {
    const { storage, reopen } = await openFounded(t, engine);
    const other = await reopen();
    await fill(storage, 'x', 5);
    let isFinishing = false;
    const begun = new Gate();
    const first = storage.write(async (tx) => {
      const claimed = ids(await tx.outbox.claimDue('x', 1, 100, 3));
      begun.open();
      await holdUntil(tx, () => isFinishing);
      return claimed;
    }, 'mark');
    await begun.opened;
    const second = ids(await other.write((tx) => tx.outbox.claimDue('x', 1, 100, 5), 'mark'));
    isFinishing = true;
    assert.equal(second.length, 2);
    assert.equal(new Set([...(await first), ...second]).size, 5);
  });
}
