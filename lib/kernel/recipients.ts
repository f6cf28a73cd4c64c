import { isAdministrator, isGuest } from '../rules/roles.ts';
import type { Audience, EventDraft } from '../storage/interface/event-log.ts';
import type { User } from '../storage/interface/users.ts';
import type { TransactionContext } from './context.ts';

/** Most users listed per event. */
const MAX_PEOPLE = 20;

/** Recipients of an event. */
export interface Recipients {
  /** `everyone`: all accounts; `members`: all but guests; `public`: clients that asked for all public channels. */
  scope?: 'everyone' | 'members' | 'public';
  /** Channel ID: all subscribers of this channel. */
  channel?: number;
  /** Whether the caller is a recipient. */
  includes_you: boolean;
  /** Total number of active recipients. Only for administrators. */
  count?: number;
  /** The first 20 recipients. Only for administrators. */
  users?: { user_id: number; full_name: string }[];
}

/** Only administrators may see who is subscribed to a private channel, or who has starred a message in it. */
export const isToldOfOthers = ({ actor }: Pick<TransactionContext, 'actor'>) =>
  actor !== undefined && isAdministrator(actor);

/** The recipients of each event. The number of statements does not grow with the number of events. */
export async function recipientsOf(context: TransactionContext, drafts: readonly EventDraft[]): Promise<Recipients[]> {
  const { tx, actor } = context;
  const channels = [...new Set(drafts.map(({ audience }) => audience.channel).filter((id) => id !== undefined))];
  const subscribers =
    channels.length > 0 ? await tx.subscriptions.subscriberIds(channels) : new Map<number, number[]>();
  if (!isToldOfOthers(context)) {
    // The operation may have deactivated the caller.
    const isActive = actor !== undefined && drafts.length > 0 && (await tx.users.byId(actor.id))?.is_active === true;
    return drafts.map(({ audience }) => ({
      ...placesOf(audience),
      includes_you: isActive && includes(audience, actor, subscribers),
    }));
  }
  const everyone = drafts.length > 0 ? (await tx.users.activeIds()).sort((a, b) => a - b) : [];
  const guests = drafts.some(({ audience }) => audience.scope === 'members')
    ? new Set(await tx.users.activeIds([600]))
    : new Set<number>();
  const active = new Set(everyone);
  const known = new Map<string, number[]>();
  const idsOf = (audience: Audience): number[] => {
    const key = JSON.stringify(audience);
    const ids = known.get(key) ?? accountsIn(audience);
    known.set(key, ids);
    return ids;
  };
  const accountsIn = ({ scope, users = [], channel, except = [] }: Audience): number[] => {
    const found = new Set<number>();
    if (scope === 'everyone') for (const id of everyone) found.add(id);
    if (scope === 'members') for (const id of everyone) if (!guests.has(id)) found.add(id);
    for (const id of channel === undefined ? [] : (subscribers.get(channel) ?? [])) found.add(id);
    for (const id of users) if (active.has(id)) found.add(id);
    for (const id of except) found.delete(id);
    return [...found].sort((a, b) => a - b);
  };
  const ids = drafts.map(({ audience }) => idsOf(audience));
  const named = new Set(ids.flatMap((list) => list.slice(0, MAX_PEOPLE)));
  const names = new Map((await tx.users.byIds([...named])).map((user) => [user.id, user.full_name]));
  return drafts.map(({ audience }, at) => {
    const list = ids[at] as number[];
    return {
      ...placesOf(audience),
      includes_you: actor !== undefined && list.includes(actor.id),
      count: list.length,
      users: list.slice(0, MAX_PEOPLE).map((user_id) => ({ user_id, full_name: names.get(user_id) ?? '' })),
    };
  });
}

function placesOf({ scope, channel }: Audience): Pick<Recipients, 'scope' | 'channel'> {
  return { ...(scope === undefined ? {} : { scope }), ...(channel === undefined ? {} : { channel }) };
}

function includes(
  { scope, channel, users = [], except = [] }: Audience,
  user: User,
  subscribers: ReadonlyMap<number, readonly number[]>,
): boolean {
  if (except.includes(user.id)) return false;
  return (
    scope === 'everyone' ||
    (scope === 'members' && !isGuest(user)) ||
    users.includes(user.id) ||
    (channel !== undefined && (subscribers.get(channel)?.includes(user.id) ?? false))
  );
}
