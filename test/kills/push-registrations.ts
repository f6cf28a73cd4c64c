import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newAccount } from '../../lib/domains/users/account-creation.ts';
import { openChat } from '../../lib/index.ts';
import { openRelay, SERVER, type TestRelay } from '../domains/push/relay.ts';
import type { RegistrantOptions } from './registrant.ts';
import { clockAhead, ENGINES, killedProgram, type Place, Victim } from './victims.ts';

/** Maximum lifetime of a process after its first acknowledgement. */
const LIFE_MS = 400;
/** After this time, the leases of a killed process have expired. */
const AFTER_LEASES_MS = 150_000;
/** Phones per process. Each has its own user. */
const PEOPLE = 40;

export function pushRegistrations(kills: number, engines = ENGINES): void {
  describe('processes that register phones with a relay are killed', () => {
    for (const { name, place: makePlace, workers, skip } of engines) {
      const title = `the relay has each acknowledged phone once after kills, with ${workers} processes on ${name}`;
      test(title, { ...(skip ? { skip } : {}), timeout: 60_000 + kills * 20_000 }, async (t) => {
        const place = await makePlace();
        t.after(() => place.remove());
        const relay = await openRelay(t);
        const people = await found(place);
        const asked = new Set<number>();
        const acknowledged = new Set<number>();
        const faults: string[] = [];
        let lives = 0;
        const live = async () => {
          // No user has more phones than the limit.
          const from = (lives++ * PEOPLE) % people.length;
          const options: RegistrantOptions = {
            ...place.options,
            users: people.slice(from, from + PEOPLE),
            relay: { url: relay.url, ...SERVER },
            relayKey: relay.publicKey,
          };
          const registrant = new Victim(await killedProgram('registrant'), options);
          await registrant.acknowledges;
          await sleep(Math.random() * LIFE_MS);
          await registrant.kill();
          for (const line of registrant.lines) {
            if (line.startsWith('+ ')) asked.add(Number(line.slice(2)));
            else if (line.startsWith('= ')) acknowledged.add(Number(line.slice(2)));
            else faults.push(line);
          }
        };
        const worker = async () => {
          do await live();
          while (lives < kills);
        };
        await Promise.all(Array.from({ length: workers }, worker));
        const known = relay.deviceCount;
        const devices = await finish(place, relay, people);
        t.diagnostic(
          `${lives} kills: ${asked.size} asked for, ${acknowledged.size} acknowledged, ${known} known to the relay at the last kill, ` +
            `${relay.deviceCount} in the end of ${devices.length}, told of ${relay.registrations} times`,
        );
        assert.deepEqual(faults, []);
        const ids = new Set(devices.map(({ push_account_id }) => push_account_id));
        assert.deepEqual(
          [...acknowledged].filter((id) => !ids.has(id)),
          [],
          'every acknowledged registration is stored',
        );
        assert.deepEqual(
          [...ids].filter((id) => !asked.has(id)),
          [],
          'every stored registration was requested',
        );
        assert.deepEqual(
          devices.filter(({ relay_device_id }) => relay_device_id === null),
          [],
          'the queue is empty',
        );
        assert.equal(new Set(devices.map(({ relay_device_id }) => relay_device_id)).size, devices.length);
        assert.equal(relay.deviceCount, devices.length, 'no phone is registered twice');
        assert.ok(acknowledged.size >= kills, 'kills left work undone');
      });
    }
  });
}

async function found(place: Place): Promise<number[]> {
  const storage = place.storage();
  const chat = await openChat({ storage });
  await chat.createOrganization({ name: 'Kills', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  const accounts = Array.from({ length: 8 * PEOPLE }, (_, n) =>
    newAccount({ email: `p${n}@example.com`, full_name: `P ${n}`, role: 400, now: Date.now() }),
  );
  const users = await storage.write((tx) => tx.users.createMany(accounts));
  await chat.close();
  return users.map(({ id }) => id);
}

/** Finishes the queue with a later clock and returns what is stored. */
async function finish(place: Place, relay: TestRelay, people: readonly number[]) {
  const storage = place.storage();
  const chat = await openChat({ storage, clock: clockAhead(AFTER_LEASES_MS), pushRelay: relay.port() });
  try {
    await chat.runDue();
    return await storage.read(async (tx) => (await Promise.all(people.map((id) => tx.pushDevices.of(id)))).flat());
  } finally {
    await chat.close();
  }
}
