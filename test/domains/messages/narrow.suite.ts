import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findingExtent, windowExtent } from '../../../lib/domains/messages/message-window.ts';
import { ChatError } from '../../../lib/index.ts';
import { testOn } from '../../support/engines.ts';
import type { WorldEngine } from '../../world/copies.ts';
import { CHANNELS, type ChannelName } from '../../world/fixture.ts';
import type { World } from '../../world/world.ts';
import { featuresOf, narrows, READERS, type Reader, steps, type Term, take } from './narrow-model.ts';

interface Known {
  id: number;
  channel: ChannelName | undefined;
  channelId: number | undefined;
  topic: string;
  sender: number;
  people: number[];
  text: string;
  flags: readonly string[];
  reactions: number;
}

/** All messages that a user can read, and their muted and followed topics. */
interface View {
  me: number;
  isGuest: boolean;
  messages: Known[];
  muted: ReadonlySet<number>;
  /** Visibility policies by channel and folded topic. */
  policies: ReadonlyMap<string, number>;
  readable: ReadonlySet<string>;
  /** Hidden channels that the user has left: a narrow may name them. */
  left: ReadonlySet<string>;
}

test('a page of one conversation is a short read, unless its terms or size may read much', () => {
  const channel: [string, string] = ['channel', 'Denmark'];
  const topic: (typeof channel)[] = [channel, ['topic', 'ghosts']];
  const starred: typeof topic = [...topic, ['is', 'starred']];
  const ofSender: typeof topic = [...topic, ['sender', 'hamlet@example.com']];
  const page = { anchor: 'newest', num_before: 200, num_after: 0 } as const;
  assert.deepEqual(
    [
      windowExtent({ ...page, narrow: topic }),
      windowExtent({ ...page, narrow: topic, num_after: 1 }),
      windowExtent({ ...page, narrow: topic, anchor: 'first_unread' }),
      windowExtent({ ...page, narrow: starred }),
      windowExtent({ ...page, narrow: ofSender }),
      windowExtent({ ...page, narrow: [channel] }),
    ],
    [undefined, 'large', 'large', 'large', 'scan', 'large'],
  );
  const toMark = [topic, starred, ofSender, [channel]].map((narrow) => findingExtent({ ...page, narrow }));
  assert.deepEqual(toMark, [undefined, undefined, 'scan', 'large'], 'a short one is marked in the same transaction');
});

export function narrowsOn(engine: WorldEngine): void {
  testOn(engine)(
    `a narrow finds the same messages as a filter over all readable messages (${engine.name})`,
    async () => {
      const found = { something: 0, nothing: 0, refused: 0, left: 0 };
      await fc.assert(
        fc.asyncProperty(steps, fc.infiniteStream(fc.nat()), async (history, seeds) => {
          const world = await engine.world();
          try {
            for (const step of history) await take(world, step);
            const views = new Map<Reader, View>();
            for (const reader of READERS) views.set(reader, await viewOf(world, reader));
            const [seed = 0] = seeds;
            for (const { reader, narrow } of fc.sample(narrows(world), { numRuns: 120, seed })) {
              found[await compare(world, reader, views.get(reader) as View, narrow)] += 1;
            }
            assert.deepEqual(world.failures, []);
          } finally {
            await world.close();
          }
        }),
        { numRuns: 3, endOnFailure: true },
      );
      const { left: _, ...always } = found;
      for (const [kind, count] of Object.entries(always)) assert.ok(count > 0, `never found ${kind}`);
    },
  );
}

async function viewOf(world: World, reader: Reader): Promise<View> {
  const { as, users, channels } = world;
  const newest = await world.storage.read((tx) => tx.messages.maxId());
  const { messages } = await as(reader).messages.list({
    message_ids: Array.from({ length: newest }, (_, at) => at + 1),
    apply_markdown: false,
    allow_empty_topic_name: true,
  });
  const names = Object.entries(channels) as [ChannelName, number][];
  // All subscriptions, including those of archived channels, which no list shows.
  const subscriptions = await world.storage.read((tx) => tx.subscriptions.ofUser(users[reader], { inactive: true }));
  const topics = await world.storage.read((tx) => tx.userTopics.ofUser(users[reader]));
  const readable = new Set<string>();
  const left = new Set<string>();
  for (const [name, id] of names) {
    const gets = as(reader).topics.list({ stream_id: id });
    if (
      await gets.then(
        () => true,
        () => false,
      )
    )
      readable.add(CHANNELS[name]);
    else if (subscriptions.some((one) => one.channel_id === id)) left.add(CHANNELS[name]);
  }
  return {
    me: users[reader],
    isGuest: reader === 'guest',
    muted: new Set(subscriptions.filter((one) => one.active && one.is_muted).map((one) => one.channel_id)),
    policies: new Map(topics.map((one) => [`${one.channel_id} ${fold(one.topic)}`, one.visibility_policy])),
    readable,
    left,
    messages: messages.map((one) => ({
      id: one.id,
      channel: names.find(([, id]) => id === one.stream_id)?.[0],
      channelId: one.stream_id,
      topic: one.subject,
      sender: one.sender_id,
      people: typeof one.display_recipient === 'string' ? [] : one.display_recipient.map((user) => user.id),
      text: one.content,
      flags: one.flags ?? [],
      reactions: one.reactions.length,
    })),
  };
}

async function compare(world: World, reader: Reader, view: View, narrow: Term[]) {
  // It finds messages that the user received there, which are not in the view.
  const isOfLeft = ({ operator, operand, negated }: Term) =>
    operator === 'channel' && !negated && view.left.has(String(operand));
  if (narrow.some(isOfLeft)) return 'left';
  const expected = expectedOf(view, narrow);
  const said = JSON.stringify({ reader, narrow });
  const session = world.as(reader).messages;
  const all = await session.list({ anchor: 'oldest', num_after: 1_000, narrow }).then(
    ({ messages }) => messages.map((one) => one.id),
    (error) => (error instanceof ChatError ? error.code : Promise.reject(error)),
  );
  assert.deepEqual(all, expected, said);
  if (!Array.isArray(expected)) return 'refused';
  const { messages: page } = await session.list({ anchor: 'newest', num_before: 2, narrow });
  assert.deepEqual(
    page.map((one) => one.id),
    expected.slice(-2),
    `the newest of ${said}`,
  );
  const middle = expected[Math.floor(expected.length / 2)] ?? 20;
  const around = await session.list({ anchor: middle, num_before: 1, num_after: 1, narrow });
  const near = [...expected.filter((id) => id < middle).slice(-1), ...expected.filter((id) => id === middle)];
  near.push(...expected.filter((id) => id > middle).slice(0, 1));
  assert.deepEqual(
    around.messages.map((one) => one.id),
    near,
    `around ${middle} of ${said}`,
  );
  return expected.length > 0 ? 'something' : 'nothing';
}

function expectedOf(view: View, narrow: readonly Term[]): number[] | string {
  const wants = ({ operator, operand, negated = false }: Term, name: string, word?: string) =>
    operator === name && !negated && (word === undefined || operand === word);
  const inChannels = (term: Term) =>
    ['channel', 'channels', 'topic'].some((name) => wants(term, name)) ||
    ['resolved', 'followed'].some((word) => wants(term, 'is', word)) ||
    (term.operator === 'is' && term.operand === 'dm' && term.negated);
  const among = (term: Term) =>
    ['dm', 'dm-including', 'group-pm-with'].some((name) => wants(term, name)) || wants(term, 'is', 'dm');
  if (narrow.some(inChannels) && narrow.some(among)) return 'BAD_NARROW';
  const along = narrow.filter((term) => wants(term, 'with'));
  if (along.length > 1) return 'BAD_NARROW';
  const beside = along[0] && view.messages.find((one) => one.id === along[0]?.operand);
  let terms = narrow.filter((term) => !wants(term, 'with'));
  if (beside) terms = terms.filter((term) => !['channel', 'topic', 'dm'].includes(term.operator));
  else if (along[0]) {
    const names = (name: string) => terms.some((term) => wants(term, name));
    if (!names('dm') && !(names('channel') && names('topic'))) return 'BAD_NARROW';
  }
  const isKnown = (name: string) => view.readable.has(name) || view.left.has(name);
  if (terms.some((term) => term.operator === 'channel' && !isKnown(String(term.operand)))) return 'BAD_NARROW';
  const isOpen =
    beside ||
    terms.some((term) => wants(term, 'id') || wants(term, 'channel') || wants(term, 'channels', 'web-public')) ||
    (!view.isGuest && terms.some((term) => wants(term, 'channels', 'public')));
  return view.messages
    .filter((message) => isOpen || !message.flags.includes('historical'))
    .filter((message) => !beside || isBeside(message, beside))
    .filter((message) => terms.every((term) => isAside(term) || holds(term, message, view) !== (term.negated ?? false)))
    .map((message) => message.id);
}

/** Terms that match every message, negated or not. */
function isAside({ operator, operand }: Term): boolean {
  return operator === 'near' || (operator === 'in' && operand === 'all');
}

function isBeside(message: Known, other: Known): boolean {
  if (other.channel === undefined) return message.channel === undefined && samePeople(message.people, other.people);
  return message.channel === other.channel && fold(message.topic) === fold(other.topic);
}

function samePeople(some: readonly number[], others: readonly number[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one));
}

const fold = (text: string) => text.toLowerCase();
/** Words and signs. In these contents and searches, only these words have several forms. */
const FORMS = [
  ['sat', 'sats'],
  ['cat', 'cats'],
  ['dog', 'dogs'],
  ['long', 'longs'],
];
const LITTLE = ['the', 'a', 'and', 'is'];
const splitUp = (text: string) => text.match(/[%<]|[\p{L}\p{N}]+/gu) ?? [];

function soughtIn(operand: string): string[] {
  const words = splitUp(operand);
  const telling = words.filter((word) => !LITTLE.includes(word));
  return telling.length > 0 ? telling : words.length > 0 ? words : ['nothing to look for'];
}

function isIn(word: string, text: string): boolean {
  const forms = FORMS.find((some) => some.includes(word)) ?? [word];
  return splitUp(text).some((one) => forms.includes(one) || (word.length > 2 && one.startsWith(word)));
}

const foldMore = (text: string) => [...text].map((letter) => (letter === 'ς' ? 'σ' : letter.toLowerCase())).join('');

function holds({ operator, operand }: Term, message: Known, view: View): boolean {
  const { channel, flags, people } = message;
  switch (operator) {
    case 'channel':
      return channel !== undefined && CHANNELS[channel] === operand;
    case 'channels':
      return channel !== undefined && KINDS[String(operand)]?.includes(channel) === true;
    case 'topic':
      return channel !== undefined && fold(message.topic) === fold(String(operand));
    case 'dm':
      return channel === undefined && samePeople(people, [...new Set([view.me, ...(operand as number[])])]);
    case 'dm-including':
      return channel === undefined && people.includes(Number(operand));
    case 'group-pm-with':
      return people.length > 2 && people.includes(Number(operand));
    case 'sender':
      return message.sender === operand;
    case 'has':
      return operand === 'reaction' ? message.reactions > 0 : hasIn(message.text, String(operand));
    case 'in':
      return !isMuted(message, view);
    case 'id':
      return message.id === operand;
    case 'with': {
      const other = view.messages.find((one) => one.id === operand);
      return other !== undefined && isBeside(message, other);
    }
    case 'search': {
      const texts = [message.text, message.topic].map(foldMore);
      const phrase = /^"(.*)"$/.exec(foldMore(String(operand)))?.[1];
      if (phrase !== undefined && !texts.some((text) => text.includes(phrase))) return false;
      return soughtIn(foldMore(String(operand))).every((word) => texts.some((text) => isIn(word, text)));
    }
    default:
      switch (operand) {
        case 'dm':
          return channel === undefined;
        case 'mentioned':
          return flags.some((flag) => flag.endsWith('mentioned'));
        case 'unread':
          return !flags.includes('read');
        case 'read':
          return flags.includes('read');
        case 'resolved':
          return message.topic.startsWith('✔ ');
        case 'muted':
          return isMuted(message, view);
        case 'followed':
          return policyOf(message, view) === 3;
        case 'starred':
          return flags.includes('starred');
        default:
          return false;
      }
  }
}

const KINDS: Record<string, ChannelName[]> = {
  public: ['public', 'quiet', 'webPublic', 'archived', 'default'],
  'web-public': ['webPublic'],
  archived: ['archived'],
};

function hasIn(text: string, feature: string): boolean {
  return featuresOf(text).includes(feature);
}

function policyOf({ channelId, topic }: Known, { policies }: View): number {
  return policies.get(`${channelId} ${fold(topic)}`) ?? 0;
}

function isMuted(message: Known, view: View): boolean {
  const policy = policyOf(message, view);
  if (policy !== 0) return policy === 1;
  return message.channelId !== undefined && view.muted.has(message.channelId);
}
