import { ROLE_NAMES } from '../rules/roles.ts';
import type { Chat } from './chat.ts';

export interface Newcomer {
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
  people: readonly [Newcomer, ...Newcomer[]];
  channels: readonly NewChannel[];
}

/** Creates an organization in an empty database. Resolves to user IDs by address and channel IDs by name. */
export async function populate(chat: Chat, { name, description, people, channels }: Population) {
  const [founder, ...others] = people;
  const { email, full_name, password } = founder;
  const { user_id } = await chat.createOrganization({
    name,
    ...(description === undefined ? {} : { description }),
    owner: { email, full_name, ...(password === undefined ? {} : { password }) },
  });
  const owner = chat.as(user_id);
  const userIds = new Map([[email, user_id]]);
  // Sequential, so that every run assigns the same IDs.
  for (const { role, ...person } of others) {
    const made = await owner.users.create({ ...person, role: ROLE_NAMES[role] ?? 400 });
    userIds.set(person.email, made.user_id);
  }
  const channelIds = new Map<string, number>();
  for (const channel of channels) {
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
