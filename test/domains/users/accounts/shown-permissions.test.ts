import assert from 'node:assert/strict';
import { CHANNEL_PERMISSION_NAMES } from '../../../../lib/rules/permission-settings.ts';
import { newChannel } from '../../../contract/fixtures.ts';
import type { World } from '../../../world/world.ts';
import { inWorlds } from '../../messages/in-worlds.ts';

/** Channels that name a user in every permission. Their events need more than one transaction. */
const CHANNELS = 300;
const MOST = 2_500;

async function namedBy({ storage, users }: World): Promise<void> {
  const value = { direct_members: [users.hamlet, users.cordelia], direct_subgroups: [] };
  const settings = Object.fromEntries(CHANNEL_PERMISSION_NAMES.map((name) => [name, value]));
  await storage.write(({ channels }) =>
    channels.create(
      Array.from({ length: CHANNELS }, (_, at) => newChannel(`named ${at}`, { invite_only: at % 2 === 0, settings })),
    ),
  );
}

inWorlds('deactivating a user named in thousands of channel permissions sends the events in parts', async (world) => {
  const { hamlet, cordelia } = world.users;
  await namedBy(world);
  let tail = await world.storage.read((tx) => tx.events.tail());
  /** The new values since the last call, by channel and permission. */
  const told = async () => {
    const values = new Map<string, unknown>();
    const events = await world.storage.read((tx) => tx.events.since(tail, 10_000));
    tail = events.at(-1)?.seq ?? tail;
    for (const { event } of events) {
      if (event.type !== 'stream' || event.op !== 'update') continue;
      const { stream_id, property, value } = event as { stream_id?: number; property?: string; value?: unknown };
      values.set(`${stream_id} ${property}`, value);
    }
    return values;
  };
  const expected = CHANNELS * CHANNEL_PERMISSION_NAMES.length;
  await world.as('owner').users.deactivate({ user_id: hamlet });
  const first = await told();
  assert.ok(first.size > 0 && first.size <= MOST, `${first.size} events at once`);
  await world.chat.runDue();
  const all = new Map([...first, ...(await told())]);
  assert.equal(all.size, expected);
  for (const value of all.values()) assert.deepEqual(value, { direct_members: [cordelia], direct_subgroups: [] });

  // A user who is reactivated before all events are sent is shown in the later ones.
  await world.as('owner').users.deactivate({ user_id: cordelia });
  await world.as('owner').users.reactivate({ user_id: cordelia });
  await world.as('owner').users.reactivate({ user_id: hamlet });
  await world.chat.runDue();
  const back = await told();
  assert.equal(back.size, expected);
  for (const value of back.values()) {
    assert.deepEqual(value, { direct_members: [hamlet, cordelia], direct_subgroups: [] });
  }
});
