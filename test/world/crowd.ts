import { newAccount } from '../../lib/domains/users/account-creation.ts';
import type { World } from './world.ts';

/** A world with many more users, channels and messages than the fixture. */
export interface Crowd {
  world: World;
  users: number[];
  /** A channel called "crowded" with all users and half of the messages. */
  crowded: number;
  /** Messages of Hamlet's, edited. Some were moved. */
  messages: number[];
  /** A message of Hamlet's from before the others. */
  queue_id: string;
}

export async function populate(world: World, size: number): Promise<Crowd> {
  const numbers = Array.from({ length: size }, (_, at) => at);
  const now = world.clock.now();
  const hamlet = world.as('hamlet');
  const owner = world.as('owner');
  const { queue_id } = await hamlet.register({ fetch_event_types: [] });
  const users = await world.storage.write(async (tx) => {
    const made = [];
    for (const at of numbers) {
      const email = `extra${at}@example.com`;
      made.push(
        (
          await tx.users.create(
            newAccount({ email, is_email_verified: true, full_name: `Extra ${at}`, role: 400, now }),
          )
        ).id,
      );
    }
    return made;
  });
  for (const at of numbers) await owner.channels.create({ name: `Extra ${at}`, subscribers: [world.users.hamlet] });
  const { id: crowded } = await owner.channels.create({
    name: 'crowded',
    subscribers: [world.users.hamlet, world.users.cordelia, ...users],
  });
  const say = async (to: string) => (await hamlet.messages.send({ type: 'channel', to, topic: 'x', content: 'y' })).id;
  const messages = [];
  for (const at of numbers) messages.push(await say(at % 2 === 0 ? 'crowded' : 'Denmark'));
  const { edit } = hamlet.messages;
  for (const message_id of messages) await edit({ message_id, content: 'edited' });
  for (const message_id of messages.slice(0, 2)) await edit({ message_id, topic: 'z', propagate_mode: 'change_all' });
  // The topic they were in has many messages again.
  for (const at of numbers) messages.push(await say(at % 2 === 0 ? 'crowded' : 'Denmark'));
  return { world, users, crowded, messages, queue_id: queue_id as string };
}
