import assert from 'node:assert/strict';
import { resolveToggle } from '../../../lib/rules/topics.ts';
import { applyEvent, comparable, type State } from '../../events/reference-client.ts';
import type { UserName } from '../../world/fixture.ts';
import type { World } from '../../world/world.ts';
import type { AnyEvent } from './in-worlds.ts';

// biome-ignore lint/suspicious/noExplicitAny: messages as a client keeps them
type Kept = Map<number, any>;

const CAPABILITIES = {
  bulk_message_deletion: true,
  empty_topic_name: true,
  archived_channels: true,
  notification_settings_null: true,
};
export type Capabilities = Readonly<Record<string, boolean>>;

/** Clients keep these as bounds. No event lowers them when the newest message is deleted. */
const BOUNDS = ['max_message_id', 'recent_private_conversations'];

/** A client that fetches once, follows events, and compares its state with a new registration. */
export class Follower {
  readonly #world: World;
  readonly #user: UserName;
  readonly #capabilities: Capabilities;
  #state: State = {};
  #seen = -1;
  #messages: Kept = new Map();

  /** Messages that the client keeps, also in channels the user is not subscribed to. */
  readonly #watched: ReadonlySet<number>;

  constructor(
    world: World,
    user: UserName,
    capabilities: Capabilities = CAPABILITIES,
    watched: readonly number[] = [],
  ) {
    this.#watched = new Set(watched);
    this.#world = world;
    this.#user = user;
    this.#capabilities = capabilities;
  }

  async start(): Promise<this> {
    this.#state = await this.#register();
    this.#messages = await this.#fetch();
    if (this.#watched.size > 0)
      for (const [id, kept] of await this.#fetch([...this.#watched])) this.#messages.set(id, kept);
    return this;
  }

  /** Applies the events of one change. They must show only messages that the user can read. */
  async hear(): Promise<void> {
    const events = await this.#events();
    const told = [...new Set(events.flatMap(messagesShown))];
    if (told.length === 0) return;
    const { messages } = await this.#world.as(this.#user).messages.list({ message_ids: told });
    assert.deepEqual(messages.map(({ id }) => id).sort(), told.sort(), `messages in events of ${this.#user}`);
  }

  async #events(): Promise<AnyEvent[]> {
    const { queue_id } = this.#state as { queue_id: string };
    const session = this.#world.as(this.#user);
    const { events } = await session.events.list({ queue_id, last_event_id: this.#seen, dont_block: true });
    for (const event of events) {
      this.#seen = event.id;
      if (event.type === 'heartbeat') continue;
      applyEvent(this.#state, event, this.#world.users[this.#user]);
      this.#apply(event);
    }
    return events;
  }

  /** The state at the start and the events must give the state of a new registration. */
  async check(when?: string): Promise<void> {
    await this.#events();
    this.#forgetUnsubscribed();
    const who = `${this.#user} ${JSON.stringify(this.#capabilities)}${when === undefined ? '' : `, when ${when}`}`;
    const present = await this.#register();
    const [told, found] = [known(this.#state), known(present)];
    for (const key of Object.keys(found)) {
      assert.deepEqual(told[key], found[key], `${key} of ${who}`);
    }
    const messages = await this.#fetch([...this.#messages.keys()]);
    const inOrder = [...this.#messages].sort(([a], [b]) => a - b);
    assert.deepEqual(inOrder, [...messages], `what ${who} has followed`);
    const unread = inOrder.filter(([, { flags }]) => !flags.has('read')).map(([id]) => id);
    const expected = unreadIds(present).filter((id) => this.#messages.has(id));
    assert.deepEqual(unread, expected, `unread messages of ${who}`);
  }

  /** Forgets messages of channels without a subscription: no events report their changes. */
  #forgetUnsubscribed(): void {
    for (const [id, { stream_id }] of this.#messages) {
      if (stream_id === undefined || this.#watched.has(id)) continue;
      if (!this.#isSubscribed(stream_id)) this.#messages.delete(id);
    }
  }

  #isSubscribed(channel: number): boolean {
    return this.#state.subscriptions.some((one: AnyEvent) => one.stream_id === channel);
  }

  #apply(event: AnyEvent): void {
    const kept = (ids: readonly number[]) => ids.flatMap((id) => this.#messages.get(id) ?? []);
    switch (event.type) {
      case 'message':
        this.#messages.set(event.message.id, keep({ ...event.message, flags: event.flags }));
        return;
      case 'update_message':
        for (const message of kept(event.message_ids)) {
          if (event.propagate_mode === undefined) continue;
          if (event.new_stream_id !== undefined || !resolveToggle(event.orig_subject, event.subject))
            message.last_moved_timestamp = event.edit_timestamp;
          if (event.subject !== undefined) message.subject = event.subject;
          if (event.new_stream_id === undefined) continue;
          message.stream_id = event.new_stream_id;
          if (!this.#isSubscribed(event.new_stream_id)) message.flags.add('read');
        }
        this.#forgetUnsubscribed();
        for (const message of kept([event.message_id])) {
          message.flags = flagSet(event.flags);
          if (event.content === undefined) continue;
          message.content = event.rendered_content;
          message.is_me_message = event.is_me_message;
          message.last_edit_timestamp = event.edit_timestamp;
        }
        return;
      case 'delete_message':
        for (const id of event.message_ids ?? [event.message_id]) this.#messages.delete(id);
        return;
      case 'reaction':
        for (const message of kept([event.message_id])) {
          const key = ({ user_id, emoji_code, reaction_type }: AnyEvent) => `${user_id} ${emoji_code} ${reaction_type}`;
          message.reactions = message.reactions.filter((one: AnyEvent) => key(one) !== key(event));
          const { user_id, emoji_code, emoji_name, reaction_type } = event;
          if (event.op === 'add') message.reactions.push({ user_id, emoji_code, emoji_name, reaction_type });
        }
        return;
      case 'update_message_flags':
        for (const message of event.all ? this.#messages.values() : kept(event.messages)) {
          if (event.op === 'add') message.flags.add(event.flag);
          else message.flags.delete(event.flag);
        }
        return;
      case 'subscription':
      case 'stream':
        this.#forgetUnsubscribed();
        // The event of the channel replaces delete events when its history becomes protected.
        if (event.history_public_to_subscribers === false)
          for (const [id, { stream_id }] of this.#messages)
            if (stream_id === event.stream_id) this.#messages.delete(id);
    }
  }

  #register(): Promise<State> {
    return this.#world.as(this.#user).register({
      include_subscribers: true,
      apply_markdown: true,
      client_gravatar: false,
      client_capabilities: { notification_settings_null: true, ...this.#capabilities },
    });
  }

  /** Received messages and those of subscribed channels, or the messages with the given IDs. */
  async #fetch(ids?: readonly number[]): Promise<Kept> {
    const session = this.#world.as(this.#user);
    const shown = {
      allow_empty_topic_name: this.#capabilities.empty_topic_name ?? false,
      client_gravatar: false,
    };
    const all = { anchor: 'oldest', num_after: 5_000, ...shown } as const;
    const found = [];
    if (ids) found.push(...(await session.messages.list({ message_ids: [...ids], ...shown })).messages);
    else {
      found.push(...(await session.messages.list(all)).messages);
      for (const { stream_id } of this.#state.subscriptions) {
        found.push(
          ...(await session.messages.list({ ...all, narrow: [{ operator: 'channel', operand: stream_id }] })).messages,
        );
      }
    }
    return new Map(found.sort((a, b) => a.id - b.id).map((message) => [message.id, keep(message)]));
  }
}

/** Removes the difference between left and never subscribed channels, which a client cannot tell after some time. */
function known(state: State): State {
  const never_subscribed = [...state.never_subscribed, ...state.unsubscribed];
  const parts = comparable({ ...state, never_subscribed, unsubscribed: [] });
  return Object.fromEntries(Object.entries(parts).filter(([key]) => !BOUNDS.includes(key)));
}

/** Messages whose content or reactions the event shows. */
function messagesShown(event: AnyEvent): number[] {
  if (event.type === 'message') return [event.message.id];
  if (event.type === 'reaction' || (event.type === 'update_message' && event.content !== undefined))
    return [event.message_id];
  return [];
}

function unreadIds(state: State): number[] {
  const { pms, streams, huddles } = state.unread_msgs;
  const ids: number[] = [...pms, ...streams, ...huddles].flatMap((one) => one.unread_message_ids);
  return ids.sort((a, b) => a - b);
}

/** The parts of a message that events change. `historical` depends on data that only the server has. */
function keep(message: AnyEvent) {
  const { id, stream_id, subject, content, is_me_message, last_edit_timestamp, last_moved_timestamp, reactions } =
    message;
  return {
    id,
    stream_id,
    subject,
    content,
    is_me_message,
    last_edit_timestamp,
    last_moved_timestamp,
    reactions: [...reactions],
    flags: flagSet(message.flags),
  };
}

function flagSet(flags: readonly string[]): Set<string> {
  return new Set([...flags].filter((flag) => flag !== 'historical').sort());
}

/** Capabilities of older clients: no empty topics, no bulk deletions, no archived channels. */
const OLDER = {};

/** Follows changes as these users, with a current and an older client, and compares all of them afterwards. */
export async function followed(
  world: World,
  users: readonly UserName[],
  happens: () => Promise<unknown>,
): Promise<void> {
  const followers = [];
  for (const user of users) {
    for (const capabilities of [CAPABILITIES, OLDER])
      followers.push(await new Follower(world, user, capabilities).start());
  }
  await happens();
  for (const follower of followers) await follower.check();
}
