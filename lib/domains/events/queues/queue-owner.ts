import type { User } from '../../../model/users.ts';
import { roomsOf } from '../../../rules/roles.ts';
import type { EventQueue } from '../../../storage/interface/events.ts';

/** The rooms to which the caller's token is limited, as a queue stores them. */
export const roomIds = (actor: User): number[] | null => {
  const rooms = roomsOf(actor);
  return rooms ? [...rooms.channels] : null;
};

/** Tokens for the same rooms share queues: a page continues with a new token. Other logins have queues of their own. */
export const ownsQueue = (actor: User, { user_id, rooms }: EventQueue): boolean =>
  user_id === actor.id && rooms?.join() === roomIds(actor)?.join();
