import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatError } from '../../../../lib/index.ts';
import { sqliteEngine } from '../../../world/copies.ts';
import { stateDigest } from '../../../world/digest.ts';
import type { ChannelName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';
import { message, say } from '../in-worlds.ts';

const CONTENTS = [undefined, '', 'changed'] as const;
const TOPICS = [undefined, 'acts', 'ACTS', 'scenes', '', '✔ acts', 'ghosts'] as const;
const TARGETS: readonly (ChannelName | undefined)[] = [
  ...[undefined, 'public', 'webPublic', 'shared'],
  ...['protected', 'archived', 'default'],
] as (ChannelName | undefined)[];
const MODES = [undefined, 'change_one', 'change_later', 'change_all'] as const;

interface Wanted {
  content: (typeof CONTENTS)[number];
  topic: (typeof TOPICS)[number];
  target: ChannelName | undefined;
  mode: (typeof MODES)[number];
}

/** The expected outcome of a request by the author. The channel `default` requires topics. */
function isRefused({ content, topic, target, mode }: Wanted): boolean {
  if (content === undefined && topic === undefined && target === undefined) return true;
  if ((mode ?? 'change_one') !== 'change_one' && topic === undefined && target === undefined) return true;
  const moves = target !== undefined && target !== 'public';
  if (moves && content !== undefined) return true;
  if (target === 'protected' || target === 'archived') return true;
  return target === 'default' && topic === '';
}

/** Places of the three messages of the topic after a move of the second. */
function expected({ topic, target, mode }: Wanted): [channel: ChannelName, topic: string][] {
  const channel = target ?? 'public';
  const respelled = topic === 'ACTS' && channel === 'public';
  const reached = respelled || mode === 'change_all' ? [0, 1, 2] : mode === 'change_later' ? [1, 2] : [1];
  return [0, 1, 2].map((at) => (reached.includes(at) ? [channel, topic ?? 'acts'] : ['public', 'acts']));
}

async function three(world: World): Promise<number[]> {
  const ids = [];
  for (const content of ['one', 'two', 'three'])
    ids.push(await say(world, 'hamlet', world.channels.public, 'acts', content));
  return ids;
}

async function tried(world: World, wanted: Wanted): Promise<void> {
  const { content, topic, target, mode } = wanted;
  const ids = await three(world);
  const before = isRefused(wanted) ? await stateDigest(world.storage) : undefined;
  const request = {
    message_id: ids[1] as number,
    send_notification_to_new_thread: false,
    ...(content === undefined ? {} : { content }),
    ...(topic === undefined ? {} : { topic }),
    ...(target === undefined ? {} : { stream_id: world.channels[target] }),
    ...(mode === undefined ? {} : { propagate_mode: mode }),
  };
  const refusal = await world
    .as('hamlet')
    .messages.edit(request)
    .then(
      () => undefined,
      (error) => error,
    );
  if (before) {
    assert.ok(refusal instanceof ChatError, 'the request is refused');
    assert.deepEqual(await stateDigest(world.storage), before, 'a refused request changes nothing');
    for (const message_id of ids) await world.as('hamlet').messages.delete({ message_id });
    return;
  }
  assert.equal(refusal, undefined, 'the request succeeds');
  const found = [];
  for (const id of ids) {
    const { stream_id, subject } = await message(world, 'hamlet', id);
    found.push([Object.entries(world.channels).find(([, channel]) => channel === stream_id)?.[0], subject]);
  }
  assert.deepEqual(found, expected(wanted));
  const texts = [];
  for (const id of ids) texts.push((await message(world, 'hamlet', id, true)).content);
  assert.deepEqual(texts, ['one', content === undefined ? 'two' : content || '(deleted)', 'three']);
  for (const message_id of ids) await world.as('hamlet').messages.delete({ message_id });
}

/** @param isWhole every combination; otherwise a quarter, in which each three values of different kinds meet */
export function testCombinations({ isWhole }: { isWhole: boolean }): void {
  for (const [channel, target] of TARGETS.entries()) {
    test(`an edit with ${target ?? 'no channel'} and any content, topic and mode is applied completely or refused`, async () => {
      const world = await sqliteEngine.world();
      try {
        await world.as('owner').channels.edit({
          stream_id: world.channels.default,
          topics_policy: 'disable_empty_topic',
        });
        for (const [first, content] of CONTENTS.entries())
          for (const [second, topic] of TOPICS.entries())
            for (const [third, mode] of MODES.entries()) {
              if (!isWhole && (channel + first + second + third) % MODES.length !== 0) continue;
              const wanted = { content, topic, target, mode };
              await tried(world, wanted).catch((error) => {
                throw new Error(`${JSON.stringify(wanted)}: ${error.message}`, { cause: error });
              });
            }
        assert.deepEqual(world.failures, []);
      } finally {
        await world.close();
      }
    });
  }
}
