import { ChatError } from '../../../lib/index.ts';
import type { ChannelName, UserName } from '../../world/fixture.ts';
import { CHANNELS } from '../../world/fixture.ts';
import { assertSound } from '../../world/sound.ts';
import type { World } from '../../world/world.ts';
import { type Capabilities, Follower } from './follower.ts';
import { inWorlds } from './in-worlds.ts';

const EVERY = 4;

const MODERN = { bulk_message_deletion: true, empty_topic_name: true, archived_channels: true };
const LEGACY = {};
/** Users who follow the events, and the capabilities of their clients. */
const FOLLOWERS: readonly [UserName, Capabilities][] = [
  ['owner', MODERN],
  ['administrator', LEGACY],
  ['moderator', { bulk_message_deletion: true, archived_channels: true }],
  ['hamlet', MODERN],
  ['cordelia', { empty_topic_name: true }],
  ['cordelia', MODERN],
  ['guest', LEGACY],
  ['guest', MODERN],
];

const ACTORS: readonly UserName[] = ['owner', 'administrator', 'moderator', 'hamlet', 'cordelia', 'guest', 'bot'];
const PLACES: readonly ChannelName[] = ['public', 'quiet', 'webPublic', 'shared', 'protected', 'default'];
const TOPICS = ['acts', 'Acts', 'scenes', '', '✔ acts', 'ghosts'];
const CONTENTS = ['word', '/me waits', '@**Cordelia**', '@**all**', '@**topic** *now*', '@*kitchen*', '@**Gus Guest**'];
/** Public, private with shared and with protected history, open for subscription or not. */
const KINDS = [
  { is_private: false },
  { is_private: true, history_public_to_subscribers: true },
  { is_private: true, history_public_to_subscribers: false },
  { can_subscribe_group: { new: 6 } },
  { can_subscribe_group: { new: 1 } },
  { is_archived: false },
];
const MODES = ['change_one', 'change_later', 'change_all'] as const;

/** Pseudorandom numbers, the same in each run. */
function dice(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
  return {
    chance: (share: number) => next() < share,
    one: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T,
  };
}

type Dice = ReturnType<typeof dice>;

/** A random change by a random user. It may be refused. */
function step({ as, channels, users }: World, { one, chance }: Dice, ids: readonly number[]): () => Promise<unknown> {
  const actor = one(ACTORS);
  const session = as(actor);
  const channel = one(PLACES);
  const stream_id = channels[channel];
  const message_id = one(ids.slice(chance(0.5) ? -8 : 0));
  const mover = as(one(['owner', 'cordelia', 'hamlet'] as const));
  const say = () =>
    session.messages.send({ type: 'channel', to: stream_id, topic: one(TOPICS), content: one(CONTENTS) });
  const move = (to: object) => () => mover.messages.edit({ message_id, propagate_mode: one(MODES), ...to });
  const mark = (flag: 'read' | 'starred' | 'collapsed') => () =>
    session.messages.updateFlags({ messages: [one(ids), one(ids), message_id], op: one(['add', 'remove']), flag });
  return one([
    ...[say, say, say, mark('read'), mark('starred')],
    ...[move({ topic: one(TOPICS) }), move({ stream_id }), move({ stream_id, topic: one(TOPICS) })],
    () =>
      session.messages.send({ type: 'direct', to: [users[one(ACTORS)], users[one(ACTORS)]], content: one(CONTENTS) }),
    () => session.messages.edit({ message_id, content: one(CONTENTS), ...(chance(0.3) ? { topic: one(TOPICS) } : {}) }),
    () => mover.messages.delete({ message_id }),
    () =>
      session.messages.updateFlagsNarrow({
        anchor: message_id,
        num_before: 3,
        num_after: 3,
        op: one(['add', 'remove']),
        flag: 'read',
        narrow: chance(0.5) ? [] : [{ operator: 'channel', operand: stream_id }],
      }),
    () => session.messages.markAllRead(),
    () => session.messages.markChannelRead({ stream_id }),
    () => session.messages.markTopicRead({ stream_id, topic_name: one(TOPICS) }),
    () => session.messages.addReaction({ message_id, emoji_name: one(['tada', 'heart']) }),
    () => session.messages.removeReaction({ message_id, emoji_name: one(['tada', 'heart']) }),
    () => session.subscriptions.remove({ subscriptions: [CHANNELS[channel]] }),
    () => session.subscriptions.add({ subscriptions: [{ name: CHANNELS[channel] }] }),
    () => mover.subscriptions.add({ subscriptions: [{ name: CHANNELS[channel] }], principals: [users[actor]] }),
    () => as('owner').subscriptions.remove({ subscriptions: [CHANNELS[channel]], principals: [users[actor]] }),
    () => as('owner').channels.edit({ stream_id, ...one(KINDS) }),
    () => as('owner').channels.edit({ stream_id, ...one(KINDS) }),
    () =>
      chance(0.5)
        ? as('owner').channels.archive({ stream_id })
        : as('owner').channels.edit({ stream_id, is_archived: false }),
  ]);
}

async function live(world: World, seed: number, steps: number): Promise<void> {
  await world.as('owner').organization.edit({
    move_messages_between_streams_limit_seconds: 'unlimited',
    move_messages_within_stream_limit_seconds: 'unlimited',
    message_content_edit_limit_seconds: 'unlimited',
    message_content_delete_limit_seconds: 'unlimited',
  });
  for (const place of PLACES) {
    const principals = [world.users.owner, world.users.hamlet];
    await world
      .as('cordelia')
      .subscriptions.add({ subscriptions: [{ name: CHANNELS[place] }], principals })
      .catch(() => {});
    await world
      .as('hamlet')
      .subscriptions.add({ subscriptions: [{ name: CHANNELS[place] }], principals })
      .catch(() => {});
  }
  const followers = [];
  for (const [user, capabilities] of FOLLOWERS) followers.push(await new Follower(world, user, capabilities).start());
  const random = dice(seed);

  for (let n = 1; n <= steps; n++) {
    const max = await world.storage.read((tx) => tx.messages.maxId());
    const ids = Array.from({ length: max }, (_, at) => at + 1);
    const what = step(world, random, ids);
    world.clock.advance({ seconds: 1 });
    try {
      await what();
    } catch (error) {
      if (!(error instanceof ChatError)) throw error;
    }
    for (const follower of followers) await follower.hear();
    if (n % EVERY === 0) for (const follower of followers) await follower.check();
  }
  await assertSound(world.storage);
}

/** Plays random changes in an organization on each engine. Clients follow the events. */
export function playHistory(seed: number, steps = 80): void {
  inWorlds(`the events of random changes give clients the state of a new register, history ${seed}`, (world) =>
    live(world, seed, steps),
  );
}
