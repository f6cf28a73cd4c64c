import type { DryRun, Session } from '../../lib/index.ts';
import { partsOf } from '../arguments/values.ts';
import { channelName, channelNames, lookupsIn, userName, userNames } from '../lookups.ts';
import { type Call, commands } from '../operations/metadata.ts';
import { channelPlace } from '../output/conversation.ts';
import { madeChannels } from '../output/dry-run.ts';
import { oneLine, tableOf } from '../output/text.ts';

const channels = { parameter: 'subscriptions', label: 'CHANNEL' } as const;

const GROUPS_OPTION = ['--groups <names>', 'also the members that these groups have now'] as const;

type Principals = { principals?: (number | string)[] | undefined };

/** Adds the members of `--groups` to the users. A list from stdin can be empty: it does not mean the caller. */
async function alreadyDone({ session, parameters, options }: Pick<Call<object>, 'session' | 'parameters' | 'options'>) {
  const given = parameters as Principals;
  if (typeof options.groups === 'string') {
    const lookups = lookupsIn(session);
    const members = new Set(given.principals);
    for (const name of partsOf(options.groups)) {
      const { members: more } = await session.userGroups.members({ user_group_id: await lookups.id('group', name) });
      for (const id of more) members.add(id);
    }
    given.principals = [...members];
  }
  return given.principals?.length === 0 ? 'No users given. Nothing was changed.' : undefined;
}

const CREATE_OPTION = [['--create', 'create the channels that do not exist']] as const;

export const subscriptions = commands('subscriptions', 'Channel subscriptions', {
  list: { columns: { subscriptions: ['stream_id', 'name', 'is_muted', 'pin_to_top', 'description'] } },
  get: {
    async done({ session, parameters: { user_id, stream_id }, answer }) {
      const [user, channel] = [await userName(session, user_id), await channelName(session, stream_id)];
      return `${user} is ${answer.is_subscribed ? '' : 'not '}subscribed to "${channel}".`;
    },
  },
  add: {
    args: [channels],
    parsers: { subscriptions: 'new subscriptions' },
    options: [...CREATE_OPTION, GROUPS_OPTION],
    alreadyDone,
    before: ({ session }) => changeSentences(session),
    examples: [
      'subscriptions add general lunch',
      'subscriptions add news --create --users ben@example.com',
      'subscriptions add news --groups support',
    ],
  },
  remove: {
    undo: 'subscriptions add',
    args: [channels],
    parsers: { subscriptions: 'channel names' },
    options: [GROUPS_OPTION],
    alreadyDone,
    async done({ session, parameters: { principals = [] }, answer }) {
      const ids = principals.map(String);
      return leftSentences(answer, ids.map(await subscriberNames(session, ids))).join('\n');
    },
  },
  update: {
    parsers: { add: 'new subscriptions', delete: 'channel names' },
    options: CREATE_OPTION,
    before: ({ session }) => changeSentences(session),
    examples: ['subscriptions update --add lunch --delete general'],
  },
  updateProperties: {
    done: ({ parameters: { subscription_data: data } }) =>
      data.length === 0
        ? 'Nothing was changed.'
        : `Changed your settings: ${data.map(({ property }) => property).join(', ')}.`,
  },
});

type Changes = Awaited<ReturnType<Session['subscriptions']['add']>> & { removed?: string[]; not_removed?: string[] };

/** The response does not say which channels the call created, so the list before the call is needed. */
async function changeSentences(session: Session) {
  const before = new Set((await knownChannels(session)).map(({ stream_id }) => stream_id));
  return async (changes: Changes, dryRun?: DryRun) => {
    const { subscribed, already_subscribed: already, unauthorized = [] } = changes;
    const created = dryRun
      ? [...madeChannels(dryRun.events)].filter(([id]) => !before.has(id)).map(([, name]) => name)
      : await createdAmong(session, before, new Set(Object.values(subscribed).flat()));
    const name = await subscriberNames(session, [...Object.keys(subscribed), ...Object.keys(already)]);
    return [
      ...(created.length > 0 ? [`Created ${quoted(created)}.`] : []),
      ...Object.entries(subscribed).map(([id, channels]) => `Subscribed ${name(id)} to ${quoted(channels)}.`),
      ...Object.entries(already).map(([id, channels]) => `${name(id)} was already subscribed to ${quoted(channels)}.`),
      ...(unauthorized.length > 0 ? [`Not allowed: ${quoted(unauthorized)}.`] : []),
      ...leftSentences(changes),
    ].join('\n');
  };
}

/** @param users other than the caller */
function leftSentences({ removed = [], not_removed = [] }: Partial<Changes>, users: readonly string[] = []): string[] {
  const who = users.map((name) => ` ${name}`).join();
  // The response does not say which of several users.
  const several = removed.length > 0 ? 'Not all were' : 'None of them were';
  const others = users.length > 1 ? several : users.length === 1 ? `${users[0]} was not` : 'Not';
  return [
    ...(removed.length > 0 ? [`Unsubscribed${who} from ${quoted(removed)}.`] : []),
    ...(not_removed.length > 0 ? [`${others} subscribed to ${quoted(not_removed)}.`] : []),
  ];
}

const knownChannels = async (session: Session) =>
  (await session.channels.list({ include_can_access_content: true })).streams;

async function createdAmong(session: Session, before: ReadonlySet<number>, names: ReadonlySet<string>) {
  if (names.size === 0) return [];
  const { user_id } = await session.users.me();
  const channels = await knownChannels(session);
  return channels
    .filter(({ stream_id, name, creator_id }) => !before.has(stream_id) && names.has(name) && creator_id === user_id)
    .map(({ name }) => name);
}

const quoted = (names: readonly string[]) => [...new Set(names)].map((name) => `"${oneLine(name)}"`).join(', ');

/** The keys are IDs. Other servers send e-mail addresses. */
async function subscriberNames(session: Session, keys: readonly string[]): Promise<(key: string) => string> {
  const name = await userNames(session, keys.filter((key) => /^[0-9]+$/.test(key)).map(Number));
  return (key) => (/^[0-9]+$/.test(key) ? name(Number(key)) : oneLine(key));
}

const POLICIES = ['Reset the policy of', 'Muted', 'Unmuted', 'Followed'];
const POLICY_NAMES = ['none', 'muted', 'unmuted', 'followed'];

const changed = async (policy: number, session: Session, { stream_id, topic }: { stream_id?: number; topic: string }) =>
  `${POLICIES[policy]} "${channelPlace(await channelName(session, Number(stream_id)), topic)}".`;

const args = [{ parameter: 'stream_id', label: 'CHANNEL' }, 'topic'] as const;

export const userTopics = commands('userTopics', 'Muted, unmuted and followed topics', {
  set: {
    args,
    done: ({ session, parameters }) => changed(parameters.visibility_policy, session, parameters),
    variants: {
      follow: { summary: 'Follow a topic', defaults: { visibility_policy: 3 } },
      unmute: { summary: 'Unmute a topic in a muted channel', defaults: { visibility_policy: 2 } },
      reset: { summary: 'Remove your setting for a topic', defaults: { visibility_policy: 0 } },
    },
  },
  mute: {
    args,
    defaults: { op: 'add' },
    done: ({ session, parameters }) =>
      parameters.stream_id === undefined ? '' : changed(parameters.op === 'add' ? 1 : 0, session, parameters),
    examples: ['user-topics mute general "some topic"', 'user-topics mute general "some topic" --op remove'],
  },
  list: {
    async done({ session, answer: { user_topics }, terminal }) {
      const ids = user_topics.map(({ stream_id }) => stream_id);
      const name = await channelNames(session, ids);
      return tableOf(user_topics, terminal, {
        CHANNEL: ({ stream_id }) => name(stream_id),
        TOPIC: ({ topic_name }) => topic_name,
        POLICY: ({ visibility_policy: policy }) => POLICY_NAMES[policy] ?? policy,
      });
    },
    empty: 'You have no muted, unmuted or followed topics.',
  },
});
