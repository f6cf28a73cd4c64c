import { channelAudiences } from '../../access/channel-audience.ts';
import type { Delivery, WriteContext } from '../../kernel/context.ts';
import { GUEST } from '../../rules/roles.ts';
import type { Channel } from '../../storage/interface/channels.ts';
import type { Audience } from '../../storage/interface/event-log.ts';
import type { peersSubscribed, peersUnsubscribed } from './subscriptions/events.ts';
import { MOST_SHOWN } from './told-together.ts';

/** Who came into a channel, or left it, and who else is to be told. */
export interface PeerChange {
  channel: Channel;
  /** Ascending. */
  ids: readonly number[];
  peers: Audience;
}

/** Tells others of changes, by one event where the same people came or left and the same others may know of it. */
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
    if (alike && alike.stream_ids.length < MOST_SHOWN) alike.stream_ids.push(change.channel.id);
    else {
      if (alike) tell(alike);
      told.set(key, { ...change, stream_ids: [change.channel.id] });
    }
  }
  for (const change of told.values()) tell(change);
}

/** More guests than this are not named in the audience of an event. */
const FEW_GUESTS = 100;
/** Guests times channels that are looked up while others wait to write; an event for each channel is sooner written than more. */
const MOST_LOOKED_UP = 100_000;

/**
 * Who may know of changes in channels, by channel, and alike wherever it is the same people. Public channels differ by
 * the guests who are subscribed, so these are named, unless they are many.
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
