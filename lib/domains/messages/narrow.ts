import { BadNarrow } from '../../base/errors.ts';
import type { Channel } from '../../model/channels.ts';
import type { User } from '../../model/users.ts';
import { hasSharedHistory, seesWholeHistory } from '../../rules/channels.ts';
import { fold } from '../../rules/fold.ts';
import { contentSigns, type GivenTerm, isId, type NarrowTerm, readNarrow } from '../../rules/narrow.ts';
import { isGuest, isInRooms, isSystem, roomsOf } from '../../rules/roles.ts';
import { joinSearches, type Search } from '../../rules/search.ts';
import { searchedTopic } from '../../rules/topics.ts';
import type { MessageQuery, MessageTerm, PlacedMessage } from '../../storage/interface/messages.ts';
import type { Transaction } from '../../storage/interface/storage.ts';
import type { AccountContext } from '../../viewer/context.ts';
import { externalIdIn, type KnownChannel } from '../../viewer/viewer.ts';

interface NarrowedFeed {
  /** `undefined` when nothing can match. */
  query: MessageQuery | undefined;
  search: Search | undefined;
  namesChannel: boolean;
  /** The messages are of a channel that the reader has left: its name then. null: unknown. */
  leftName: string | null | undefined;
}

/**
 * Turns a narrow into a query. The number of statements does not depend on the number of terms. The place terms that
 * are not negated determine what the reader may read. All other terms only filter.
 * @param options `mayHaveLeft`: also finds what the reader received in a hidden channel that they have left
 */
export async function queryOf(
  context: AccountContext,
  narrow: readonly GivenTerm[] | null,
  { mayHaveLeft = false } = {},
): Promise<NarrowedFeed> {
  const given = readNarrow(narrow ?? []);
  const messages = await messagesInTerms(context, given);
  const terms = followMoves(given, messages);
  const searches = terms.flatMap((term) => (term.test === 'words' && !term.negated ? [term.search] : []));
  const search = searches.length > 0 ? joinSearches(searches) : undefined;
  const namesChannel = terms.some((term) => term.test === 'channel');
  const [channels, users] = await Promise.all([
    channelsInTerms(context, terms, { mayHaveLeft }),
    usersInTerms(context, terms),
  ]);
  const named = { channels, users, messages, mayHaveLeft };
  const searchTerms = unique(terms.filter((term) => term.test === 'words'));
  const [scope, words] = await Promise.all([
    searchScope(context, terms, named),
    searchTerms.length > 0 ? context.tx.messages.lookUp(searchTerms) : undefined,
  ]);
  const tests = unique(
    terms
      .map((term) => ({ term, stored: storedTerm(context, term, named) }))
      .flatMap(({ term, stored }) => (scope?.implied.includes(term) ? [] : stored)),
  );
  const rest = { ...(tests.length > 0 ? { terms: tests } : {}), ...(words ? { words } : {}) };
  const leftName = scope?.leftName;
  return { search, namesChannel, leftName, query: scope && { viewer: context.actor.id, ...scope.base, ...rest } };
}

/** Every test runs on every message. */
const unique = <T extends MessageTerm>(terms: readonly T[]) => [
  ...new Map(terms.map((term) => [JSON.stringify(term), term])).values(),
];

interface Named {
  channels: (given: string | number) => NamedChannel;
  users: (given: string | number) => number;
  messages: ReadonlyMap<number, PlacedMessage>;
  mayHaveLeft: boolean;
}

/**
 * `with` selects the conversation where its message is now, so it replaces the place terms, which may be outdated. If
 * the reader cannot read the message, the place terms are used.
 */
function followMoves(terms: readonly NarrowTerm[], messages: ReadonlyMap<number, PlacedMessage>): NarrowTerm[] {
  const [along, ...more] = terms.filter((term) => term.test === 'with' && !term.negated);
  if (along?.test !== 'with') return [...terms];
  if (more.length > 0) throw new BadNarrow('"with" can only be used once');
  if (messages.has(along.id)) return terms.filter(({ test }) => !['channel', 'topic', 'direct with'].includes(test));
  const names = (test: NarrowTerm['test']) => terms.some((term) => term.test === test && !term.negated);
  if (!names('direct with') && !(names('channel') && names('topic')))
    throw new BadNarrow('"with" needs the ID of a message that you can read');
  return terms.filter((term) => term !== along);
}

function storedTerm({ actor, organization }: AccountContext, term: NarrowTerm, named: Named): MessageTerm[] {
  const { negated } = term;
  switch (term.test) {
    case 'channel':
      return [{ test: 'channels', ids: [named.channels(term.channel).channel.id], negated }];
    case 'topic':
      return [{ test: 'topic', topic: searchedTopic(term.topic, organization), negated }];
    case 'direct with':
      return [{ test: 'participants', ids: [actor.id, ...term.people.map(named.users)], negated }];
    case 'direct including':
      return [{ test: 'participant', id: named.users(term.person), group: term.group, negated }];
    case 'sender':
      return [{ test: 'sender', id: named.users(term.person), negated }];
    case 'id':
      return [{ test: 'ids', ids: [term.id], negated }];
    case 'has':
      return term.feature === 'reaction'
        ? [{ test: 'has reactions', negated }]
        : [{ test: 'html', signs: contentSigns(term.feature, organization), negated }];
    case 'with': {
      const message = named.messages.get(term.id);
      return message ? [{ test: 'conversations', ids: [message.conversation_id], negated }] : [];
    }
    default:
      return [term];
  }
}

/** @property leftName of a hidden channel that the reader has left: its name then. null: unknown */
type NamedChannel = Pick<KnownChannel, 'channel' | 'readable'> & { leftName?: string | null };

interface SearchScope {
  base: Omit<MessageQuery, 'viewer' | 'terms'>;
  implied: readonly NarrowTerm[];
  leftName?: string | null | undefined;
}

/** Where to search: the narrowest place that a term names. Undefined if nothing there can match. */
async function searchScope(
  context: AccountContext,
  terms: readonly NarrowTerm[],
  named: Named,
): Promise<SearchScope | undefined> {
  const wanted = termFinder(terms);
  const message = wanted('with') ?? wanted('id');
  if (message) return conversationScope(context, message, named);
  const channel = wanted('channel');
  if (channel) return channelScope(context, terms, { channel, named });
  const among = wanted('direct with');
  if (among) return directScope(context, among, named);
  const kind = terms.find((term) => isOfOpenChannels(term, context.actor));
  return kind ? openChannelsScope(context, kind) : wholeScope(context);
}

type TermOf<Test extends NarrowTerm['test']> = Extract<NarrowTerm, { test: Test }>;

const termFinder =
  (terms: readonly NarrowTerm[]) =>
  <Test extends NarrowTerm['test']>(test: Test) =>
    terms.find((term): term is TermOf<Test> => term.test === test && !term.negated);

async function conversationScope(
  { tx, actor }: AccountContext,
  term: TermOf<'with' | 'id'>,
  named: Named,
): Promise<SearchScope | undefined> {
  const found = named.messages.get(term.id);
  if (!found) return undefined;
  const [channel] = found.channel_id === null ? [] : await tx.channels.byIds([found.channel_id]);
  const implied = term.test === 'with' ? [term] : [];
  return { base: { conversations: [found.conversation_id], ...received(actor, channel) }, implied };
}

/** The channel, or its topic if a term names one. */
async function channelScope(
  context: AccountContext,
  terms: readonly NarrowTerm[],
  { channel: term, named }: { channel: TermOf<'channel'>; named: Named },
): Promise<SearchScope | undefined> {
  const { channel, readable, leftName } = named.channels(term.channel);
  if (!readable && !(named.mayHaveLeft && leftName !== undefined)) return undefined;
  // Reactions may be newer than the subscription of the reader, who does not see them.
  if (!readable && terms.some((term) => term.test === 'has' && term.feature === 'reaction')) return undefined;
  const limits = readable ? received(context.actor, channel) : { leftIn: channel.id };
  const topic = termFinder(terms)('topic');
  if (!topic) return { base: { channels: [channel.id], ...limits }, implied: [term], leftName };
  const name = searchedTopic(topic.topic, context.organization);
  const conversation = await context.tx.conversations.topic(channel.id, name);
  return conversation && { base: { conversations: [conversation.id], ...limits }, implied: [term, topic], leftName };
}

async function directScope(
  { tx, actor }: AccountContext,
  term: TermOf<'direct with'>,
  named: Named,
): Promise<SearchScope | undefined> {
  if (roomsOf(actor)) return undefined;
  const conversation = await tx.conversations.direct([actor.id, ...term.people.map(named.users)]);
  return conversation && { base: { conversations: [conversation.id] }, implied: [term] };
}

/** These kinds of channels include messages that the reader has not received. */
const isOfOpenChannels = (term: NarrowTerm, reader: User): term is TermOf<'channel kind'> =>
  term.test === 'channel kind' &&
  !term.negated &&
  (term.kind === 'web-public' || (term.kind === 'public' && !isGuest(reader)));

async function openChannelsScope(context: AccountContext, term: TermOf<'channel kind'>): Promise<SearchScope> {
  const isOfKind = (channel: Channel) => (term.kind === 'public' ? !channel.invite_only : channel.is_web_public);
  const open = (await context.tx.channels.all()).filter((channel) => hasSharedHistory(channel) && isOfKind(channel));
  const channels = await readableChannels(context, open);
  return { base: { channels: channels.map(({ id }) => id) }, implied: [term] };
}

/** Everything that the reader may read. */
async function wholeScope(context: AccountContext): Promise<SearchScope> {
  const { tx, actor } = context;
  const rooms = roomsOf(actor);
  if (rooms) {
    const channels = await readableChannels(context, await tx.channels.byIds([...rooms.channels]));
    const receivedOnlyIn = channels.filter((channel) => !seesWholeHistory(actor, channel)).map(({ id }) => id);
    return { base: { channels: channels.map(({ id }) => id), receivedOnlyIn }, implied: [] };
  }
  if (isSystem(actor)) return { base: { channels: (await tx.channels.all()).map(({ id }) => id) }, implied: [] };
  const hiddenIn = await lostChannels(context);
  return { base: hiddenIn.length > 0 ? { hiddenIn } : {}, implied: [] };
}

/** In a channel with protected history, the reader can only read messages they received. */
function received(reader: User, channel: Channel | undefined): Pick<MessageQuery, 'receivedOnlyIn'> {
  return channel && !seesWholeHistory(reader, channel) ? { receivedOnlyIn: [channel.id] } : {};
}

async function messagesInTerms(context: AccountContext, terms: readonly NarrowTerm[]) {
  const ids = terms.flatMap((term) => (term.test === 'with' || (term.test === 'id' && !term.negated) ? [term.id] : []));
  if (ids.length === 0) return new Map<number, PlacedMessage>();
  const found = await context.tx.messages.byIds(ids);
  return new Map((await context.viewer.readableMessages(found)).map((message) => [message.id, message]));
}

export async function channelsNamed({ channels }: Transaction, terms: readonly NarrowTerm[]): Promise<Channel[]> {
  const given = terms.flatMap((term) => (term.test === 'channel' ? [term.channel] : []));
  const ids = given.filter((wanted) => typeof wanted === 'number' || isId(wanted)).map(Number);
  const names = given.filter((wanted) => typeof wanted === 'string');
  const externalIds = names.map(externalIdIn).filter((id) => id !== undefined);
  const found = await Promise.all([
    ids.length > 0 ? channels.byIds(ids) : [],
    names.length > externalIds.length ? channels.byNames(names) : [],
    externalIds.length > 0 ? channels.byExternalIds(externalIds) : [],
  ]);
  return found.flat();
}

/**
 * A channel that the reader cannot read is empty. A hidden one that they left has its ID, and with `mayHaveLeft` the name
 * that it had then: its name may be new.
 */
async function channelsInTerms(
  context: AccountContext,
  terms: readonly NarrowTerm[],
  { mayHaveLeft }: { mayHaveLeft: boolean },
) {
  const { tx, actor } = context;
  const written = terms.flatMap((term) => (term.test === 'channel' ? [fold(String(term.channel))] : []));
  const named = await channelsNamed(tx, terms);
  // Also for a channel that does not exist, so that time does not tell.
  const present = written.length > 0 ? await context.viewer.knownChannels(named) : undefined;
  const isPresent = (text: string) =>
    present?.known.some(({ channel: { id, name } }) => String(id) === text || fold(name) === text);
  const all = mayHaveLeft && !written.every(isPresent) ? await tx.subscriptions.namesLeft(actor.id) : [];
  const names = new Map(all.map(({ channel_id, name }) => [channel_id, name]));
  const formerly = all.filter(({ name }) => written.includes(fold(name))).map(({ channel_id }) => channel_id);
  const found = [...named, ...(formerly.length > 0 ? await tx.channels.byIds(formerly) : [])];
  const seen = formerly.length > 0 ? await context.viewer.knownChannels(found) : present;
  const known = (seen?.known ?? []).map(
    ({ channel, readable, subscription }): NamedChannel =>
      readable || !subscription ? { channel, readable } : { channel, readable, leftName: channel.name },
  );
  const isKnown = new Set(known.map(({ channel }) => channel.id));
  const left = found
    .filter(({ id }) => seen?.subscriptions.has(id) && !isKnown.has(id) && isInRooms(actor, id))
    .map((channel): NamedChannel => ({ channel, readable: false, leftName: names.get(channel.id) ?? null }));
  return (wanted: string | number): NamedChannel => {
    const externalId = typeof wanted === 'string' ? externalIdIn(wanted) : undefined;
    const isNamed = (name: string | null | undefined) =>
      typeof wanted === 'string' && typeof name === 'string' && fold(name) === fold(wanted);
    const channel =
      known.find(({ channel: { name, external_id } }) =>
        externalId === undefined ? isNamed(name) : external_id === externalId,
      ) ??
      [...known, ...left].find(({ channel }) => String(channel.id) === String(wanted)) ??
      left.find(({ leftName }) => isNamed(leftName));
    if (!channel) throw new BadNarrow(`there is no channel ${JSON.stringify(wanted)} that you can read`);
    return channel;
  };
}

async function usersInTerms(context: AccountContext, terms: readonly NarrowTerm[]) {
  const given = new Set(terms.flatMap(peopleIn));
  given.delete('me');
  const ids = [...given].filter((person) => typeof person === 'number');
  const addresses = [...given].filter((person) => typeof person === 'string');
  const [byAddress, found, visible] = await Promise.all([
    addresses.length > 0 ? context.viewer.usersByAddress(addresses) : new Map<string, User>(),
    ids.length > 0 ? context.tx.users.byIds(ids) : [],
    given.size > 0 ? context.viewer.visibleUserIds() : undefined,
  ]);
  const byId = new Set(found.map((user) => user.id));
  return (wanted: string | number) => {
    if (wanted === 'me') return context.actor.id;
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
async function lostChannels(context: AccountContext): Promise<number[]> {
  const ids = await context.tx.subscriptions.formerOf(context.actor.id);
  if (ids.length === 0) return [];
  const channels = await readableChannels(context, await context.tx.channels.byIds(ids));
  const readable = new Set(channels.map(({ id }) => id));
  return ids.filter((id) => !readable.has(id));
}

async function readableChannels(context: AccountContext, channels: readonly Channel[]): Promise<Channel[]> {
  const { known } = await context.viewer.knownChannels(channels);
  return known.filter(({ readable }) => readable).map(({ channel }) => channel);
}
