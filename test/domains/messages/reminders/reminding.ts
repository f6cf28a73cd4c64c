import type { UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';
import { soon } from '../scheduled-messages/scheduling.ts';

/** Asks to be reminded of a message in a minute; returns the reminder's id. */
export async function remind(world: World, user: UserName, message_id: number, note?: string): Promise<number> {
  const { reminder_id } = await world.as(user).reminders.create({
    message_id,
    scheduled_delivery_timestamp: soon(world),
    ...(note === undefined ? {} : { note }),
  });
  return reminder_id;
}
