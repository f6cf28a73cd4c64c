import { foldTopic } from '../../rules/fold.ts';
import { RESOLVED } from '../../rules/topics.ts';
import type { MessageTest } from '../interface/messages.ts';
import type { SqlValue } from './connection.ts';
import { participantsKey } from './conversations.ts';
import { FLAG_BITS, READ } from './read-rule.ts';
import { FOLDED_CONTENT } from './word-index.ts';

/** Conditions joined by AND, with their parameters in order. */
export class Conditions {
  readonly texts: string[] = [];
  readonly params: SqlValue[] = [];

  add(text: string, ...params: SqlValue[]): this {
    this.texts.push(text);
    this.params.push(...params);
    return this;
  }

  join(other: Conditions): this {
    if (other.texts.length > 0) this.add(other.text, ...other.params);
    return this;
  }

  /** Always true if there are no conditions. */
  get text(): string {
    return this.texts.length > 0 ? this.texts.join(' AND ') : '1 = 1';
  }
}

/** A condition that is true or false, never unknown, so that its negation holds for everything else. */
export type Condition = [text: string, ...params: SqlValue[]];
/** Searches are asked of the index. */
type SqlTest = Exclude<MessageTest, { test: 'words' }>;
export type SqlTerm = SqlTest & { readonly negated?: boolean };
type Tests<Kind extends SqlTest['test']> = {
  readonly [test in Kind]: (term: Extract<SqlTest, { test: test }>, viewer: number) => Condition;
};

/** Whether the viewer has given the topic `pc` one of these policies. */
const policyIn = (policies: string) => `EXISTS (
  SELECT 1 FROM user_topics ut WHERE ut.user_id = ? AND ut.channel_id = pc.channel_id
    AND ut.topic_key = pc.topic_key AND ut.visibility_policy IN (${policies}))`;

/** Tests that a conversation `pc` passes as a whole. */
const OF_CONVERSATIONS = {
  conversations: ({ ids }) => ['pc.id IN_IDS(?)', JSON.stringify(ids)],
  channels: ({ ids }) => ['(pc.channel_id IS NOT NULL AND pc.channel_id IN_IDS(?))', JSON.stringify(ids)],
  topic: ({ topic }) => ['(pc.topic_key IS NOT NULL AND pc.topic_key = ?)', foldTopic(topic)],
  'channel kind': ({ kind }) => [`EXISTS (SELECT 1 FROM channels kc WHERE kc.id = pc.channel_id AND ${KINDS[kind]})`],
  direct: () => ['pc.channel_id IS NULL'],
  participants: ({ ids }) => ['(pc.direct_key IS NOT NULL AND pc.direct_key = ?)', participantsKey(ids)],
  participant: ({ id, group }) => [
    `(EXISTS (SELECT 1 FROM conversation_participants ip WHERE ip.conversation_id = pc.id AND ip.user_id = ?)
      ${group ? 'AND (SELECT COUNT(*) FROM conversation_participants gp WHERE gp.conversation_id = pc.id) > 2' : ''})`,
    id,
  ],
  resolved: () => [`(pc.channel_id IS NOT NULL AND substr(pc.topic, 1, ${RESOLVED.length}) = ?)`, RESOLVED],
  followed: (_, viewer) => [policyIn('3'), viewer],
  muted: ({ topicsOnly = false }, viewer) =>
    topicsOnly
      ? [policyIn('1'), viewer]
      : [
          `(${policyIn('1')} OR (EXISTS (SELECT 1 FROM subscriptions us WHERE us.user_id = ?
            AND us.channel_id = pc.channel_id AND us.active = 1 AND us.is_muted = 1) AND NOT ${policyIn('2, 3')}))`,
          ...[viewer, viewer, viewer],
        ],
} satisfies Partial<Tests<SqlTest['test']>>;

const KINDS = { public: 'kc.invite_only = 0', 'web-public': 'kc.is_web_public = 1', archived: 'kc.is_archived = 1' };

/** Of a message `m`, in the form in which texts are searched. */
const TOPIC_OF_MESSAGE = `COALESCE(
  (SELECT replace(wc.topic_key, 'ς', 'σ') FROM conversations wc WHERE wc.id = m.conversation_id), '')`;
/** What a message `m` has to have literally. */
export const LITERALLY = `(FIND(${FOLDED_CONTENT}, ?) > 0 OR FIND(${TOPIC_OF_MESSAGE}, ?) > 0)`;

/** Tests of a message `m`. */
const OF_MESSAGES = {
  ids: ({ ids }) => ['m.id IN_IDS(?)', JSON.stringify(ids)],
  sender: ({ id }) => ['m.sender_id = ?', id],
  flagged: (term, viewer) => [
    `EXISTS (SELECT 1 FROM message_flags ff WHERE ff.message_id = m.id AND ff.user_id = ?
      AND (ff.bits & CAST(? AS BIGINT)) <> 0)`,
    viewer,
    flagMask(term),
  ],
  unread: (_, viewer) => [`NOT ${READ}`, viewer, viewer, viewer, viewer, viewer],
  'has reactions': () => ['EXISTS (SELECT 1 FROM reactions rx WHERE rx.message_id = m.id)'],
  html: ({ signs }) => [`(${signs.map(() => 'FIND(m.rendered_content, ?) > 0').join(' OR ')})`, ...signs],
} satisfies Partial<Tests<SqlTest['test']>>;

/** The bits of flags of which a message must carry one. */
export function flagMask({ flags }: Extract<MessageTest, { test: 'flagged' }>): number {
  return flags.reduce((bits, flag) => bits | FLAG_BITS[flag], 0);
}

export function isOfConversations(term: SqlTerm): boolean {
  return Object.hasOwn(OF_CONVERSATIONS, term.test);
}

export function conversationConditions(terms: readonly SqlTerm[], viewer: number): Conditions {
  return conditions(OF_CONVERSATIONS, terms.filter(isOfConversations), viewer);
}

export function messageConditions(terms: readonly SqlTerm[], viewer: number): Conditions {
  const others = terms.filter((term) => !isOfConversations(term));
  return conditions(OF_MESSAGES, others, viewer);
}

function conditions(tests: Partial<Tests<SqlTest['test']>>, terms: readonly SqlTerm[], viewer: number): Conditions {
  const all = new Conditions();
  for (const term of terms) {
    const test = tests[term.test] as (term: SqlTest, viewer: number) => Condition;
    const [text, ...params] = test(term, viewer);
    all.add(term.negated ? `NOT (${text})` : text, ...params);
  }
  return all;
}
