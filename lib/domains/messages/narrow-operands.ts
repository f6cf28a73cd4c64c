import { knownChannels } from '../../access/channels.ts';
import { readableMessages } from '../../access/messages.ts';
import { usersByAddress, visibleUserIds } from '../../access/users.ts';
import type { ReadContext } from '../../kernel/context.ts';
import { BadNarrow } from '../../kernel/errors.ts';
import { hasSharedHistory } from '../../rules/channels.ts';
import { isId, type NarrowTerm } from '../../rules/narrow.ts';
import type { Channel } from '../../storage/interface/channels.ts';
import type { PlacedMessage } from '../../storage/interface/messages.ts';
import type { Transaction } from '../../storage/interface/storage.ts';
import type { User } from '../../storage/interface/users.ts';

/** Messages named in terms that the reader can read. */
export async function messagesInTerms(
  context: ReadContext,
  reader: User,
  terms: readonly NarrowTerm[],
): Promise<Map<number, PlacedMessage>> {
  const ids = terms.flatMap((term) => (term.test === 'with' || (term.test === 'id' && !term.negated) ? [term.id] : []));
  const found = ids.length > 0 ? await context.tx.messages.byIds(ids) : [];
  return new Map((await readableMessages(context, reader, found)).map((message) => [message.id, message]));
}

/** Channels named in terms. A string can be a name or an ID. */
export async function channelsNamed({ channels }: Transaction, terms: readonly NarrowTerm[]): Promise<Channel[]> {
  const given = terms.flatMap((term) => (term.test === 'channel' ? [term.channel] : []));
  const ids = given.filter((wanted) => typeof wanted === 'number' || isId(wanted)).map(Number);
  const names = given.filter((wanted) => typeof wanted === 'string');
  const found = await Promise.all([
    ids.length > 0 ? channels.byIds(ids) : [],
    names.length > 0 ? channels.byNames(names) : [],
  ]);
  return found.flat();
}

/** Returns a function that finds the channel of a term, by name first. Unreadable channels count as missing. */
export async function channelsInTerms(
  context: ReadContext,
  reader: User,
  found: readonly Channel[],
): Promise<(given: string | number) => Channel> {
  const known = found.length > 0 ? (await knownChannels(context, reader, found)).known : [];
  const readable = known.filter(({ readable }) => readable).map(({ channel }) => channel);
  return (wanted) => {
    const channel =
      readable.find(({ name }) => typeof wanted === 'string' && name.toLowerCase() === wanted.toLowerCase()) ??
      readable.find(({ id }) => String(id) === String(wanted));
    if (!channel) throw new BadNarrow(`there is no channel ${JSON.stringify(wanted)} that you can read`);
    return channel;
  };
}

/** Returns a function that finds the user of a term, by ID or address. Invisible users count as missing. */
export async function usersInTerms(
  context: ReadContext,
  reader: User,
  terms: readonly NarrowTerm[],
): Promise<(given: string | number) => number> {
  const given = new Set(terms.flatMap(peopleIn));
  given.delete('me');
  const ids = [...given].filter((person) => typeof person === 'number');
  const addresses = [...given].filter((person) => typeof person === 'string');
  const [byAddress, found, visible] = await Promise.all([
    addresses.length > 0 ? usersByAddress(context, reader, addresses) : new Map<string, User>(),
    ids.length > 0 ? context.tx.users.byIds(ids) : [],
    given.size > 0 ? visibleUserIds(context, reader) : undefined,
  ]);
  const byId = new Set(found.map((user) => user.id));
  return (wanted) => {
    if (wanted === 'me') return reader.id;
    const id = typeof wanted === 'number' ? wanted : byAddress.get(wanted)?.id;
    if (id === undefined || (typeof wanted === 'number' && !byId.has(id)) || (visible && !visible.has(id)))
      throw new BadNarrow(`there is no user ${JSON.stringify(wanted)} that you can see`);
    return id;
  };
}

function peopleIn(term: NarrowTerm): readonly (string | number)[] {
  if (term.test === 'direct with') return term.people;
  return term.test === 'sender' || term.test === 'direct including' ? [term.person] : [];
}

/** Channels that the reader was subscribed to and can no longer read. Messages received there are hidden, too. */
export async function lostChannels(context: ReadContext, reader: User): Promise<number[]> {
  const ids = await context.tx.subscriptions.formerOf(reader.id);
  if (ids.length === 0) return [];
  const { known } = await knownChannels(context, reader, await context.tx.channels.byIds(ids));
  const readable = new Set(known.filter(({ readable }) => readable).map(({ channel }) => channel.id));
  return ids.filter((id) => !readable.has(id));
}

/** Channels whose complete history the reader can read because of the kind of channel. */
export async function openChannels(
  context: ReadContext,
  reader: User,
  isWanted: (channel: Channel) => boolean,
): Promise<number[]> {
  const wanted = (await context.tx.channels.all()).filter((channel) => hasSharedHistory(channel) && isWanted(channel));
  const { known } = await knownChannels(context, reader, wanted);
  return known.filter(({ readable }) => readable).map(({ channel }) => channel.id);
}
