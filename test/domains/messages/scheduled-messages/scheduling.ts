import type { UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';

export const MINUTE = 60;

/** A time in seconds from the clock of the world. */
export const soon = ({ clock }: Pick<World, 'clock'>, seconds = MINUTE) => Math.floor(clock.now() / 1000) + seconds;

type Wanted = Partial<Parameters<ReturnType<World['as']>['scheduledMessages']['create']>[0]>;

/** Schedules a message to the public channel by default, and returns its ID. */
export async function schedule(world: World, user: UserName, wanted: Wanted = {}, seconds = MINUTE): Promise<number> {
  const { scheduled_message_id } = await world.as(user).scheduledMessages.create({
    type: 'channel',
    to: world.channels.public,
    topic: 'ghosts',
    content: 'Boo!',
    scheduled_delivery_timestamp: soon(world, seconds),
    ...wanted,
  } as Parameters<ReturnType<World['as']>['scheduledMessages']['create']>[0]);
  return scheduled_message_id;
}

/** Advances the clock and does due work. */
export async function pass(world: World, seconds = MINUTE): Promise<void> {
  world.clock.advance({ seconds });
  await world.chat.runDue();
}
