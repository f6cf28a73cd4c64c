import assert from 'node:assert/strict';
import type { NewChannel } from '../../lib/model/channels.ts';
import type { Group } from '../../lib/model/groups.ts';
import type { OrganizationFields } from '../../lib/model/organization.ts';
import type { NewUser, User } from '../../lib/model/users.ts';
import type { Conversation } from '../../lib/storage/interface/conversations.ts';
import type { EventDraft, EventQueue } from '../../lib/storage/interface/events.ts';
import type { NewMessage } from '../../lib/storage/interface/messages.ts';
import type { Storage, Transaction } from '../../lib/storage/interface/storage.ts';
import type { Engine, OpenPlace } from '../support/engines.ts';
import { until } from '../support/until.ts';

/** A test, or another object with an end. */
export interface Lifetime {
  after(end: () => Promise<void>): void;
}

/** Opens an empty database for one test and removes it after the test. */
export async function openFor(t: Lifetime, engine: Engine): Promise<OpenPlace> {
  const place = await engine.open();
  t.after(() => place.dispose());
  return place;
}

/** Opens a database that has an organization. */
export async function openFounded(t: Lifetime, engine: Engine): Promise<OpenPlace> {
  const place = await openFor(t, engine);
  await place.storage.write((tx) => tx.organization.create(organization()));
  return place;
}

export function organization(): OrganizationFields {
  return {
    name: 'Verein',
    description: 'Was wir tun',
    host: 'chat.example.org',
    created_ms: 1_700_000_000_123,
    secret: 'ab'.repeat(32),
    uuid: '5c1f5a3e-0000-4000-8000-000000000001',
    settings: {},
  };
}

export function newUser(name: string, fields: Partial<NewUser> = {}): NewUser {
  return {
    external_id: null,
    profile_data: '{}',
    delivery_email: `${name.toLowerCase()}@example.org`,
    full_name: name,
    role: 400,
    is_active: true,
    bot_type: null,
    bot_owner_id: null,
    is_system_bot: false,
    timezone: 'Europe/Berlin',
    joined_ms: 1_700_000_000_456,
    avatar_source: 'J',
    avatar_version: 1,
    is_email_verified: false,
    email_visibility: 1,
    password_hash: null,
    bot_service: null,
    key_generation: 0,
    login_generation: 0,
    ended_logins: null,
    can_change_user_emails: false,
    sign_in_unlocks: 0,
    settings: {},
    ...fields,
  };
}

export function newChannel(name: string, fields: Partial<NewChannel> = {}): NewChannel {
  return {
    name,
    description: 'about',
    rendered_description: '<p>about</p>',
    external_id: null,
    creator_id: null,
    created_ms: 1_700_000_000_789,
    invite_only: false,
    history_public_to_subscribers: true,
    is_web_public: false,
    is_archived: false,
    is_default: false,
    topics_policy: 'inherit',
    message_retention_days: null,
    folder_id: null,
    settings: {},
    ...fields,
  };
}

export function newGroup(name: string, fields: Partial<Omit<Group, 'id'>> = {}): Omit<Group, 'id'> {
  return {
    name,
    description: '',
    is_system_group: false,
    external_id: null,
    creator_id: null,
    created_ms: 1_700_000_000_000,
    deactivated: false,
    settings: {},
    members: [],
    direct_subgroup_ids: [],
    ...fields,
  };
}

export function newQueue(id: string, userId: number, fields: Partial<EventQueue> = {}): EventQueue {
  return {
    id,
    user_id: userId,
    client: 'website',
    event_types: null,
    narrow: [],
    all_public_streams: false,
    rooms: null,
    options: {},
    start_seq: 0,
    acked_seq: 0,
    last_used_ms: 1_000_000,
    lifespan: 600,
    holder: null,
    ...fields,
  };
}

export async function createUsers<N extends string>(tx: Transaction, ...names: N[]): Promise<Record<N, User>> {
  const users = {} as Record<N, User>;
  for (const name of names) users[name] = await tx.users.create(newUser(name));
  return users;
}

export async function createChannel(tx: Transaction, name: string, fields: Partial<NewChannel> = {}): Promise<number> {
  const [channel] = await tx.channels.create([newChannel(name, fields)]);
  if (!channel) throw new Error(`the name ${name} is taken`);
  return channel.id;
}

/** Creates a message without its event. */
export async function createMessage(
  tx: Transaction,
  sender: Pick<User, 'id'>,
  conversation: Conversation,
  fields: Partial<NewMessage> = {},
): Promise<number> {
  return (await tx.messages.create(newMessage(sender, conversation, fields))).id;
}

export function newMessage(
  sender: Pick<User, 'id'>,
  conversation: Pick<Conversation, 'id'>,
  fields: Partial<NewMessage> = {},
): NewMessage {
  return {
    conversation_id: conversation.id,
    sender_id: sender.id,
    content: 'hello',
    rendered_content: '<p>hello</p>',
    timestamp: 1_700_000_000,
    client: 'website',
    is_me_message: false,
    read_by_sender: true,
    ...fields,
  };
}

/** Creates a message with its event, as `messages.send` does. */
export async function send(...given: Parameters<typeof createMessage>): Promise<number> {
  const [tx, , conversation] = given;
  const id = await createMessage(...given);
  const audience =
    conversation.channel_id === null ? { users: conversation.participants } : { channel: conversation.channel_id };
  await tx.events.append([{ audience, event: { type: 'message', id } }], 1_700_000_000_000);
  return id;
}

export async function subscribe(tx: Transaction, channelId: number, ...users: Pick<User, 'id'>[]): Promise<void> {
  await tx.subscriptions.add(users.map(({ id }) => ({ user_id: id, channel_id: channelId, color: '#76ce90' })));
}

export async function unsubscribe(tx: Transaction, channelId: number, ...users: Pick<User, 'id'>[]): Promise<void> {
  await tx.subscriptions.remove(users.map(({ id }) => ({ user_id: id, channel_id: channelId })));
}

export function draft(note: string, audience: EventDraft['audience']): EventDraft {
  return { audience, event: { type: 'test', note } };
}

/** Keeps a transaction open until a condition holds. Work that waits for the transaction then fails the test. */
export async function holdUntil(tx: Transaction, hasHappened: () => boolean): Promise<void> {
  const end = performance.now() + 60_000;
  while (!hasHappened()) {
    if (performance.now() > end) assert.fail('the condition did not hold within 60 s');
    await tx.messages.maxId();
  }
}

/**
 * Marks everything, a channel or a conversation as read in parts of `part` messages, as operations do. Returns the
 * messages that were unread.
 */
export async function markAllRead(
  tx: Transaction,
  userId: number,
  within: { channel_id?: number; conversation_id?: number } = {},
  part = 2,
): Promise<number[]> {
  const { readState } = tx;
  const read: number[] = [];
  for (let after: number | undefined = 0; after !== undefined; ) {
    const marks = await readState.clearUnreadMarks(userId, within, after, part);
    read.push(...marks.message_ids);
    after = marks.after_id;
  }
  const { channel_id, conversation_id } = within;
  const conversations = conversation_id ? [conversation_id] : await readState.unreadConversations(userId, channel_id);
  const whole = await readState.markConversationsRead(userId, conversations, part);
  read.push(...(whole ?? []));
  for (const conversation of whole ? [] : conversations) {
    for (let after: number | undefined = 0; after !== undefined; ) {
      const done = await readState.markConversationPart(userId, conversation, after, part);
      read.push(...done.message_ids);
      after = done.after_id;
    }
  }
  return read.sort((one, other) => one - other);
}

/** Counts commit notices of other storages. Resolves when the storage listens. */
export async function commitNotices(storage: Storage, engine: Engine): Promise<() => number> {
  let notices = 0;
  storage.onForeignCommit(
    ({ changes }) => {
      if (changes) notices++;
    },
    // Not by looks at the log.
    () => false,
  );
  // On PostgreSQL, a new connection counts as a commit.
  if (engine.name === 'PostgreSQL') await until('the storage listens', () => notices > 0);
  return () => notices;
}
