import { ROLE_NAMES } from '../rules/roles.ts';
import type { Chat } from './chat.ts';

export interface NewAccount {
  email: string;
  full_name: string;
  /** `owner`, `administrator`, `moderator`, `member`, `guest`. */
  role: string;
  password?: string;
}

export interface NewChannel {
  name: string;
  description?: string;
  /** E-mail addresses of the subscribers. */
  people: readonly string[];
  isPrivate?: boolean;
  isDefault?: boolean;
}

/** A new organization. The first of its people is the first owner. */
export interface Population {
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
    const made = await owner.users.create({ ...person, role: ROLE_NAMES[role] ?? 400 });
    userIds.set(person.email, made.user_id);
  }
  const { streams } = await owner.channels.list();
  const channelIds = new Map(streams.map((stream) => [stream.name, stream.stream_id]));
  for (const channel of channels) {
    if (channelIds.has(channel.name)) continue;
    const { id } = await owner.channels.create({
      name: channel.name,
      ...(channel.description === undefined ? {} : { description: channel.description }),
      subscribers: channel.people.map((address) => userIds.get(address) as number),
      invite_only: channel.isPrivate ?? false,
      history_public_to_subscribers: true,
      is_default_stream: channel.isDefault ?? false,
    });
    channelIds.set(channel.name, id);
  }
  return { userIds, channelIds };
}
