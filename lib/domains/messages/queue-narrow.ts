import { BadNarrow } from '../../base/errors.ts';
import type { Organization } from '../../model/organization.ts';
import { fold, foldTopic } from '../../rules/fold.ts';
import { contentSigns, isId, type NarrowTerm, type NarrowTest, readNarrow, testOfState } from '../../rules/narrow.ts';
import { matchesSearch } from '../../rules/search.ts';
import { RESOLVED, searchedTopic } from '../../rules/topics.ts';
import type { EventQueue, PublicFeed } from '../../storage/interface/events.ts';
import type { SharedMessage } from './message-view.ts';

/** Narrows of event queues: tests of single messages as they arrive. */

interface ArrivingMessage {
  message: SharedMessage;
  flags: readonly string[];
  readerId: number;
  organization: Organization;
}

type Test<Name extends NarrowTest['test']> = (
  test: Extract<NarrowTest, { test: Name }>,
  arriving: ArrivingMessage,
) => boolean;

/** Tests that need only the message event. `sql/message-terms.ts` has the same tests as SQL, and all others. */
const TESTS: { readonly [Name in NarrowTest['test']]?: Test<Name> } = {
  channel: ({ channel }, { message }) =>
    message.type === 'stream' &&
    (String(message.stream_id) === String(channel) ||
      fold(String(message.display_recipient)) === fold(String(channel))),
  topic: ({ topic }, { message, organization }) =>
    message.type === 'stream' && foldTopic(message.subject) === foldTopic(searchedTopic(topic, organization)),
  direct: (_, { message }) => message.type === 'private',
  'direct with': ({ people }, arriving) => {
    const participants = participantsOf(arriving.message);
    const meant = new Set(people.map((person) => participants.find((user) => isMeant(person, user, arriving))?.id));
    meant.add(arriving.readerId);
    return !meant.has(undefined) && participants.length === meant.size;
  },
  'direct including': ({ person, group }, arriving) => {
    const participants = participantsOf(arriving.message);
    return participants.some((user) => isMeant(person, user, arriving)) && (!group || participants.length > 2);
  },
  sender: ({ person }, arriving) => {
    const { sender_id: id, sender_email: email } = arriving.message;
    return isMeant(person, { id, email }, arriving);
  },
  flagged: ({ flags }, arriving) => flags.some((flag) => arriving.flags.includes(flag)),
  unread: (_, { flags }) => !flags.includes('read'),
  resolved: (_, { message }) => message.type === 'stream' && message.subject.startsWith(RESOLVED),
  has: ({ feature }, { message, organization }) =>
    feature === 'reaction'
      ? message.reactions.length > 0
      : contentSigns(feature, organization).some((sign) => message.rendered_content.includes(sign)),
  id: ({ id }, { message }) => message.id === id,
  words: ({ search }, { message }) => matchesSearch(search, message.content, message.subject),
};

/** A state that a message event does not show, such as `is:followed`, matches every message, also if it is unknown. */
const isOpenState = ([operator, operand]: EventQueue['narrow'][number]) => {
  const test = testOfState(operand.toLowerCase());
  return operator === 'is' && (test === undefined || !TESTS[test]);
};

export function readQueueNarrow(narrow: EventQueue['narrow']): NarrowTerm[] {
  return narrow.flatMap((term) => {
    if (isOpenState(term)) return [];
    const read = readNarrow([term]);
    if (read.some(({ test }) => !TESTS[test]))
      throw new BadNarrow(`an event queue does not support ${term[0]}:${term[1]}`);
    return read;
  });
}

/** Terms by narrow. All waiting polls with a narrow test every message. */
const storedTerms = new WeakMap<EventQueue['narrow'], readonly NarrowTerm[] | 'unsupported'>();

/** Only an earlier version may have supported the narrow of a stored queue. */
function termsOfQueue(narrow: EventQueue['narrow']): readonly NarrowTerm[] | 'unsupported' {
  const known = storedTerms.get(narrow);
  if (known) return known;
  let terms: readonly NarrowTerm[] | 'unsupported' = 'unsupported';
  try {
    terms = readQueueNarrow(narrow);
  } catch (error) {
    if (!(error instanceof BadNarrow)) throw error;
  }
  storedTerms.set(narrow, terms);
  return terms;
}

/** Terms about the reader's own messages, also `direct with` and the like. */
const isOwn = ({ test }: NarrowTerm) => /^(?:direct|flagged|unread)/.test(test);

/**
 * Where a queue with a narrow receives messages without a subscription: in the public channel that it names. In all
 * public channels, if another term selects messages that are not only the reader's own.
 */
export function feedOfNarrow(narrow: EventQueue['narrow']): PublicFeed {
  if (narrow.length === 0) return 'none';
  const terms = termsOfQueue(narrow);
  const wanted = terms === 'unsupported' ? [] : terms.filter(({ negated }) => !negated);
  if (wanted.length === 0 || wanted.some(isOwn)) return 'none';
  const inChannel = wanted.find((term) => term.test === 'channel');
  return inChannel?.test === 'channel' && isId(String(inChannel.channel)) ? Number(inChannel.channel) : 'all';
}

/** If the narrow of a stored queue is no longer supported, the queue gets no messages. */
export function matchesNarrow(narrow: EventQueue['narrow'], arriving: ArrivingMessage): boolean {
  const terms = termsOfQueue(narrow);
  if (terms === 'unsupported') return false;
  return terms.every((term) => {
    const test = TESTS[term.test] as Test<NarrowTest['test']> | undefined;
    return test !== undefined && test(term, arriving) !== term.negated;
  });
}

function participantsOf({ display_recipient }: SharedMessage): readonly { id: number; email: string }[] {
  return Array.isArray(display_recipient) ? display_recipient : [];
}

function isMeant(person: string | number, user: { id: number; email: string }, { readerId }: ArrivingMessage): boolean {
  if (typeof person === 'number') return user.id === person;
  return person === 'me' ? user.id === readerId : user.email.toLowerCase() === person.toLowerCase();
}
