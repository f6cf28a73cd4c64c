import { target } from './places.ts';
import { messageOf } from './reads.ts';
import type { Telling } from './telling.ts';

/** `Sent message 17 to "general > lunch".` The place is read, since the server may have cut the topic. */
export const tellSent: Telling = ({ session }) => {
  return async ({ id }) => {
    const message = await messageOf(session, id);
    return `Sent message ${id}${message === undefined ? '' : ` to ${target(message)}`}.`;
  };
};
