import type { ReadContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import type { User } from '../../../storage/interface/users.ts';

/** Where more people would be told, nobody is: that somebody types is worth less than the work. */
const MAX_TOLD = 100;

/** Throws where somebody has chosen that others do not see them type. */
export function checkSendsTyping({ settings }: User, where: 'channels' | 'direct messages'): void {
  const key = where === 'channels' ? 'send_stream_typing_notifications' : 'send_private_typing_notifications';
  if (settings[key] === false) {
    throw new BadRequest(`You have turned off typing notifications in ${where} (setting ${key}).`);
  }
}

/** Subscribers of a channel who want to see that others type; nobody where they are too many. */
export async function channelReaders({ tx }: ReadContext, channelId: number): Promise<number[]> {
  const subscribers = await tx.subscriptions.subscribersUpTo(channelId, MAX_TOLD);
  return subscribers ? wanting(await tx.users.byIds(subscribers)) : [];
}

/** Of the people of a direct conversation likewise. */
export const directReaders = (people: readonly User[]) => (people.length > MAX_TOLD ? [] : wanting(people));

function wanting(people: readonly User[]): number[] {
  return people
    .filter(({ is_active, settings }) => is_active && settings.receives_typing_notifications !== false)
    .map(({ id }) => id);
}
