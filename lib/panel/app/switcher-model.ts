/** What the quick switcher offers, and in which order. */

import { topicKey } from '../../client/store/places.ts';
import type { Channel, Conversation, Message, Person, Topic, UnreadCounts } from '../../client/store/types.ts';
import { plainLetters } from '../../rules/plain-letters.ts';
import { placesKey } from '../messages/places.ts';
import { narrowOf, type Route } from './routes.ts';

/** Something to go to. */
export interface Target {
  /** The same for the same conversation or channel. */
  readonly key: string;
  readonly kind: 'direct' | 'topic' | 'channel' | 'person';
  readonly label: string;
  /** The channel of a topic, or the address of a person. */
  readonly detail?: string | undefined;
  readonly route: Route;
  readonly unread: number;
}

/** Shown at once. */
export const MAX_TARGETS = 12;

interface Known {
  readonly visited: readonly Route[];
  readonly conversations: readonly Conversation[];
  /** Of all conversations, in ascending order. */
  readonly messages: readonly Message[];
  readonly channels: ReadonlyMap<number, Channel>;
  readonly unread: UnreadCounts;
  /** Topics of the open channel. */
  readonly topics: { readonly channelId: number; readonly list: readonly Topic[] } | undefined;
  readonly people: readonly Person[];
  readonly me: number | undefined;
  /** Undefined while the store does not know them. */
  nameOf(userIds: readonly number[]): string | undefined;
  topicName(topic: string): string;
}

/** All targets, each once: the latest views, then conversations by their newest message, then the others. */
export function targetsOf(known: Known): readonly Target[] {
  const { visited, conversations, messages, channels, unread, topics, people, me } = known;
  const targets = new Map<string, Target>();
  const add = (target: Target | undefined) => {
    if (target && !targets.has(target.key)) targets.set(target.key, target);
  };
  const direct = (userIds: readonly number[]) => {
    const label = known.nameOf(userIds);
    if (label === undefined) return undefined;
    return targetOf('direct', { view: 'direct', userIds }, { label, unread: unread.conversations.get(userIds.join()) });
  };
  const topic = (channelId: number, name: string) => {
    const channel = channels.get(channelId);
    if (!channel || channel.is_archived) return undefined;
    const count = unread.channels.get(channelId)?.topics.get(topicKey(name))?.count;
    return topicTarget(channel, name, known.topicName(name), count);
  };
  const channel = ({ stream_id: channelId, name, is_archived }: Channel) =>
    is_archived
      ? undefined
      : targetOf(
          'channel',
          { view: 'channel', channelId },
          { label: name, unread: unread.channels.get(channelId)?.count },
        );

  for (const route of visited) {
    if (route.view === 'direct') add(direct(route.userIds));
    if (route.view === 'topic') add(topic(route.channelId, route.topic));
    if (route.view === 'channel')
      add(channels.has(route.channelId) ? channel(channels.get(route.channelId) as Channel) : undefined);
  }
  const recent: { at: number; target: Target | undefined }[] = [];
  for (const { userIds, lastMessageId } of conversations) recent.push({ at: lastMessageId, target: direct(userIds) });
  for (const { id, place } of messages)
    if ('topic' in place) recent.push({ at: id, target: topic(place.channelId, place.topic) });
  for (const [channelId, counts] of unread.channels)
    for (const { name, newest, isMuted } of counts.topics.values())
      if (!isMuted) recent.push({ at: newest, target: topic(channelId, name) });
  for (const { target } of recent.sort((a, b) => b.at - a.at)) add(target);
  for (const { name } of topics?.list ?? []) add(topic(topics?.channelId ?? 0, name));
  for (const each of channels.values()) if (each.is_subscribed) add(channel(each));
  for (const person of people) add(personTarget(person, me));
  return [...targets.values()];
}

/** A direct conversation with one user, also before its first message. */
export function personTarget({ user_id, full_name, delivery_email }: Person, me: number | undefined): Target {
  const userIds = user_id === me ? [] : [user_id];
  return targetOf('person', { view: 'direct', userIds }, { label: full_name, detail: delivery_email ?? undefined });
}

/** @param label the name as the panel shows it */
export function topicTarget({ stream_id, name }: Channel, topic: string, label: string, unread?: number): Target {
  return targetOf('topic', { view: 'topic', channelId: stream_id, topic }, { label, detail: name, unread });
}

/** A channel that a search of the server has found. */
export const channelTarget = ({ stream_id, name }: Channel): Target =>
  targetOf('channel', { view: 'channel', channelId: stream_id }, { label: name });

function targetOf(
  kind: Target['kind'],
  route: Route,
  { label, detail, unread = 0 }: { label: string; detail?: string | undefined; unread?: number | undefined },
): Target {
  const narrow = narrowOf(route);
  return { key: narrow ? placesKey(narrow) : '', kind, label, detail, route, unread };
}

const WORDS = /[^\p{L}\p{N}]+/u;

/** A query in plain letters. */
interface Wanted {
  readonly text: string;
  readonly words: readonly string[];
  /** Before and after a `>`. Without one, there is no topic. */
  readonly channel: string;
  readonly topic: string | undefined;
}

/** Names are compared again with each letter. */
const letters = new Map<string, string>();

function lettersOf(text: string): string {
  const known = letters.get(text);
  if (known !== undefined) return known;
  if (letters.size > 20_000) letters.clear();
  const found = plainLetters(text);
  letters.set(text, found);
  return found;
}

/**
 * Those that match, best first: the whole name, the start of the name, the start of its words, a part of it. Among equals,
 * the given order decides. `general > lunch` is the topic of a channel. Without a query, all but `here`.
 */
export function matching(targets: readonly Target[], query: string, here?: string): readonly Target[] {
  const text = plainLetters(query.trim());
  if (text === '') return targets.filter(({ key }) => key !== here).slice(0, MAX_TARGETS);
  const [channel = '', topic] = text.split('>', 2).map((part) => part.trim());
  const wanted = { text, words: wordsOf(text), channel, topic };
  const ranked: Target[][] = [[], [], [], []];
  for (const target of targets) {
    const rank = rankOf(target, wanted);
    if (rank !== undefined) ranked[rank]?.push(target);
  }
  return ranked.flat().slice(0, MAX_TARGETS);
}

function rankOf({ kind, label, detail = '' }: Target, wanted: Wanted): number | undefined {
  const [name, more] = [lettersOf(label), lettersOf(detail)];
  // Most targets end here, without splitting their names into words.
  if (!wanted.words.every((word) => name.includes(word) || more.includes(word))) return undefined;
  const { channel, topic } = wanted;
  if (topic === undefined) return rankOfName(name, wanted.text, `${name} ${more}`);
  if (kind !== 'topic' || !(more.startsWith(channel) || isNamed(more, channel))) return undefined;
  const rank = rankOfName(name, topic, name);
  return rank !== undefined && more !== channel ? Math.max(1, rank) : rank;
}

function rankOfName(name: string, wanted: string, words: string): number | undefined {
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  if (isNamed(words, wanted)) return 2;
  return name.includes(wanted) ? 3 : undefined;
}

/** Whether each word of the query begins a word of the name. */
function isNamed(name: string, wanted: string): boolean {
  const parts = name.split(WORDS);
  const words = wordsOf(wanted);
  return words.length > 0 && words.every((word) => parts.some((part) => part.startsWith(word)));
}

const wordsOf = (text: string) => text.split(WORDS).filter(Boolean);

/** The channel of the query `general > lunch`, whose topics are fetched. */
export function channelIn(query: string, channels: Iterable<Channel>): number | undefined {
  const [name, topic] = query.split('>', 2);
  if (name === undefined || topic === undefined) return undefined;
  const wanted = plainLetters(name.trim());
  let found: number | undefined;
  for (const channel of channels) {
    const given = lettersOf(channel.name);
    if (given === wanted) return channel.stream_id;
    if (found === undefined && wanted !== '' && given.startsWith(wanted)) found = channel.stream_id;
  }
  return found;
}
