import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import { request } from 'undici';
import type { Storage } from '../../lib/index.ts';
import { testOn } from '../support/engines.ts';
import { featureEngines, type WorldEngine } from '../world/copies.ts';
import { twoProcesses } from '../world/processes.ts';
import { serving } from '../world/transports.ts';
import type { World } from '../world/world.ts';
import { basic } from './running.ts';

/** Two processes over one database. The first has served Hamlet and Cordelia by their addresses. */
async function servedByAddress(t: TestContext, engine: WorldEngine) {
  const [here, there] = await twoProcesses(t, engine);
  for (const user of ['hamlet', 'cordelia'] as const) await here.chat.as(here.emails[user]).users.me();
  return { here, there };
}

/** Cordelia takes the address of Hamlet, and Hamlet gets another. No operation does this yet. */
async function passOn({ users, emails }: World, storage: Storage): Promise<void> {
  await storage.write(async (tx) => {
    await tx.users.update(users.hamlet, { delivery_email: 'prince@example.com' });
    await tx.users.update(users.cordelia, { delivery_email: emails.hamlet });
  });
}

for (const engine of featureEngines) {
  const test = testOn(engine);
  describe(`an e-mail address that passes from one account to another, on ${engine.name}`, () => {
    for (const where of ['this process', 'another process']) {
      test(`the address belongs to the new owner at once when ${where} changed it`, async (t) => {
        const { here, there } = await servedByAddress(t, engine);
        const { hamlet, cordelia } = here.users;
        await passOn(here, where === 'this process' ? here.storage : there.storage);
        const who = async (address: string) => (await here.chat.as(address).users.me()).user_id;
        assert.deepEqual([await who(here.emails.hamlet), await who('PRINCE@example.com ')], [cordelia, hamlet]);
        await assert.rejects(who(here.emails.cordelia), { code: 'UNAUTHORIZED' });
        assert.equal(await here.chat.apiKeyOf(here.emails.hamlet), await here.chat.apiKeyOf(cordelia));
      });

      test(`the address is accepted only with the API key of its new owner, over HTTP, when ${where} changed it`, async (t) => {
        const { here, there } = await servedByAddress(t, engine);
        const { hamlet, cordelia } = here.users;
        const keys = { hamlet: await here.chat.apiKeyOf(hamlet), cordelia: await here.chat.apiKeyOf(cordelia) };
        await serving(here, async (site) => {
          const who = async (address: string, key: string) => {
            const headers = { authorization: basic(address, key), connection: 'close' };
            const { statusCode, body } = await request(`${site}/api/v1/users/me`, { headers });
            const { user_id } = (await body.json()) as { user_id?: number };
            return user_id ?? statusCode;
          };
          const { emails } = here;
          assert.equal(await who(emails.hamlet, keys.hamlet), hamlet);
          assert.equal(await who(emails.cordelia, keys.cordelia), cordelia);
          await passOn(here, where === 'this process' ? here.storage : there.storage);
          assert.deepEqual(
            {
              'the old owner with the old address': await who(emails.hamlet, keys.hamlet),
              'the old owner with the new address': await who('prince@example.com', keys.hamlet),
              'the new owner with the address': await who(emails.hamlet, keys.cordelia),
              'the new owner with the previous address': await who(emails.cordelia, keys.cordelia),
              'a session of this process with the address': (await here.chat.as(emails.hamlet).users.me()).user_id,
            },
            {
              'the old owner with the old address': 401,
              'the old owner with the new address': hamlet,
              'the new owner with the address': cordelia,
              'the new owner with the previous address': 401,
              'a session of this process with the address': cordelia,
            },
          );
        });
      });
    }

    test('a registration is refused if its address gets a new owner before the queue is written', async (t) => {
      const { here, there } = await servedByAddress(t, engine);
      const { write } = here.storage;
      let isPassedOn = false;
      // A registration reads the state before it writes its queue.
      here.storage.write = async (...given) => {
        if (!isPassedOn) await passOn(here, there.storage);
        isPassedOn = true;
        return write.apply(here.storage, given) as never;
      };
      await assert.rejects(here.chat.as(here.emails.hamlet).register({ fetch_event_types: [] }), {
        code: 'UNAUTHORIZED',
      });
      assert.equal(isPassedOn, true);
    });
  });
}
