import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Conversation, Storage, User } from '../../lib/storage/storage.ts';
import type { Engine } from '../support/engines.ts';
import { createChannel, createUsers, openFounded, send, subscribe, unsubscribe } from './fixtures.ts';

const USERS = 3;
const CHANNELS = 2;
/** Two topics in each channel, then two direct conversations. */
const CONVERSATIONS = CHANNELS * 2 + 2;

type Step =
  | { do: 'send'; user: number; conversation: number; readBySender: boolean }
  | { do: 'markRead' | 'markUnread'; user: number; messages: number[] }
  | { do: 'markConversationRead'; user: number; conversation: number; upTo: number }
  | { do: 'subscribe' | 'unsubscribe'; user: number; channel: number };

const user = fc.nat(USERS - 1);
const conversation = fc.nat(CONVERSATIONS - 1);
const channel = fc.nat(CHANNELS - 1);
const messages = fc.array(fc.nat(30), { minLength: 1, maxLength: 6 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('send' as const), user, conversation, readBySender: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('markRead' as const), user, messages }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('markUnread' as const), user, messages }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('markConversationRead' as const), user, conversation, upTo: fc.nat(30) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('subscribe' as const), user, channel }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unsubscribe' as const), user, channel }) },
);

interface Said {
  id: number;
  conversation: number;
  channel: number | undefined;
  sender: number;
}

/** What one user has read, kept in the plainest way there is. */
class NaiveReader {
  /** Read by an act or as its sender; history before a subscription is added when it begins. */
  readonly read = new Set<number>();
  readonly markedUnread = new Set<number>();
  readonly received = new Set<number>();
  readonly channels = new Set<number>();
}

class NaiveChat {
  readonly said: Said[] = [];
  readonly readers = Array.from({ length: USERS }, () => new NaiveReader());

  /** The first direct conversation is of users 0 and 1, the second of all. */
  takesPart(at: number, conversation: number): boolean {
    return conversation === CONVERSATIONS - 2 ? at < 2 : conversation === CONVERSATIONS - 1;
  }

  isRead(at: number, message: Said): boolean {
    const reader = this.readers[at] as NaiveReader;
    if (reader.markedUnread.has(message.id)) return false;
    if (reader.read.has(message.id)) return true;
    return message.channel !== undefined && (!reader.channels.has(message.channel) || this.#isHistory(at, message));
  }

  flags(at: number, message: Said): string[] {
    const historical = message.channel !== undefined && !this.readers[at]?.received.has(message.id);
    return [...(historical ? ['historical'] : []), ...(this.isRead(at, message) ? ['read'] : [])];
  }

  /** Newest first; a mark in a channel the user has left does not count any more. */
  unread(at: number): number[] {
    return this.said
      .filter((message) => this.#reaches(at, message) && !this.isRead(at, message))
      .map(({ id }) => id)
      .reverse();
  }

  send(at: number, conversation: number, id: number, readBySender: boolean): void {
    const channel = conversation < CHANNELS * 2 ? Math.floor(conversation / 2) : undefined;
    const message = { id, conversation, channel, sender: at };
    this.said.push(message);
    for (const [each, reader] of this.readers.entries()) if (this.#reaches(each, message)) reader.received.add(id);
    if (readBySender) this.readers[at]?.read.add(id);
  }

  markRead(at: number, messages: readonly Said[]): number[] {
    const reader = this.readers[at] as NaiveReader;
    const changed = messages.filter((message) => !this.isRead(at, message));
    for (const { id } of changed) {
      reader.markedUnread.delete(id);
      reader.read.add(id);
    }
    return changed.map(({ id }) => id);
  }

  markUnread(at: number, messages: readonly Said[]): number[] {
    const reader = this.readers[at] as NaiveReader;
    const changed = messages.filter(
      (message) => this.isRead(at, message) && (reader.received.has(message.id) || this.#reaches(at, message)),
    );
    for (const { id } of changed) reader.markedUnread.add(id);
    return changed.map(({ id }) => id);
  }

  markConversationRead(at: number, conversation: number, upTo: number): void {
    const reader = this.readers[at] as NaiveReader;
    for (const message of this.said) {
      if (message.conversation !== conversation || message.id > upTo) continue;
      reader.markedUnread.delete(message.id);
      reader.read.add(message.id);
    }
  }

  subscribe(at: number, channel: number): void {
    const reader = this.readers[at] as NaiveReader;
    if (reader.channels.has(channel)) return;
    reader.channels.add(channel);
    this.#history.set(`${at} ${channel}`, this.said.at(-1)?.id ?? 0);
  }

  unsubscribe(at: number, channel: number): void {
    this.readers[at]?.channels.delete(channel);
  }

  readonly #history = new Map<string, number>();

  #isHistory(at: number, { id, channel }: Said): boolean {
    return id <= (this.#history.get(`${at} ${channel}`) ?? 0);
  }

  #reaches(at: number, { channel, conversation }: Said): boolean {
    return channel === undefined ? this.takesPart(at, conversation) : !!this.readers[at]?.channels.has(channel);
  }
}

interface Real {
  storage: Storage;
  users: User[];
  channels: number[];
  conversations: Conversation[];
}

async function found(storage: Storage): Promise<Real> {
  return storage.write(async (tx) => {
    const users = Object.values(await createUsers(tx, 'Ada', 'Bob', 'Cyd'));
    const ids = users.map(({ id }) => id);
    const channels = [await createChannel(tx, 'one'), await createChannel(tx, 'two')];
    const conversations: Conversation[] = [];
    for (const channel of channels) {
      for (const topic of ['x', 'y']) conversations.push(await tx.conversations.ensureTopic(channel, topic));
    }
    conversations.push(await tx.conversations.ensureDirect(ids.slice(0, 2)), await tx.conversations.ensureDirect(ids));
    return { storage, users, channels, conversations };
  });
}

/** Plays one step on both sides and compares what it answers. */
async function play(step: Step, real: Real, naive: NaiveChat): Promise<void> {
  const who = real.users[step.user] as User;
  // Only what is there, in a random order and perhaps twice.
  const chosen = 'messages' in step ? step.messages.flatMap((at) => naive.said[at] ?? []) : [];
  const ids = chosen.map(({ id }) => id);
  const distinct = naive.said.filter((message) => chosen.includes(message));
  await real.storage.write(async (tx) => {
    switch (step.do) {
      case 'send': {
        const place = real.conversations[step.conversation] as Conversation;
        const id = await send(tx, who, place, { read_by_sender: step.readBySender });
        return naive.send(step.user, step.conversation, id, step.readBySender);
      }
      case 'markRead':
        return assert.deepEqual(await tx.readState.markRead(who.id, ids), naive.markRead(step.user, distinct));
      case 'markUnread':
        return assert.deepEqual(await tx.readState.markUnread(who.id, ids), naive.markUnread(step.user, distinct));
      case 'markConversationRead': {
        const upTo = naive.said[step.upTo]?.id ?? naive.said.at(-1)?.id ?? 0;
        await tx.readState.markConversationRead(who.id, real.conversations[step.conversation]?.id ?? 0, upTo);
        return naive.markConversationRead(step.user, step.conversation, upTo);
      }
      case 'subscribe':
        await subscribe(tx, real.channels[step.channel] as number, who);
        return naive.subscribe(step.user, step.channel);
      case 'unsubscribe':
        await unsubscribe(tx, real.channels[step.channel] as number, who);
        return naive.unsubscribe(step.user, step.channel);
    }
  });
}

async function compare({ storage, users, channels }: Real, naive: NaiveChat): Promise<void> {
  const ids = naive.said.map(({ id }) => id);
  await storage.read(async (tx) => {
    for (const [at, { id }] of users.entries()) {
      const unread = naive.unread(at);
      assert.deepEqual(
        (await tx.readState.unread(id, 1_000)).map((message) => message.id),
        unread,
      );
      const flags = await tx.readState.flagsOf(id, ids);
      for (const message of naive.said) {
        assert.deepEqual(flags.get(message.id)?.sort(), naive.flags(at, message), `user ${at}, message ${message.id}`);
      }
      const received = naive.said.filter((message) => naive.readers[at]?.received.has(message.id));
      assert.deepEqual(
        await tx.messages.received(id, ids),
        received.map((message) => message.id),
      );
      const pairs = channels.map((channel_id) => ({ user_id: id, channel_id }));
      const inChannels = await tx.readState.unreadInChannels(pairs);
      assert.deepEqual(
        inChannels.flatMap(({ message_ids }) => message_ids).sort((one, other) => other - one),
        unread.filter((message) => naive.said.some((said) => said.id === message && said.channel !== undefined)),
      );
    }
  });
}

export function readStateModel(engine: Engine): void {
  test('random sending, reading and subscribing agrees with a plain set of ids per user', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60, size: 'max' }), async (steps) => {
        const place = await openPlace();
        try {
          const real = await found(place.storage);
          const naive = new NaiveChat();
          for (const [at, each] of steps.entries()) {
            await play(each, real, naive);
            if (at % 8 === 7) await compare(real, naive);
          }
          await compare(real, naive);
        } finally {
          await place.dispose();
        }
      }),
      { numRuns: engine.name === 'PostgreSQL' ? 8 : 40, endOnFailure: process.env.CI !== undefined },
    );
  });

  /** Without a test's own end: each run needs a database of its own. */
  async function openPlace() {
    const ends: (() => Promise<void>)[] = [];
    const { storage } = await openFounded({ after: (end) => ends.push(end) }, engine);
    return {
      storage,
      async dispose() {
        for (const end of ends) await end();
      },
    };
  }
}
