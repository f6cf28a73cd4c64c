import { ChatError, type Session } from '../../lib/index.ts';
import { type Account, insiders, type Population, readersOf } from './population.ts';

/** What users did, and who must receive it. */
export class Deeds {
  /** Messages by ID: the users who must receive each exactly once. */
  readonly sent = new Map<number, readonly number[]>();
  /** Deleted messages need not be received. */
  readonly deleted = new Set<number>();
  /** Expected refusals: the message is deleted, or a permission was removed. */
  refused = 0;
  done = 0;
  readonly failures: string[] = [];
}

type Deed = (session: Session) => Promise<unknown>;

const TOPICS = ['lamp', 'horn', 'boat', 'stores'];
const TEXTS = [
  'The lamp is **lit**.',
  'Oil is low, see `stores/oil.txt`.',
  'Wer kommt am Dienstag nach GRÖNLAND? :boat:',
];
const ROLES = ['members', 'everyone'].map((name) => ({ members: 6, everyone: 7 })[name] as number);
const PERMISSIONS = ['can_move_messages_between_topics_group', 'can_resolve_topics_group'] as const;
/** Old messages are not used: there would be too many to choose from. */
const REMEMBERED = 300;

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

/** Every user acts at random and in quick succession, until the signal. */
export async function act(population: Population, password: string, deeds: Deeds, signal: AbortSignal): Promise<void> {
  const recent: number[] = [];
  const { owner, members, spare } = population;
  const sent = (id: number, readers: readonly number[]) => {
    deeds.sent.set(id, readers);
    recent.push(id);
    if (recent.length > REMEMBERED) recent.shift();
  };
  const sending =
    (to: number, readers: readonly number[], own: number[] = []): Deed =>
    async ({ messages }) => {
      const { id } = await messages.send({ type: 'channel', to, topic: pick(TOPICS), content: pick(TEXTS) });
      sent(id, readers);
      own.push(id);
    };

  const open = readersOf(population, 'open');
  const closed = readersOf(population, 'closed');
  const ofMember = (account: Account, own: number[] = []): readonly (readonly [weight: number, deed: Deed])[] => [
    [30, sending(population.open, open, own)],
    ...(insiders(members).includes(account) ? [[10, sending(population.closed, closed)] as const] : []),
    [
      5,
      ({ messages }) => messages.send({ type: 'channel', to: population.changing, topic: 'x', content: pick(TEXTS) }),
    ],
    [
      8,
      async ({ messages }) => {
        const to = [pick(members).id];
        sent((await messages.send({ type: 'direct', to, content: pick(TEXTS) })).id, [...new Set([account.id, ...to])]);
      },
    ],
    [8, ({ messages }) => messages.addReaction({ message_id: pick(recent), emoji_name: pick(['tada', 'boat']) })],
    [3, ({ messages }) => messages.removeReaction({ message_id: pick(recent), emoji_name: 'tada' })],
    [10, ({ messages }) => messages.updateFlags({ messages: recent.slice(-20), op: 'add', flag: 'read' })],
    [3, ({ messages }) => messages.updateFlags({ messages: [pick(recent)], op: 'remove', flag: 'read' })],
    [
      3,
      ({ messages }) =>
        messages.updateFlags({ messages: [pick(recent)], op: pick(['add', 'remove'] as const), flag: 'starred' }),
    ],
    [3, ({ messages }) => messages.markTopicRead({ stream_id: population.open, topic_name: pick(TOPICS) })],
    [2, ({ messages }) => messages.markAllRead()],
    [5, ({ messages }) => messages.edit({ message_id: pick(own.slice(-20)), content: pick(TEXTS) })],
    [
      2,
      ({ messages }) => messages.edit({ message_id: pick(recent), topic: pick(TOPICS), propagate_mode: 'change_one' }),
    ],
    [
      5,
      ({ messages }) =>
        messages.list({ anchor: 'newest', num_before: 50, num_after: 0, narrow: [['channel', 'open']] }),
    ],
    [
      2,
      ({ messages }) =>
        messages.list({ anchor: 'newest', num_before: 20, num_after: 0, narrow: [['search', 'grönland']] }),
    ],
    [2, ({ subscriptions }) => subscriptions.add({ subscriptions: [{ name: 'changing' }] })],
    [2, ({ subscriptions }) => subscriptions.remove({ subscriptions: ['changing'] })],
    [
      1,
      ({ settings }) => settings.edit({ full_name: `${account.email.split('@')[0]} ${Math.floor(Math.random() * 9)}` }),
    ],
    [
      1,
      async ({ register, events }) => {
        const { queue_id } = await register({ event_types: ['message'] });
        await events.delete({ queue_id });
      },
    ],
  ];
  const ofOwner: readonly (readonly [weight: number, deed: Deed])[] = [
    [10, sending(population.open, open)],
    [6, ({ organization }) => organization.edit({ [pick(PERMISSIONS)]: { new: pick(ROLES) } })],
    [4, ({ channels }) => channels.edit({ stream_id: population.open, description: `About ${pick(TOPICS)}` })],
    [
      4,
      ({ channels }) => channels.edit({ stream_id: population.open, can_resolve_topics_group: { new: pick(ROLES) } }),
    ],
    [
      4,
      ({ messages }) => messages.edit({ message_id: pick(recent), topic: pick(TOPICS), propagate_mode: 'change_all' }),
    ],
    [4, ({ users }) => users.deactivate({ user_id: spare.id })],
    [4, ({ users }) => users.reactivate({ user_id: spare.id })],
    [8, ({ fetchApiKey }) => fetchApiKey({ username: owner.email, password })],
    [
      4,
      ({ subscriptions }) =>
        subscriptions.add({ subscriptions: [{ name: 'changing' }], principals: [pick(members).id] }),
    ],
    [4, ({ subscriptions }) => subscriptions.remove({ subscriptions: ['changing'], principals: [pick(members).id] })],
    [
      3,
      async ({ messages }) => {
        const message_id = pick(recent);
        deeds.deleted.add(message_id);
        await messages.delete({ message_id });
      },
    ],
  ];
  await sending(population.open, open)(owner.sessions[0]);
  await Promise.all([
    ...members.map((account) => actAs(account, ofMember(account), deeds, signal, 150)),
    actAs(owner, ofOwner, deeds, signal, 300),
  ]);
}

async function actAs(
  account: Account,
  deedsOf: readonly (readonly [weight: number, deed: Deed])[],
  deeds: Deeds,
  signal: AbortSignal,
  pause: number,
): Promise<void> {
  const choices = deedsOf.flatMap(([weight, deed]) => Array<Deed>(weight).fill(deed));
  while (!signal.aborted) {
    try {
      await pick(choices)(pick(account.sessions));
      deeds.done++;
    } catch (error) {
      if (error instanceof ChatError && error.status < 500) deeds.refused++;
      else deeds.failures.push(`${account.email}: ${(error as Error).message}`);
    }
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 2 * pause));
  }
}
