import type { Storage } from '../../lib/index.ts';
import { stored } from '../domains/tables.ts';

/** All stored data that an operation can change, as one comparable value, without event queues. */
export function stateDigest(storage: Storage): Promise<unknown> {
  return storage.read(async (tx) => {
    const users = await tx.users.changedSince(0);
    const channels = await tx.channels.all();
    const maxId = await tx.messages.maxId();
    const messages = await tx.messages.byIds(Array.from({ length: maxId }, (_, at) => at + 1));
    const userIds = users.map((user) => user.id);
    const readers = users.filter((user) => !user.is_system_bot).slice(0, 12);
    const flags = [];
    const ids = messages.map((one) => one.id);
    for (const reader of readers) {
      const own = await tx.readState.flagsOf(reader.id, ids);
      // A database returns rows in any order.
      flags.push(ids.map((id) => [id, [...(own.get(id) ?? [])].sort()]));
    }
    const ofFeatures = [];
    for (const read of stored) ofFeatures.push(await read(tx));
    return {
      ofFeatures,
      organization: await tx.organization.get(),
      users,
      groups: await tx.groups.all(),
      channels,
      folders: await tx.channels.folders(),
      subscriptions: await tx.subscriptions.pairs(
        userIds,
        channels.map((channel) => channel.id),
      ),
      messages,
      flags,
      reactions: (await tx.reactions.of(ids)).map((one) => JSON.stringify(one)).sort(),
      submessages: await tx.submessages.of(ids),
      eventTail: await tx.events.tail(),
      outboxDue: await tx.outbox.nextDue('mail'),
    };
  });
}
