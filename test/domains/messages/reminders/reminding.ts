import type { UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';
import { soon } from '../scheduled-messages/scheduling.ts';

/** Creates a reminder of a message in a minute and returns its ID. */
export async function remind(world: World, user: UserName, message_id: number, note?: string): Promise<number> {
  const { reminder_id } = await world.as(user).reminders.create({
    message_id,
    scheduled_delivery_timestamp: soon(world),
    ...(note === undefined ? {} : { note }),
  });
  return reminder_id;
}
