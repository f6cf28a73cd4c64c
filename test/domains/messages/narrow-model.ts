import fc from 'fast-check';
import { CHANNELS, type ChannelName, type UserName } from '../../world/fixture.ts';
import type { World } from '../../world/world.ts';

/** Random messages and changes before the narrows, and a plain definition of narrows. */

export const READERS = ['hamlet', 'cordelia', 'guest', 'newcomer'] as const;
export type Reader = (typeof READERS)[number];

interface Content {
  text: string;
  has: readonly ('link' | 'image' | 'attachment')[];
}
const CONTENTS: readonly Content[] = [
  { text: 'The cat sat', has: [] },
  { text: 'a CAT and a dog', has: [] },
  { text: 'Straße nach ÄRGER', has: [] },
  { text: 'the ΟΔΟΣ is long', has: [] },
  { text: '100% sure_ly <b>', has: [] },
  { text: 'see https://example.com/dog', has: ['link'] },
  { text: 'https://example.com/cat.png', has: ['link', 'image'] },
  { text: '[notes](/user_uploads/2/ab/notes.txt)', has: ['link', 'attachment'] },
  { text: 'dear @**Cordelia**', has: [] },
  { text: 'dear @**Hamlet** and @**all**', has: [] },
];
const TOPICS = ['cats', 'Dogs', '✔ cats', 'Grüße', 'ΟΔΟΣ', ''];
const WRITERS: readonly [UserName, ChannelName][] = [
  ['hamlet', 'public'],
  ['cordelia', 'public'],
  ['hamlet', 'webPublic'],
  ['guest', 'webPublic'],
  ['moderator', 'shared'],
  ['moderator', 'shared'],
  ['cordelia', 'protected'],
  ['cordelia', 'protected'],
];
const COMPANIES: readonly UserName[][] = [
  ['hamlet', 'cordelia'],
  ['hamlet', 'cordelia', 'guest'],
  ['hamlet', 'newcomer'],
  ['cordelia', 'cordelia'],
  ['guest', 'cordelia'],
];
/** Changes of subscriptions. */
const MOVES: readonly { by: UserName; who: UserName; channel: ChannelName }[] = [
  { by: 'cordelia', who: 'guest', channel: 'protected' },
  { by: 'cordelia', who: 'hamlet', channel: 'protected' },
  { by: 'moderator', who: 'hamlet', channel: 'shared' },
  { by: 'newcomer', who: 'newcomer', channel: 'public' },
  { by: 'hamlet', who: 'hamlet', channel: 'public' },
  { by: 'hamlet', who: 'guest', channel: 'webPublic' },
];

export type Step =
  | { do: 'say'; writer: number; topic: number; content: number }
  | { do: 'write'; company: number; content: number }
  | { do: 'come' | 'go'; move: number }
  | { do: 'mute'; reader: Reader; channel: ChannelName }
  | { do: 'set'; reader: Reader; channel: ChannelName; topic: number; policy: 0 | 1 | 2 | 3 }
  | { do: 'star' | 'read' | 'react'; reader: Reader; message: number };

const reader = fc.constantFrom(...READERS);
const place = fc.constantFrom<ChannelName>('public', 'webPublic', 'shared', 'protected', 'archived', 'quiet');
const a = <S extends Step['do']>(name: S) => fc.constant(name);
const content = fc.nat(CONTENTS.length - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: a('say'),
      writer: fc.nat(WRITERS.length - 1),
      topic: fc.nat(TOPICS.length - 1),
      content,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: a('write'), company: fc.nat(COMPANIES.length - 1), content }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('come' as const, 'go' as const), move: fc.nat(MOVES.length - 1) }),
  },
  { weight: 1, arbitrary: fc.record({ do: a('mute'), reader, channel: place }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: a('set'),
      reader,
      channel: place,
      topic: fc.nat(TOPICS.length - 1),
      policy: fc.constantFrom(0 as const, 1 as const, 2 as const, 3 as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('star' as const, 'read' as const, 'react' as const),
      reader,
      message: fc.nat(60),
    }),
  },
);
export const steps = fc.array(step, { minLength: 40, maxLength: 60 });

/** Takes a step. Refused steps change nothing. */
export async function take(world: World, one: Step): Promise<void> {
  await takeAllowed(world, one).catch((error: { code?: unknown }) => {
    if (typeof error.code !== 'string') throw error;
  });
}

async function takeAllowed({ as, users, channels }: World, one: Step): Promise<unknown> {
  switch (one.do) {
    case 'say': {
      const [writer, channel] = WRITERS[one.writer] as (typeof WRITERS)[number];
      const { text } = CONTENTS[one.content] as Content;
      const topic = TOPICS[one.topic] as string;
      return as(writer).messages.send({ type: 'channel', to: channels[channel], topic, content: text });
    }
    case 'write': {
      const [writer, ...others] = COMPANIES[one.company] as [UserName, ...UserName[]];
      const { text } = CONTENTS[one.content] as Content;
      return as(writer).messages.send({ type: 'direct', to: others.map((name) => users[name]), content: text });
    }
    case 'come':
    case 'go': {
      const { by, who, channel } = MOVES[one.move] as (typeof MOVES)[number];
      if (one.do === 'go') return as(who).subscriptions.remove({ subscriptions: [CHANNELS[channel]] });
      return as(by).subscriptions.add({
        subscriptions: [{ name: CHANNELS[channel] }],
        principals: [users[who]],
        send_new_subscription_messages: false,
      });
    }
    case 'mute':
      return as(one.reader).subscriptions.updateProperties({
        subscription_data: [{ stream_id: channels[one.channel], property: 'is_muted', value: true }],
      });
    case 'set': {
      const topic = TOPICS[one.topic] as string;
      const stream_id = channels[one.channel];
      return as(one.reader).userTopics.set({ stream_id, topic, visibility_policy: one.policy });
    }
    case 'react':
      return as(one.reader).messages.addReaction({ message_id: one.message, emoji_name: 'tada' });
    default:
      return as(one.reader).messages.updateFlags({
        messages: [one.message],
        op: 'add',
        flag: one.do === 'star' ? 'starred' : 'read',
      });
  }
}

export interface Term {
  operator: string;
  operand: string | number | number[];
  negated?: boolean;
}

const OPERANDS = (world: World): fc.Arbitrary<Term>[] => {
  const { users } = world;
  const term = <T extends Term['operand']>(operator: string, operand: fc.Arbitrary<T>) =>
    fc.record({ operator: fc.constant(operator), operand });
  const user = fc.constantFrom(users.hamlet, users.cordelia, users.guest, users.newcomer, users.moderator);
  const message = fc.integer({ min: 1, max: 70 });
  return [
    term('channel', fc.constantFrom(...Object.values(CHANNELS))),
    term('channels', fc.constantFrom('public', 'web-public', 'archived')),
    term('topic', fc.constantFrom(...TOPICS, 'CATS', 'grüsse', 'οδοσ', 'οδος', 'ghosts')),
    term('dm', fc.array(user, { minLength: 1, maxLength: 2 })),
    term('dm-including', user),
    term('group-pm-with', user),
    term('sender', user),
    term(
      'is',
      fc.constantFrom('dm', 'starred', 'mentioned', 'unread', 'read', 'alerted', 'resolved', 'followed', 'muted'),
    ),
    term('has', fc.constantFrom('link', 'image', 'attachment', 'reaction')),
    term('in', fc.constantFrom('home', 'all')),
    term('id', message),
    term('with', message),
    term('near', message),
    term(
      'search',
      fc.constantFrom(
        ...['cat', 'DOG cat', '"cat sat"', 'ärger', 'οδοσ', 'Οδος', '%', '_', '<b>', 'grüße', 'the', 'the dogs'],
        ...['cats', 'exam', 'com', 'at', 'notes dog', 'long cats', 'cat the'],
      ),
    ),
  ];
};

export const narrows = (world: World): fc.Arbitrary<{ reader: Reader; narrow: Term[] }> => {
  const term = fc
    .tuple(fc.oneof(...OPERANDS(world)), fc.boolean())
    .map(([one, negated]) => (negated ? { ...one, negated } : one));
  return fc.record({ reader, narrow: fc.array(term, { minLength: 0, maxLength: 4 }) });
};

/** Features of a message by its content. */
export function featuresOf(text: string): readonly string[] {
  return CONTENTS.find((one) => one.text === text)?.has ?? [];
}
