import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { EventHub } from '../../lib/delivery/hub.ts';
import { draft, openFounded } from '../contract/fixtures.ts';
import { engines, testOn } from '../support/engines.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

for (const engine of engines) {
  const test = testOn(engine);
  const opened = async (t: TestContext) => {
    const { storage } = await openFounded(t, engine);
    const hub = new EventHub(storage, silent);
    t.after(() => hub.close());
    const append = () => storage.write((tx) => tx.events.append([draft('news', { scope: 'everyone' })], 1));
    const wait = (queueId: string, commitCount: number) =>
      hub.wait({
        queueId,
        userId: 1,
        isGuest: false,
        allPublic: false,
        seq: 0,
        commitCount,
        accepts: () => true,
        milliseconds: 5_000,
      });
    return { storage: storage as typeof storage & { statements: number }, hub, append, wait };
  };

  test(`on ${engine.name} a commit between a look at the log and the waiting for it ends the waiting`, async (t) => {
    const { hub, append, wait } = await opened(t);
    const { commitCount } = hub;
    await append();
    hub.wake();
    // The first account that was seen changed: whoever waits looks again.
    assert.equal(await wait('first', commitCount), 'look again');
  });

  test(`on ${engine.name} a commit noticed only after the waiting began ends it too`, async (t) => {
    const { hub, append, wait } = await opened(t);
    const { commitCount } = hub;
    await append();
    const waiting = wait('first', commitCount);
    hub.wake();
    assert.equal(await waiting, 'look again');
  });

  test(`on ${engine.name} beginning to wait costs no statement while nothing was committed`, async (t) => {
    const { storage, hub, wait } = await opened(t);
    hub.wake();
    const before = storage.statements;
    const waiting = Promise.all([wait('first', hub.commitCount), wait('second', hub.commitCount)]);
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    assert.equal(storage.statements, before);
    hub.close();
    assert.deepEqual(await waiting, ['superseded', 'superseded']);
  });
}
