import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { createChatStore } from '../../../lib/client/store/chat-store.ts';
import type { DraftStorage, MessageList, Narrow, Place } from '../../../lib/client/store/types.ts';
import { isChatError, type Session } from '../../../lib/index.ts';
import { sqliteEngine } from '../../world/copies.ts';
import type { World } from '../../world/world.ts';
import { type Faults, faultySession } from './faulty-session.ts';
import { feedStore, snapshot } from './snapshot.ts';

const TOPICS = ['ghosts', 'Ghosts', 'plans', '✔ plans', 'lunch'];
const STEPS = 30;
/** Milliseconds after which a store must be up to date. */
const PATIENCE_MS = 10_000;

/** Numbers from 0 to below 1 that a seed determines (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Plays histories with the seeds from `first`. */
export function testHistories(first: number, runs: number): void {
  test(`a store is up to date after ${runs} random histories with lost connections and queues`, async () => {
    for (let seed = first; seed < first + runs; seed++) {
      try {
        await playRandomly(seed);
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error });
      }
    }
  });
}

/**
 * Runs random changes by several users. Meanwhile the connection of a store breaks, loses responses, and its queue
 * expires. At the end the store equals a new store, and each message it sent arrived once.
 */
async function playRandomly(seed: number): Promise<void> {
  const world = await sqliteEngine.world();
  try {
    await new Run(world, seed).play();
  } finally {
    await world.close();
  }
}

class Run {
  readonly #random: () => number;
  readonly #faults: Faults;
  readonly #session: Session;
  readonly #played: string[] = [];
  readonly #sent: string[] = [];

  constructor(
    private readonly world: World,
    seed: number,
  ) {
    this.#random = numbers(seed);
    this.#faults = { random: this.#random, isDown: false, lost: 0, delay: 0 };
    this.#session = world.as('hamlet');
  }

  async play(): Promise<void> {
    const stored = new Map<string, string>();
    const storage: DraftStorage = {
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, value) => void stored.set(key, value),
      removeItem: (key) => void stored.delete(key),
      get length() {
        return stored.size;
      },
      key: (at) => [...stored.keys()][at] ?? null,
    };
    let store = createChatStore(faultySession(this.#session, this.#faults), { storage });
    store.start();
    let lists: MessageList[] = [];
    const narrows = this.#narrows();
    for (let step = 0; step < STEPS; step++) {
      for (let turns = this.#upTo(4); turns > 0; turns--) await turn();
      const chance = this.#random();
      if (chance < 0.1)
        Object.assign(this.#faults, { isDown: this.#random() < 0.4, lost: this.#random() * 0.4, delay: this.#upTo(8) });
      else if (chance < 0.14) await this.#loseQueue();
      else if (chance < 0.2 && lists.length < narrows.length)
        lists.push(store.messages.open(narrows[lists.length] as Narrow, 'newest'));
      else if (chance < 0.3) {
        const content = `own ${this.#sent.length}`;
        this.#sent.push(content);
        store.outbox.send(this.#place(), content);
      } else if (chance < 0.36) {
        const { messages } = (lists[0] ?? store.messages.open(narrows[0] as Narrow)).state.get();
        store.messages.markRead(messages.slice(-this.#upTo(4)).map(({ id }) => id));
      } else if (chance < 0.4) void lists[this.#upTo(lists.length)]?.older();
      else await this.#change();
    }
    if (this.#random() < 0.4) {
      // A reload: the new page sends the pending messages of the old one.
      void store.stop();
      store = createChatStore(faultySession(this.#session, this.#faults), { storage });
      store.start();
      lists = [];
      this.#played.push('reloaded');
    }
    while (lists.length < narrows.length) lists.push(store.messages.open(narrows[lists.length] as Narrow, 'newest'));
    Object.assign(this.#faults, { isDown: false, lost: 0 });
    await this.#settle(store, lists);
    await store.stop();
    assert.equal(stored.size, 0, `the storage still has ${[...stored]}`);
    for (const content of this.#sent) await this.#assertOnce(content);
  }

  /** Waits until the store shows the same as a new one. */
  async #settle(store: ReturnType<typeof createChatStore>, lists: readonly MessageList[]): Promise<void> {
    let difference: unknown;
    const begun = Date.now();
    for (let turns = 0; Date.now() - begun < PATIENCE_MS; turns++) {
      if (turns < 500) await turn();
      else await wait(5);
      if (store.status.get().state === 'offline') store.retryNow();
      for (const o of store.outbox.get().values()) if (o.state !== 'sending') store.outbox.discard(o.localId);
      const isBusy = store.status.get().state !== 'live' || store.outbox.get().size > 0;
      for (const list of lists) if (list.state.get().error) void list.around('newest');
      if (isBusy || lists.some((list) => list.state.get().loading !== 'none') || turns % 50 !== 49) continue;
      await store.flush();
      const fresh = await feedStore(this.#session, this.#narrows());
      difference = differenceOf(snapshot({ store, lists }), snapshot(fresh));
      await fresh.close();
      if (difference === undefined) return;
    }
    assert.fail(
      `${difference ?? JSON.stringify([store.status.get(), [...store.outbox.get().values()], lists.map((list) => list.state.get().loading)])}\n${this.#played.join('\n')}`,
    );
  }

  async #assertOnce(content: string): Promise<void> {
    const { messages } = await this.world
      .as('owner')
      .messages.list({ anchor: 'newest', num_before: 1000, apply_markdown: false });
    const own = await this.#session.messages.list({ anchor: 'newest', num_before: 1000, apply_markdown: false });
    const ids = new Set(
      [...messages, ...own.messages].filter((message) => message.content === content).map(({ id }) => id),
    );
    assert.ok(ids.size <= 1, `${content} arrived ${ids.size} times`);
  }

  #narrows(): Narrow[] {
    const { channels, users } = this.world;
    return [
      { view: 'all' },
      { channelId: channels.public, topic: 'ghosts' },
      { channelId: channels.public },
      { channelId: channels.public, topic: 'plans' },
      { userIds: [users.cordelia] },
      { view: 'mentions' },
      { view: 'starred' },
    ];
  }

  async #change(): Promise<void> {
    const changes = Object.entries(this.#changes());
    const [name, change] = changes[this.#upTo(changes.length)] as (typeof changes)[number];
    try {
      await change();
      this.#played.push(name);
    } catch (error) {
      if (!isChatError(error)) throw error;
      this.#played.push(`${name}: ${error.code}`);
    }
  }

  #changes(): Record<string, () => Promise<unknown>> {
    const { world } = this;
    const { channels, users, as } = world;
    const [own, other, owner] = [this.#session, as('cordelia'), as('owner')];
    const anyone = this.#random() < 0.5 ? other : owner;
    const place = this.#place();
    const flag = this.#random() < 0.5 ? 'read' : 'starred';
    const op = this.#random() < 0.5 ? 'add' : 'remove';
    const mention = this.#random() < 0.3 ? ' @**Hamlet**' : '';
    const send = () =>
      'topic' in place
        ? anyone.messages.send({ type: 'channel', to: place.channelId, topic: place.topic, content: `text${mention}` })
        : other.messages.send({ type: 'direct', to: [users.hamlet], content: `text${mention}` });
    const moving = {
      propagate_mode: (['change_one', 'change_later', 'change_all'] as const)[this.#upTo(3)] as 'change_all',
      send_notification_to_new_thread: this.#random() < 0.2,
      send_notification_to_old_thread: false,
    };
    return {
      send,
      sendAgain: send,
      edit: async () => owner.messages.edit({ message_id: await this.#someId(), content: `edited${mention}` }),
      moveTopic: async () => owner.messages.edit({ message_id: await this.#someId(), topic: this.#topic(), ...moving }),
      moveChannel: async () =>
        owner.messages.edit({
          message_id: await this.#someId(),
          stream_id: this.#channel(),
          topic: this.#topic(),
          ...moving,
        }),
      delete: async () => owner.messages.delete({ message_id: await this.#someId() }),
      react: async () =>
        anyone.messages[this.#random() < 0.6 ? 'addReaction' : 'removeReaction']({
          message_id: await this.#someId(),
          emoji_name: 'tada',
        }),
      flag: async () => own.messages.updateFlags({ op, flag, messages: [await this.#someId(), await this.#someId()] }),
      readAll: () => own.messages.markAllRead(),
      muteTopic: () =>
        own.userTopics.set({ stream_id: channels.public, topic: this.#topic(), visibility_policy: this.#upTo(4) as 0 }),
      muteChannel: () =>
        own.subscriptions.updateProperties({
          subscription_data: [{ stream_id: channels.public, property: 'is_muted', value: op === 'add' }],
        }),
      unsubscribe: () => own.subscriptions.remove({ subscriptions: [op === 'add' ? 'Denmark' : 'Square'] }),
      subscribe: () => own.subscriptions.add({ subscriptions: [{ name: 'Denmark' }, { name: 'Square' }] }),
      muteUser: () => own.mutedUsers[op === 'add' ? 'add' : 'remove']({ muted_user_id: users.cordelia }),
      rename: () =>
        owner.channels.edit({ stream_id: channels.public, new_name: op === 'add' ? 'Denmark' : 'Norwegians' }),
      renameUser: () =>
        owner.users.edit({ user_id: users.cordelia, full_name: op === 'add' ? 'Cordelia' : 'Cordelia II' }),
    };
  }

  async #someId(): Promise<number> {
    const { messages } = await this.world.as('owner').messages.list({ anchor: 'newest', num_before: 15 });
    const own = await this.#session.messages.list({ anchor: 'newest', num_before: 10 });
    const all = [...messages, ...own.messages];
    return all[this.#upTo(all.length)]?.id ?? 1;
  }

  async #loseQueue(): Promise<void> {
    const { queueId: queue_id } = this.#faults;
    if (queue_id !== undefined) await this.#session.events.delete({ queue_id }).catch(() => undefined);
    this.#played.push('queue lost');
  }

  #place(): Place {
    if (this.#random() < 0.25) return { userIds: [this.world.users.cordelia] };
    return { channelId: this.#channel(), topic: this.#topic() };
  }

  #channel(): number {
    const { channels } = this.world;
    return this.#random() < 0.8 ? channels.public : channels.default;
  }

  #topic(): string {
    return TOPICS[this.#upTo(TOPICS.length)] as string;
  }

  #upTo(count: number): number {
    return Math.floor(this.#random() * count);
  }
}

/** A message that only has its ID may be outdated: no event reports its deletion, and its row shows that. */
function withoutLost(told: unknown, found: unknown): unknown {
  const [mine, theirs] = [told, found] as { messages?: readonly { id: number }[] }[];
  if (!mine?.messages || !theirs?.messages) return told;
  const there = new Set(theirs.messages.map(({ id }) => id));
  return { ...mine, messages: mine.messages.filter((one) => Object.keys(one).length > 1 || there.has(one.id)) };
}

function differenceOf(told: Record<string, unknown>, found: Record<string, unknown>): string | undefined {
  for (const key of Object.keys(found)) {
    try {
      assert.deepEqual(withoutLost(told[key], found[key]), found[key], key);
    } catch (error) {
      return String(error);
    }
  }
  return undefined;
}
