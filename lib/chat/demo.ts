import { setTimeout } from 'node:timers/promises';
import { BadRequest } from '../base/errors.ts';
import { allInOrder } from '../base/lists.ts';
import { present } from '../base/present.ts';
import { ROLE_NAMES, systemGroupId } from '../rules/roles.ts';
import type { Chat } from './chat.ts';
import { transportOf } from './transport.ts';

/** Password of every demo account. Never use the demo in production. */
const DEMO_PASSWORD = 'parlance-demo';

export interface DemoAccount {
  email: string;
  full_name: string;
  role: string;
  password: string;
  api_key: string;
  user_id: number;
}

export interface Demo {
  accounts: DemoAccount[];
  channels: string[];
}

/** The development population that existing clients' own suites expect. */
const PEOPLE = [
  { name: 'Desdemona', email: 'desdemona@zulip.com', role: 'owner' },
  { name: 'Iago', email: 'iago@zulip.com', role: 'administrator' },
  { name: 'Shiva', email: 'shiva@zulip.com', role: 'moderator' },
  { name: 'King Hamlet', email: 'hamlet@zulip.com', role: 'member' },
  { name: "Cordelia, Lear's daughter", email: 'cordelia@zulip.com', role: 'member' },
  { name: 'Othello, the Moor of Venice', email: 'othello@zulip.com', role: 'member' },
  { name: 'Zoe', email: 'zoe@zulip.com', role: 'member' },
  { name: 'aaron', email: 'AARON@zulip.com', role: 'member' },
  { name: 'Polonius', email: 'polonius@zulip.com', role: 'guest' },
] as const;

type Email = (typeof PEOPLE)[number]['email'];

const EVERYBODY = PEOPLE.map((person) => person.email);
const MEMBERS = EVERYBODY.filter((email) => email !== 'polonius@zulip.com');

const CHANNELS: readonly (NewChannel & { people: readonly Email[] })[] = [
  {
    name: 'Denmark',
    description: 'A place to think aloud',
    people: EVERYBODY.filter((email) => email !== 'zoe@zulip.com'),
    isDefault: true,
  },
  { name: 'Verona', description: 'A city in Italy', people: EVERYBODY, isDefault: true },
  { name: 'Venice', description: 'Merchants and their quarrels', people: MEMBERS, isDefault: true },
  { name: 'Scotland', description: 'Weather, mostly', people: MEMBERS },
  {
    name: 'Rome',
    description: 'Yet another Italian city',
    people: ['iago@zulip.com', 'hamlet@zulip.com', 'cordelia@zulip.com', 'othello@zulip.com'],
  },
  { name: 'sandbox', description: 'Try things out here', people: EVERYBODY },
  {
    name: 'core team',
    description: 'Plans before they are public',
    people: ['desdemona@zulip.com', 'iago@zulip.com', 'shiva@zulip.com'],
    isPrivate: true,
  },
];

/** Members of the group "hamletcharacters". */
const GROUP: readonly Email[] = ['hamlet@zulip.com', 'cordelia@zulip.com'];

type DemoMessage = readonly [from: Email, to: string | readonly Email[], topic: string, content: string];

const HISTORY: readonly DemoMessage[] = [
  ['iago@zulip.com', 'Verona', 'welcome', 'Welcome to the demo. All messages are real: write a bot, connect a client.'],
  ['hamlet@zulip.com', 'Verona', 'welcome', 'Thank you! Where does the party for the *balcony* project meet?'],
  ['cordelia@zulip.com', 'Verona', 'welcome', 'In **Denmark**, topic "castle". Bring a lamp.'],
  ['othello@zulip.com', 'Denmark', 'castle', 'Things to bring:\n\n1. a lamp\n2. rope\n3. something to read'],
  ['hamlet@zulip.com', 'Denmark', 'castle', 'I have the book. `words.words(words)`'],
  ['polonius@zulip.com', 'Denmark', 'advice', 'Neither a borrower nor a lender be; it says so in the handbook.'],
  ['zoe@zulip.com', 'Venice', 'market', 'Three ships came in this morning.'],
  ['shiva@zulip.com', 'core team', 'release', 'The release is ready when the tests are green.'],
  ['cordelia@zulip.com', ['hamlet@zulip.com'], '', 'Are you coming tonight?'],
  ['hamlet@zulip.com', ['cordelia@zulip.com'], '', 'To come or not to come. I will be there at eight.'],
  ['othello@zulip.com', ['iago@zulip.com', 'cordelia@zulip.com'], '', 'Has anyone seen my handkerchief?'],
];

const NAME = 'Parlance demo';

/** The name until the demo is complete, so that an interrupted `seedDemo` can be recognized. */
const NAME_OF_UNFINISHED = 'Parlance demo, not complete';

/** Whether this organization is a demo that `seedDemo` has not completed. */
export async function isUnfinishedDemo(chat: Chat): Promise<boolean> {
  return (await chat.anonymous().serverSettings.get()).realm_name === NAME_OF_UNFINISHED;
}

/**
 * Fills an empty database with the demo organization: people of every role, channels and some history. Completes a demo
 * that an interrupted call has begun.
 * @throws BadRequest for another organization, or if another process is creating the demo
 */
export async function seedDemo(chat: Chat): Promise<Demo> {
  if (await chat.hasOrganization()) {
    if (!(await isUnfinishedDemo(chat)))
      throw new BadRequest('This database already contains an organization. The demo needs an empty database.');
    const { storage } = transportOf(chat).engine;
    const position = () => storage.read((tx) => tx.events.tail());
    const before = await position();
    // A process that sends no event for so long was interrupted.
    await setTimeout(3_000);
    if ((await position()) !== before)
      throw new BadRequest('Another process is creating this demo. Try again in a few seconds.');
  }
  const [owner, ...others] = PEOPLE.map(({ name, email, role }) => {
    return { full_name: name, email, role, password: DEMO_PASSWORD };
  }) as [NewAccount, ...NewAccount[]];
  const { userIds: ids } = await populate(chat, {
    name: NAME_OF_UNFINISHED,
    description: 'An organization to try things out in',
    people: [owner, ...others],
    channels: CHANNELS,
  });
  const asOwner = chat.as(owner.email);
  const { user_groups } = await asOwner.userGroups.list();
  if (!user_groups.some(({ name }) => name === 'hamletcharacters')) {
    await asOwner.userGroups.create({
      name: 'hamletcharacters',
      description: 'Characters of Hamlet',
      members: GROUP.map((email) => present(ids.get(email))),
      can_manage_group: systemGroupId('role:moderators'),
    });
  }
  for (const [from, to, topic, content] of HISTORY) {
    const session = chat.as(present(ids.get(from)));
    const range = { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false } as const;
    const { messages: sent } = await session.messages.list({ narrow: [['sender', from]], ...range });
    if (sent.some((message) => message.content === content)) continue;
    const message = { content, read_by_sender: true };
    if (typeof to === 'string') await session.messages.send({ type: 'channel', to, topic, ...message });
    else await session.messages.send({ type: 'direct', to: to.map((email) => present(ids.get(email))), ...message });
  }
  // Sending the history does not set the presence of its senders.
  for (const user_id of ids.values()) await chat.as(user_id).presence.report({ status: 'active', ping_only: true });
  await asOwner.organization.edit({ name: NAME });
  return present(await findDemo(chat));
}

/** The demo organization of a database that `seedDemo` filled earlier; undefined for another organization. */
export async function findDemo(chat: Chat): Promise<Demo | undefined> {
  const { storage } = transportOf(chat).engine;
  const users = await storage.read((tx) => allInOrder(PEOPLE.map(({ email }) => tx.users.byEmail(email))));
  if (users.includes(undefined)) return undefined;
  const accounts = PEOPLE.map(async ({ email, name, role }, at) => {
    const { id: user_id } = present(users[at]);
    return { email, full_name: name, role, password: DEMO_PASSWORD, api_key: await chat.apiKeyOf(user_id), user_id };
  });
  return { accounts: await Promise.all(accounts), channels: CHANNELS.map((channel) => channel.name) };
}

export interface NewAccount {
  email: string;
  full_name: string;
  /** `owner`, `administrator`, `moderator`, `member`, `guest`. */
  role: string;
  password?: string;
}

interface NewChannel {
  name: string;
  description?: string;
  /** E-mail addresses of the subscribers. */
  people: readonly string[];
  isPrivate?: boolean;
  isDefault?: boolean;
}

/** A new organization. The first of its people is the first owner. */
interface Population {
  name: string;
  description?: string;
  people: readonly [NewAccount, ...NewAccount[]];
  channels: readonly NewChannel[];
}

/**
 * Creates an organization in an empty database, or what it still lacks after an interruption. Resolves to user IDs by
 * address and channel IDs by name.
 */
export async function populate(chat: Chat, { name, description, people, channels }: Population) {
  const [founder, ...others] = people;
  const { email, full_name, password } = founder;
  if (!(await chat.hasOrganization())) {
    await chat.createOrganization({
      name,
      ...(description === undefined ? {} : { description }),
      owner: { email, full_name, ...(password === undefined ? {} : { password }) },
    });
  }
  const owner = chat.as(email);
  const { members } = await owner.users.list();
  const userIds = new Map(members.map((member) => [member.delivery_email ?? '', member.user_id]));
  // Sequential, so that every run assigns the same IDs.
  for (const { role, ...person } of others) {
    if (userIds.has(person.email)) continue;
    const made = await owner.users.create({ ...person, role: ROLE_NAMES.get(role) ?? 400 });
    userIds.set(person.email, made.user_id);
  }
  const { streams } = await owner.channels.list();
  const channelIds = new Map(streams.map((stream) => [stream.name, stream.stream_id]));
  for (const channel of channels) {
    if (channelIds.has(channel.name)) continue;
    const { id } = await owner.channels.create({
      name: channel.name,
      ...(channel.description === undefined ? {} : { description: channel.description }),
      subscribers: channel.people.map((address) => present(userIds.get(address))),
      invite_only: channel.isPrivate ?? false,
      history_public_to_subscribers: true,
      is_default_stream: channel.isDefault ?? false,
    });
    channelIds.set(channel.name, id);
  }
  return { userIds, channelIds };
}
