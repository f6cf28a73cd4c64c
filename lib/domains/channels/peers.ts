import { channelAudiences } from '../../access/channel-audience.ts';
import type { Delivery, WriteContext } from '../../kernel/context.ts';
import { GUEST } from '../../rules/roles.ts';
import type { Channel } from '../../storage/interface/channels.ts';
import type { Audience } from '../../storage/interface/event-log.ts';
import { MAX_LISTED_USERS } from './event-batches.ts';
import type { peersSubscribed, peersUnsubscribed } from './subscriptions/events.ts';

/** Users who joined or left a channel, and the audience of the event. */
export interface PeerChange {
  channel: Channel;
  /** Ascending. */
  ids: readonly number[];
  peers: Audience;
}

/** Sends the changes to other users. Channels with the same users and the same audience share an event. */
export function emitPeers(
  { emit }: Pick<WriteContext, 'emit'>,
  changes: readonly PeerChange[],
  event: typeof peersSubscribed | typeof peersUnsubscribed,
  delivery?: Delivery,
): void {
  const told = new Map<string, PeerChange & { stream_ids: number[] }>();
  const tell = ({ peers, ids, stream_ids }: PeerChange & { stream_ids: number[] }) =>
    emit(peers, event({ stream_ids, user_ids: [...ids] }), delivery);
  for (const change of changes) {
    const key = JSON.stringify([change.peers, change.ids]);
    const alike = told.get(key);
    if (alike && alike.stream_ids.length < MAX_LISTED_USERS) alike.stream_ids.push(change.channel.id);
    else {
      if (alike) tell(alike);
      told.set(key, { ...change, stream_ids: [change.channel.id] });
    }
  }
  for (const change of told.values()) tell(change);
}

/** Above this number, guests are not listed in the audience of an event. */
const FEW_GUESTS = 100;
/** Limit for guests times channels. Above it, the lookup takes longer than writing one event per channel. */
const MOST_LOOKED_UP = 100_000;

/**
 * The audience of changes in each channel, equal if the users are the same, so that channels can share an event. The
 * audiences of public channels only differ in their guests, so they list the guests, unless there are too many.
 */
export async function peerAudiences(
  context: WriteContext,
  channels: readonly Channel[],
): Promise<Map<number, Audience>> {
  const { tx } = context;
  const audiences = await channelAudiences(context, channels);
  const open = channels.map(({ id }) => id).filter((id) => audiences.get(id)?.scope === 'members');
  if (open.length < 2) return audiences;
  const guests = await tx.users.activeIds([GUEST]);
  if (guests.length > FEW_GUESTS || guests.length * open.length > MOST_LOOKED_UP) return audiences;
  for (const [id, users] of await tx.subscriptions.subscriberIds(open, guests)) {
    audiences.set(id, { scope: 'members', ...(users.length > 0 ? { users } : {}) });
  }
  return audiences;
}

export const ascending = (ids: readonly number[]) => [...ids].sort((a, b) => a - b);
