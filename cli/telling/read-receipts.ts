import { namesOf } from './reads.ts';
import type { Telling } from './telling.ts';

/** The names of those who have read a message, one a line; nothing where nobody has. */
export const tellReadReceipts: Telling = ({ session }) => {
  return async ({ user_ids }) => {
    const name = await namesOf(session, user_ids as number[]);
    return (user_ids as number[]).map(name).join('\n');
  };
};
