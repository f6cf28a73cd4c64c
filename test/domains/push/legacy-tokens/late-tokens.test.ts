import assert from 'node:assert/strict';
import { PushRelayError } from '../../../../lib/index.ts';
import { operationNamed, transportOf } from '../../../../lib/internal.ts';
import { featureEngines, testOn } from '../../../support/engines.ts';
import { openPushPlace } from '../places.ts';

for (const engine of featureEngines) {
  const test = testOn(engine);

  test(`A2: a token removed while the relay gets it late ends as removed there too (${engine.name})`, async (t) => {
    const { ben, ids, relay, clock, another, storage } = await openPushPlace(t, engine);
    await relay.close();
    await ben.push.addFcmToken({ token: 'phone' });
    await relay.reopen();
    const port = relay.port();
    let reached = () => {};
    let release = () => {};
    const isReached = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = await another({
      pushRelay: {
        ...port,
        async registerToken(token) {
          reached();
          await isReleased;
          return port.registerToken(token);
        },
      },
    });
    const late = slow.runDue();
    await isReached;
    await ben.push.removeFcmToken({ token: 'phone' });
    release();
    await late;
    clock.advance({ minutes: 5 });
    await slow.runDue();
    assert.deepEqual(relay.tokens, []);
    assert.deepEqual(await storage.read((tx) => tx.pushTokens.of(ids.ben)), []);
  });

  test(`A2: a token of a phone that is signed out during the call of the relay is removed there (${engine.name})`, async (t) => {
    const { ben, ids, relay, another, storage } = await openPushPlace(t, engine);
    const port = relay.port();
    const chat = await another({
      pushRelay: {
        ...port,
        async registerToken(token) {
          await port.registerToken(token);
          await ben.users.regenerateApiKey();
        },
      },
    });
    const phone = { userId: ids.ben, keyGeneration: 0, client: 'phone' };
    const add = transportOf(chat).engine.call(operationNamed('push.addFcmToken'), phone, { token: 'phone' });
    await assert.rejects(add, { code: 'UNAUTHORIZED' });
    assert.deepEqual(await storage.read((tx) => tx.pushTokens.of(ids.ben)), []);
    assert.equal(relay.tokens.length, 1);
    await chat.runDue();
    assert.deepEqual(relay.tokens, []);
  });

  test(`A2: a token that the relay refuses later is removed, and the relay gets no further call (${engine.name})`, async (t) => {
    const { ben, ids, relay, clock, another, storage } = await openPushPlace(t, engine);
    await relay.close();
    await ben.push.addFcmToken({ token: 'phone' });
    const calls: string[] = [];
    const refuse = (call: string) => async () => {
      calls.push(call);
      throw new PushRelayError('The token is invalid.', 'refused');
    };
    const chat = await another({
      pushRelay: { ...relay.port(), registerToken: refuse('register'), unregisterToken: refuse('unregister') },
    });
    await chat.runDue();
    assert.deepEqual(await storage.read((tx) => tx.pushTokens.of(ids.ben)), []);
    clock.advance({ minutes: 5 });
    await chat.runDue();
    assert.deepEqual(calls, ['register']);
  });

  test(`A2: a token that the relay does not have can be removed (${engine.name})`, async (t) => {
    const { ben, ids, relay, storage } = await openPushPlace(t, engine);
    await ben.push.addFcmToken({ token: 'phone' });
    await relay.close();
    await relay.reopen([]);
    await ben.push.removeFcmToken({ token: 'phone' });
    assert.deepEqual(await storage.read((tx) => tx.pushTokens.of(ids.ben)), []);
  });
}
