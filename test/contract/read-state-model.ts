import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { User } from '../../lib/model/users.ts';
import type { Conversation } from '../../lib/storage/interface/conversations.ts';
import type { Storage, Transaction } from '../../lib/storage/interface/storage.ts';
import { type Engine, isNightly, testOn } from '../support/engines.ts';
import { createChannel, createUsers, markAllRead, openFounded, send, subscribe, unsubscribe } from './fixtures.ts';

const USERS = 3;
/** The second channel is private and has protected history. */
const CHANNELS = 2;
const TOPICS = ['x', 'y', 'z'];
/** Direct conversations: one of the first two users, one of all users. */
const DIRECTS = 2;

/** A topic of a channel, or a direct conversation. */
type Place = { channel: number; topic: number } | { direct: number };
type TopicPlace = Extract<Place, { channel: number }>;

/** Initial subscriptions: user and channel. */
const STARTING: readonly [number, number][] = [
  [0, 0],
  [0, 1],
  [1, 0],
];

type Step =
  | { do: 'send'; user: number; place: Place; readBySender: boolean }
  | { do: 'notice'; user: number; place: TopicPlace; unreadFor: number[] }
  | { do: 'markRead' | 'markUnread'; user: number; messages: number[] }
  | { do: 'markRangeRead'; user: number; place: Place; ends: [number, number] }
  | { do: 'markAllRead'; user: number; within: 'everything' | 'channel' | 'topic'; place: TopicPlace }
  | { do: 'subscribe' | 'unsubscribe'; user: number; channel: number }
  | { do: 'mute' | 'unmute'; user: number; other: number }
  | { do: 'move'; user: number; messages: number[]; to: TopicPlace }
  | { do: 'moveTopic'; user: number; from: TopicPlace; to: TopicPlace }
  | { do: 'remove'; user: number; messages: number[] };

const user = fc.nat(USERS - 1);
const channel = fc.nat(CHANNELS - 1);
const topicPlace: fc.Arbitrary<TopicPlace> = fc.record({ channel, topic: fc.nat(TOPICS.length - 1) });
const place: fc.Arbitrary<Place> = fc.oneof(
  { weight: 6, arbitrary: topicPlace },
  { weight: 1, arbitrary: fc.record({ direct: fc.nat(DIRECTS - 1) }) },
);
/** Indexes of sent messages, modulo their number. */
const messages = fc.array(fc.nat(30), { minLength: 1, maxLength: 6 });
const within = fc.constantFrom('everything' as const, 'channel' as const, 'topic' as const);
const a = <S extends Step['do']>(name: S) => fc.constant(name);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: a('send'), user, place, readBySender: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: a('notice'), user, place: topicPlace, unreadFor: fc.subarray([0, 1, 2]) }) },
  { weight: 3, arbitrary: fc.record({ do: a('markRead'), user, messages }) },
  { weight: 2, arbitrary: fc.record({ do: a('markUnread'), user, messages }) },
  { weight: 2, arbitrary: fc.record({ do: a('markRangeRead'), user, place, ends: fc.tuple(fc.nat(8), fc.nat(8)) }) },
  { weight: 1, arbitrary: fc.record({ do: a('markAllRead'), user, within, place: topicPlace }) },
  { weight: 2, arbitrary: fc.record({ do: a('subscribe'), user, channel }) },
  { weight: 1, arbitrary: fc.record({ do: a('unsubscribe'), user, channel }) },
  { weight: 2, arbitrary: fc.record({ do: a('mute'), user, other: user }) },
  { weight: 1, arbitrary: fc.record({ do: a('unmute'), user, other: user }) },
  { weight: 4, arbitrary: fc.record({ do: a('move'), user, messages, to: topicPlace }) },
  { weight: 3, arbitrary: fc.record({ do: a('moveTopic'), user, from: topicPlace, to: topicPlace }) },
  { weight: 1, arbitrary: fc.record({ do: a('remove'), user, messages: fc.array(fc.nat(30), { maxLength: 2 }) }) },
);

interface Said {
  id: number;
  place: Place;
  sender: number;
  /** Subscriptions at the time of sending, as `user channel`. */
  audience: ReadonlySet<string>;
}

const samePlace = (one: Place, other: Place) => JSON.stringify(one) === JSON.stringify(other);
const channelOf = (place: Place) => ('channel' in place ? place.channel : undefined);

/** A simple model of unread messages: a set of IDs for each user. */
class NaiveChat {
  said: Said[] = [];
  readonly subscriptions = new Set(STARTING.map(([at, channel]) => `${at} ${channel}`));
  /** `user other`: the first has muted the second. */
  readonly muted = new Set<string>();
  readonly #unread = Array.from({ length: USERS }, () => new Set<number>());

  reaches(at: number, place: Place): boolean {
    if ('direct' in place) return place.direct === 1 || at < 2;
    return this.subscriptions.has(`${at} ${place.channel}`);
  }

  received(at: number, { place, audience }: Said): boolean {
    return 'direct' in place ? this.reaches(at, place) : audience.has(`${at} ${place.channel}`);
  }

  flags(at: number, message: Said): string[] {
    const historical = 'channel' in message.place && !this.received(at, message);
    return [...(historical ? ['historical'] : []), ...(this.#isRead(at, message.id) ? ['read'] : [])];
  }

  /** Newest first. */
  unread(at: number): Said[] {
    return this.said.filter((message) => this.reaches(at, message.place) && !this.#isRead(at, message.id)).reverse();
  }

  send(at: number, place: Place, id: number, readBySender: boolean): void {
    this.said.push({ id, place, sender: at, audience: new Set(this.subscriptions) });
    for (const [each, unread] of this.#unread.entries()) {
      // Users outside a direct conversation have its messages as unread in the model. No step reads them.
      const isHeard = !this.muted.has(`${each} ${at}`);
      if (isHeard && ('direct' in place || this.reaches(each, place))) unread.add(id);
    }
    if (readBySender) this.#unread[at]?.delete(id);
  }

  notice(at: number, place: Place, id: number, unreadFor: readonly number[]): void {
    this.send(at, place, id, true);
    for (const [each, unread] of this.#unread.entries()) if (!unreadFor.includes(each)) unread.delete(id);
  }

  markRead(at: number, messages: readonly Said[]): number[] {
    const changed = messages.filter(({ id }) => !this.#isRead(at, id)).map(({ id }) => id);
    for (const id of changed) this.#unread[at]?.delete(id);
    return changed;
  }

  markUnread(at: number, messages: readonly Said[]): number[] {
    const changed = messages
      .filter(({ id, place }) => this.#isRead(at, id) && this.reaches(at, place))
      .map(({ id }) => id);
    for (const id of changed) this.#unread[at]?.add(id);
    return changed;
  }

  /** Returns the messages that were unread. */
  mute(at: number, other: number): number[] {
    this.muted.add(`${at} ${other}`);
    const theirs = this.said.filter(({ sender }) => sender === other);
    const unread = theirs.filter(({ id, place }) => this.reaches(at, place) && !this.#isRead(at, id));
    for (const { id } of theirs) this.#unread[at]?.delete(id);
    return unread.map(({ id }) => id);
  }

  unsubscribe(at: number, channel: number): void {
    this.subscriptions.delete(`${at} ${channel}`);
    for (const { id, place } of this.said) if (channelOf(place) === channel) this.#unread[at]?.delete(id);
  }

  /** Changes only the place. Messages become read for users without a subscription there. */
  move(messages: readonly Said[], to: TopicPlace): void {
    for (const message of messages) {
      message.place = to;
      for (const [at, unread] of this.#unread.entries()) if (!this.reaches(at, to)) unread.delete(message.id);
    }
  }

  remove(messages: readonly Said[]): void {
    this.said = this.said.filter((message) => !messages.includes(message));
    for (const { id } of messages) for (const unread of this.#unread) unread.delete(id);
  }

  #isRead(at: number, id: number): boolean {
    return !this.#unread[at]?.has(id);
  }
}

interface Real {
  storage: Storage;
  users: User[];
  channels: number[];
  directs: Conversation[];
}

async function found(storage: Storage): Promise<Real> {
  return storage.write(async (tx) => {
    const users = Object.values(await createUsers(tx, 'Ada', 'Bob', 'Cyd'));
    const ids = users.map(({ id }) => id);
    const hidden = { invite_only: true, history_public_to_subscribers: false };
    const channels = [await createChannel(tx, 'one'), await createChannel(tx, 'two', hidden)];
    // Initial subscribers, so that most steps affect a user.
    for (const [at, channel] of STARTING) await subscribe(tx, channels[channel] as number, users[at] as User);
    const directs = [await tx.conversations.ensureDirect(ids.slice(0, 2)), await tx.conversations.ensureDirect(ids)];
    return { storage, users, channels, directs };
  });
}

async function conversationAt(tx: Transaction, { channels, directs }: Real, place: Place): Promise<Conversation> {
  if ('direct' in place) return directs[place.direct] as Conversation;
  return tx.conversations.ensureTopic(channels[place.channel] as number, TOPICS[place.topic] as string);
}

/** Plays one step in the storage and in the model, and compares the results. */
async function play(step: Step, real: Real, naive: NaiveChat): Promise<void> {
  const who = real.users[step.user] as User;
  // In random order, with possible repetitions.
  const chosen = 'messages' in step ? step.messages.flatMap((at) => naive.said[at % naive.said.length] ?? []) : [];
  const ids = chosen.map(({ id }) => id);
  const distinct = naive.said.filter((message) => chosen.includes(message));
  await real.storage.write(async (tx) => {
    switch (step.do) {
      case 'send': {
        const conversation = await conversationAt(tx, real, step.place);
        const id = await send(tx, who, conversation, { read_by_sender: step.readBySender });
        return naive.send(step.user, step.place, id, step.readBySender);
      }
      case 'notice': {
        const id = await send(tx, who, await conversationAt(tx, real, step.place));
        const unreadFor = step.unreadFor.map((at) => (real.users[at] as User).id);
        await tx.readState.markReadExcept(unreadFor, id);
        return naive.notice(step.user, step.place, id, step.unreadFor);
      }
      case 'markRead':
        return assert.deepEqual(await tx.readState.markRead(who.id, ids), naive.markRead(step.user, distinct));
      case 'markUnread':
        return assert.deepEqual(await tx.readState.markUnread(who.id, ids), naive.markUnread(step.user, distinct));
      case 'markRangeRead': {
        const there = naive.said.filter(({ place }) => samePlace(place, step.place));
        if (there.length === 0 || !naive.reaches(step.user, step.place)) return;
        const [from, to] = step.ends.map((at) => at % there.length).sort((one, other) => one - other) as [
          number,
          number,
        ];
        const between = there.slice(from, to + 1);
        const conversation_id = (await conversationAt(tx, real, step.place)).id;
        const ends = { from_id: between[0]?.id as number, to_id: between.at(-1)?.id as number };
        return assert.deepEqual(
          await tx.readState.markRangeRead(who.id, { conversation_id, ...ends }),
          naive.markRead(step.user, between),
        );
      }
      case 'markAllRead': {
        const channel_id = real.channels[step.place.channel] as number;
        const conversation_id = (await conversationAt(tx, real, step.place)).id;
        const where = { everything: {}, channel: { channel_id }, topic: { conversation_id } }[step.within];
        const reached = naive
          .unread(step.user)
          .filter(
            ({ place }) =>
              step.within === 'everything' ||
              (step.within === 'channel' ? channelOf(place) === step.place.channel : samePlace(place, step.place)),
          );
        return assert.deepEqual(await markAllRead(tx, who.id, where), naive.markRead(step.user, reached.reverse()));
      }
      case 'subscribe':
        await subscribe(tx, real.channels[step.channel] as number, who);
        return void naive.subscriptions.add(`${step.user} ${step.channel}`);
      case 'unsubscribe': {
        const isThere = naive.subscriptions.has(`${step.user} ${step.channel}`);
        const wasUnread = isThere
          ? naive.unread(step.user).filter(({ place }) => channelOf(place) === step.channel)
          : [];
        const ids = wasUnread.map(({ id }) => id).reverse();
        const told = await unreadOnLeaving(tx, who.id, real.channels[step.channel] as number);
        assert.deepEqual(told.atOnce, ids);
        await unsubscribe(tx, real.channels[step.channel] as number, who);
        assert.deepEqual(await told.later(), ids);
        return naive.unsubscribe(step.user, step.channel);
      }
      case 'mute': {
        if (step.user === step.other || naive.muted.has(`${step.user} ${step.other}`)) return;
        const other = (real.users[step.other] as User).id;
        const wasUnread = naive.mute(step.user, step.other);
        const after_id = await tx.mutedUsers.mutedUntil(who.id, other);
        assert.equal(await tx.mutedUsers.add(who.id, { id: other, timestamp: 1 }), true);
        return assert.deepEqual(await unreadFrom(tx, who.id, other, after_id), wasUnread);
      }
      case 'unmute': {
        const other = (real.users[step.other] as User).id;
        assert.equal(await tx.mutedUsers.remove(who.id, other), naive.muted.delete(`${step.user} ${step.other}`));
        return;
      }
      case 'move': {
        const from = distinct[0]?.place;
        if (!from || 'direct' in from || samePlace(from, step.to)) return;
        return moveSome(
          tx,
          real,
          naive,
          distinct.filter(({ place }) => samePlace(place, from)),
          from,
          step.to,
        );
      }
      case 'moveTopic': {
        const all = naive.said.filter(({ place }) => samePlace(place, step.from));
        const last = all.at(-1);
        if (!last || samePlace(step.from, step.to)) return;
        if (naive.said.some(({ place }) => samePlace(place, step.to))) {
          return moveSome(tx, real, naive, all, step.from, step.to);
        }
        const to = { channel_id: real.channels[step.to.channel] as number, topic: TOPICS[step.to.topic] as string };
        const origin = await conversationAt(tx, real, step.from);
        await tx.conversations.rename(origin, to, { timestamp: 1_700_000_000, up_to: last.id });
        return naive.move(all, step.to);
      }
      case 'remove':
        await tx.messages.remove(ids);
        return naive.remove(distinct);
    }
  });
}

/** Unread messages of one sender, read in pages, and messages marked as unread. */
async function unreadFrom(tx: Transaction, userId: number, senderId: number, after_id: number): Promise<number[]> {
  const found = new Set(await tx.readState.clearMarksFrom(userId, senderId, 1_000));
  const to_id = await tx.messages.maxId();
  for (let from: number | undefined = after_id; from !== undefined; ) {
    const page = await tx.readState.unreadFrom(userId, senderId, { after_id: from, to_id }, 2);
    for (const id of page.message_ids) found.add(id);
    from = page.after_id;
  }
  return ascending(found);
}

/** Unread messages of a channel, read before the user unsubscribes and after. */
async function unreadOnLeaving(tx: Transaction, user_id: number, channel_id: number) {
  const pair = { user_id, channel_id };
  const marked = (await tx.readState.markedInChannels([pair])).flatMap(({ message_ids }) => message_ids);
  const unread = (await tx.readState.unreadInChannels([pair], 1_000)) ?? [];
  const [subscription] = await tx.subscriptions.pairs([user_id], [channel_id]);
  const to_id = await tx.messages.maxId();
  return {
    atOnce: ascending(new Set([...marked, ...unread.flatMap(({ message_ids }) => message_ids)])),
    later: async () => {
      if (!subscription?.active) return [];
      const left = { ...pair, floor: subscription.floor, to_id };
      const found = await tx.readState.unreadLeft(left, await tx.readState.conversationsLeft(left), 1_000);
      return ascending(new Set([...marked, ...(found ?? [])]));
    },
  };
}

const ascending = (ids: ReadonlySet<number>) => [...ids].sort((one, other) => one - other);

async function moveSome(
  tx: Transaction,
  real: Real,
  naive: NaiveChat,
  messages: readonly Said[],
  from: TopicPlace,
  to: TopicPlace,
): Promise<void> {
  const [origin, target] = [await conversationAt(tx, real, from), await conversationAt(tx, real, to)];
  await tx.messages.move(
    messages.map(({ id }) => id),
    origin,
    target,
    1_700_000_000,
  );
  naive.move(messages, to);
}

async function compare({ storage, users, channels }: Real, naive: NaiveChat): Promise<void> {
  const ids = naive.said.map(({ id }) => id);
  await storage.read(async (tx) => {
    for (const [at, { id }] of users.entries()) {
      const unread = naive.unread(at);
      assert.deepEqual(
        (await tx.readState.unread(id, 1_000)).map((message) => message.id),
        unread.map((message) => message.id),
        `unread of user ${at}`,
      );
      // Limits below the number of unread messages. The storage looks for them in windows, some too wide and some too
      // narrow.
      for (const limit of [1, 2, 5]) {
        assert.deepEqual(
          (await tx.readState.unread(id, limit)).map((message) => message.id),
          unread.slice(0, limit).map((message) => message.id),
          `the newest ${limit} unread of user ${at}`,
        );
      }
      const flags = await tx.readState.flagsOf(id, ids);
      for (const message of naive.said) {
        assert.deepEqual(flags.get(message.id)?.sort(), naive.flags(at, message), `user ${at}, message ${message.id}`);
      }
      const received = naive.said.filter((message) => naive.received(at, message)).map((message) => message.id);
      assert.deepEqual(await tx.messages.received(id, ids), received);
      // Messages that the user can see in the channel with protected history.
      const hidden = channels[1] as number;
      assert.deepEqual(
        await tx.messages.fetchIds({ viewer: id, channels: [hidden], receivedOnlyIn: [hidden] }, 0, 'after', 1_000),
        naive.said
          .filter(({ id, place }) => channelOf(place) === 1 && received.includes(id))
          .map((message) => message.id),
      );
      const pairs = channels.map((channel_id) => ({ user_id: id, channel_id }));
      const inChannels = [
        ...((await tx.readState.unreadInChannels(pairs, 1_000)) ?? []),
        ...(await tx.readState.markedInChannels(pairs)),
      ];
      assert.deepEqual(
        ascending(new Set(inChannels.flatMap(({ message_ids }) => message_ids))).reverse(),
        unread.filter(({ place }) => 'channel' in place).map((message) => message.id),
      );
    }
  });
}

const runsOn = ({ name }: Engine) => (name === 'PostgreSQL' ? 2 : 10) * (isNightly ? 5 : 1);

export function readStateModel(engine: Engine): void {
  const test = testOn(engine);
  test('random sends, reads, moves, deletions, mutes and subscriptions match a model of unread IDs', async () => {
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
      {
        numRuns: Number(process.env.PARLANCE_MODEL_RUNS ?? runsOn(engine)),
        endOnFailure: process.env.CI !== undefined,
      },
    );
  });

  /** A storage that is disposed after one run: each run needs its own database. */
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
