import type { World } from '../../../world/world.ts';

/** Hamlet has sent "one" to the topic "acts" of the public channel and can still edit it. */
export async function said(world: World): Promise<void> {
  const to = world.channels.public;
  const { id } = await world.as('hamlet').messages.send({ type: 'channel', to, topic: 'acts', content: 'one' });
  world.kept.id = id;
}

/** "one", "two" and "three" are in the topic "acts", the second by Cordelia. */
export async function saidThree(world: World): Promise<void> {
  await said(world);
  world.kept.first = world.kept.id as number;
  const say = async (as: 'hamlet' | 'cordelia', content: string) => {
    const to = world.channels.public;
    return (await world.as(as).messages.send({ type: 'channel', to, topic: 'acts', content })).id;
  };
  world.kept.second = await say('cordelia', 'two');
  world.kept.third = await say('hamlet', 'three');
}

export const editing = (given: object) =>
  ['messages.edit', ({ kept }: World) => ({ message_id: kept.id, ...given })] as const;

/** The notification bot posts nothing. */
export const QUIET = { send_notification_to_new_thread: false };
