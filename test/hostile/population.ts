import type { Chat, Session } from '../../lib/index.ts';
import { WORST_TEXTS } from './worst-texts.ts';

/** Amount of data before the attack. */
export interface Sizes {
  people: number;
  channels: number;
  messages: number;
  /** Topics in one channel, with one message each. */
  topics: number;
  /** Messages of the maximum length that render to the most HTML. */
  worst: number;
  hostile: number;
  ordinary: number;
}

export interface Member {
  id: number;
  email: string;
  key: string;
}

export interface Population {
  hostile: Member[];
  ordinary: Member[];
  /** IDs of all users. */
  people: number[];
  /** A channel with all users, in which ordinary users write. */
  open: number;
  /** A channel with all users and many topics of one message. */
  topics: number;
  /** A channel with all users, in which attackers write. */
  noise: number;
  /** Names of channels to which every user may subscribe. */
  rooms: string[];
  /** A message with 1,000 versions, written by the first attacker. */
  edited: number;
  /** A message with all reactions that one user can add. */
  reacted: number;
  /** Names of bots whose web hooks never respond, one of each attacker. */
  hooks: string[];
  /** Highest message ID before the attack. */
  newest: number;
}

/** Concurrent writes share their commits. */
const ABREAST = 64;
const CREATED_AT_ONCE = 1_000;
const VERSIONS = 1_000;

/** @param silent an address that accepts calls and never responds */
export async function populate(chat: Chat, sizes: Sizes, silent: string): Promise<Population> {
  const owner = await chat.createOrganization({
    name: 'Under attack',
    owner: { email: 'owner@example.com', full_name: 'Owner' },
  });
  const session = chat.as(owner);
  // The permissions that many organizations grant. They allow the most expensive requests.
  const members = (await session.userGroups.list()).user_groups.find(({ name }) => name === 'role:members')
    ?.id as number;
  await session.organization.edit({
    can_mention_many_users_group: { new: members },
    can_invite_users_group: { new: members },
  });
  const people: number[] = [];
  while (people.length < sizes.people) {
    const batch = Array.from({ length: Math.min(CREATED_AT_ONCE, sizes.people - people.length) }, (_, at) => {
      const number = people.length + at;
      return { email: `p${number}@example.com`, full_name: `Person ${number}` };
    });
    const created = await session.users.createMany({ people: batch });
    people.push(...created.people.map(({ user_id }) => user_id as number));
  }
  const allUsers = [owner.user_id, ...people];
  const channel = async (name: string, subscribers = allUsers) =>
    (await session.channels.create({ name, subscribers })).id;
  const [open, topics, noise] = [await channel('open'), await channel('topics'), await channel('noise')];
  const rooms = Array.from({ length: sizes.channels }, (_, at) => `room ${at}`);
  for (const name of rooms) await channel(name, [owner.user_id]);

  const sessions = people.slice(0, 50).map((id) => chat.as({ user_id: id }));
  const senderOf = (at: number) => sessions[at % sessions.length] as Session;
  const send = (at: number, to: number, topic: string, content: string) =>
    senderOf(at).messages.send({ type: 'channel', to, topic, content });
  await inParts(sizes.messages, (at) =>
    send(at, open, `topic ${at % 200}`, `message ${at} about ${at % 977} and **more**`),
  );
  await inParts(sizes.topics, (at) => send(at, topics, `matter ${at}`, 'A topic of its own'));
  await inParts(sizes.worst, (at) => send(at, noise, 'worst', WORST_TEXTS[at % WORST_TEXTS.length] as string));

  const hostile = people.slice(0, sizes.hostile);
  const attacker = chat.as({ user_id: hostile[0] as number });
  const edited = (await attacker.messages.send({ type: 'channel', to: noise, topic: 'versions', content: 'first' })).id;
  for (let version = 0; version < Math.min(VERSIONS, sizes.worst); version++) {
    await attacker.messages.edit({ message_id: edited, content: `${'word '.repeat(1_500)}${version}` });
  }
  const { id: reacted } = await attacker.messages.send({
    type: 'channel',
    to: noise,
    topic: 'reactions',
    content: 'Well?',
  });
  const hooks = hostile.map((_, at) => `Hook ${at}`);
  for (const [at, full_name] of hooks.entries()) {
    await chat.as({ user_id: hostile[at] as number }).bots.create({
      full_name,
      short_name: `hook${at}`,
      bot_type: 3,
      payload_url: silent,
    });
  }
  const member = async (id: number, at: number): Promise<Member> => ({
    id,
    email: `p${at}@example.com`,
    key: await chat.apiKeyOf({ user_id: id }),
  });
  return {
    hostile: await Promise.all(hostile.map((id, at) => member(id, at))),
    ordinary: await Promise.all(
      people.slice(sizes.hostile, sizes.hostile + sizes.ordinary).map((id, at) => member(id, sizes.hostile + at)),
    ),
    people,
    open,
    topics,
    noise,
    rooms,
    edited,
    reacted,
    hooks,
    newest: reacted,
  };
}

async function inParts(count: number, work: (at: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < count; from += ABREAST) {
    await Promise.all(Array.from({ length: Math.min(ABREAST, count - from) }, (_, at) => work(from + at)));
  }
}
