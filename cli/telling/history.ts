import { history, type Version } from '../output/history.ts';
import { oneLine } from '../output/sanitize.ts';
import { channelsOf, messageOf, namesOf } from './reads.ts';
import type { Telling } from './telling.ts';

/** Who made which version, with the names of people and channels. */
export const tellHistory: Telling = ({ session, parameters, terminal }) => {
  return async ({ message_history }) => {
    const versions = message_history as Version[];
    const message = await messageOf(session, parameters.message_id);
    const channel = await channelsOf(
      session,
      versions.flatMap(({ stream, prev_stream }) => [
        ...(stream ? [stream] : []),
        ...(prev_stream ? [prev_stream] : []),
      ]),
    );
    const person = await namesOf(
      session,
      versions.flatMap(({ user_id }) => user_id ?? []),
    );
    // Bots of the system stand in no list of accounts, but on their messages.
    const named = (id: number) => (id === message?.sender_id ? oneLine(message.sender_full_name) : person(id));
    return history(versions, { message, person: named, channel }, terminal);
  };
};
