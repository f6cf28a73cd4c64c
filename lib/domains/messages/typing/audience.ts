import type { ReadContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import type { User } from '../../../storage/interface/users.ts';

/** Typing events are not sent to more users than this. They are not worth the cost. */
const MAX_TOLD = 100;

/** Throws if the user has turned off sending typing notifications. */
export function checkSendsTyping({ settings }: User, where: 'channels' | 'direct messages'): void {
  const key = where === 'channels' ? 'send_stream_typing_notifications' : 'send_private_typing_notifications';
  if (settings[key] === false) {
    throw new BadRequest(`You have turned off typing notifications in ${where} (setting ${key}).`);
  }
}

/** Subscribers of a channel who receive typing notifications. Empty if the channel has too many subscribers. */
export async function channelReaders({ tx }: ReadContext, channelId: number): Promise<number[]> {
  const subscribers = await tx.subscriptions.subscribersUpTo(channelId, MAX_TOLD);
  return subscribers ? wanting(await tx.users.byIds(subscribers)) : [];
}

/** The same for the participants of a direct conversation. */
export const directReaders = (people: readonly User[]) => (people.length > MAX_TOLD ? [] : wanting(people));

function wanting(people: readonly User[]): number[] {
  return people
    .filter(({ is_active, settings }) => is_active && settings.receives_typing_notifications !== false)
    .map(({ id }) => id);
}
