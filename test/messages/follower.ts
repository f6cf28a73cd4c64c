import assert from 'node:assert/strict';
import { resolveToggle } from '../../lib/rules/topics.ts';
import type { UserName } from '../faces/fixture.ts';
import type { World } from '../faces/world.ts';
import type { AnyEvent } from './in-worlds.ts';

// biome-ignore lint/suspicious/noExplicitAny: messages as a client keeps them
type Kept = Map<number, any>;

const CAPABILITIES = { bulk_message_deletion: true, empty_topic_name: true };

/** A client that fetches once, follows the events from then on, and compares itself with a fresh fetch. */
export class Follower {
  readonly #world: World;
  readonly #user: UserName;
  #queue = '';
  #messages: Kept = new Map();
  #starred: number[] = [];

  constructor(world: World, user: UserName) {
    this.#world = world;
    this.#user = user;
  }

  async start(): Promise<this> {
    const { queue_id } = await this.#world.as(this.#user).register({
      fetch_event_types: [],
      apply_markdown: true,
      client_capabilities: CAPABILITIES,
    });
    this.#queue = queue_id as string;
    ({ messages: this.#messages, starred: this.#starred } = await this.#fetch());
    return this;
  }

  /** State before + events = state after. */
  async check(): Promise<void> {
    const { events } = await this.#world
      .as(this.#user)
      .events.list({ queue_id: this.#queue, last_event_id: -1, dont_block: true });
    for (const event of events) this.#apply(event);
    const present = await this.#fetch([...this.#messages.keys()]);
    // What went to a channel one is not subscribed to is heard of no more.
    for (const kept of [this.#messages, present.messages]) {
      for (const [id, { stream_id }] of kept) if (!present.subscribed.has(stream_id)) kept.delete(id);
    }
    assert.deepEqual([...this.#messages], [...present.messages], `what ${this.#user} has followed`);
    assert.deepEqual(
      this.#starred.sort((a, b) => a - b),
      present.starred,
      `what ${this.#user} has starred`,
    );
    const unread = [...this.#messages.values()].filter(({ flags }) => !flags.has('read')).map(({ id }) => id);
    const known = present.unread.filter((id) => this.#messages.has(id));
    assert.deepEqual(unread, known, `what ${this.#user} has not read`);
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
          if (event.new_stream_id !== undefined) message.stream_id = event.new_stream_id;
        }
        for (const message of kept([event.message_id])) {
          message.flags = flagSet(event.flags);
          if (event.content === undefined) continue;
          message.content = event.rendered_content;
          message.is_me_message = event.is_me_message;
          message.last_edit_timestamp = event.edit_timestamp;
        }
        return;
      case 'delete_message':
        for (const id of event.message_ids) {
          this.#messages.delete(id);
          this.#starred = this.#starred.filter((one) => one !== id);
        }
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
        for (const message of kept(event.messages)) {
          if (event.op === 'add') message.flags.add(event.flag);
          else message.flags.delete(event.flag);
        }
        if (event.flag === 'starred') {
          const others = this.#starred.filter((id) => !event.messages.includes(id));
          this.#starred = event.op === 'add' ? [...others, ...event.messages] : others;
        }
    }
  }

  /** What the user received and what subscribed channels hold; or else the messages with these ids. */
  async #fetch(ids?: readonly number[]) {
    const session = this.#world.as(this.#user);
    const state: AnyEvent = await session.register({
      fetch_event_types: ['message', 'update_message_flags', 'starred_messages', 'subscription'],
      event_types: [],
      client_capabilities: CAPABILITIES,
    });
    const shown = { allow_empty_topic_name: true, client_gravatar: false };
    const all = { anchor: 'oldest', num_after: 5_000, ...shown } as const;
    const found = [];
    if (ids) found.push(...(await session.messages.list({ message_ids: [...ids], ...shown })).messages);
    else {
      found.push(...(await session.messages.list(all)).messages);
      for (const { stream_id } of state.subscriptions) {
        found.push(
          ...(await session.messages.list({ ...all, narrow: [{ operator: 'channel', operand: stream_id }] })).messages,
        );
      }
    }
    const { pms, streams, huddles } = state.unread_msgs;
    const unread = [...pms, ...streams, ...huddles].flatMap(({ unread_message_ids }) => unread_message_ids);
    return {
      messages: new Map(found.sort((a, b) => a.id - b.id).map((message) => [message.id, keep(message)])),
      starred: state.starred_messages as number[],
      unread: unread.sort((a: number, b: number) => a - b) as number[],
      subscribed: new Set<number | undefined>([
        undefined,
        ...state.subscriptions.map((one: AnyEvent) => one.stream_id),
      ]),
    };
  }
}

/** The part of a message that events speak of; `historical` follows from nothing but the server's memory. */
function keep(message: AnyEvent) {
  const { id, stream_id, subject, content, is_me_message, last_edit_timestamp, last_moved_timestamp, reactions } =
    message;
  return {
    ...{ id, stream_id, subject, content, is_me_message, last_edit_timestamp, last_moved_timestamp },
    reactions: [...reactions],
    flags: flagSet(message.flags),
  };
}

function flagSet(flags: readonly string[]): Set<string> {
  return new Set([...flags].filter((flag) => flag !== 'historical').sort());
}

/** Lets users follow while something happens, and compares all of them afterwards. */
export async function followed(
  world: World,
  users: readonly UserName[],
  happens: () => Promise<unknown>,
): Promise<void> {
  const followers = [];
  for (const user of users) followers.push(await new Follower(world, user).start());
  await happens();
  for (const follower of followers) await follower.check();
}
