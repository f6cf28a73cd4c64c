import assert from 'node:assert/strict';
import type { UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';
import { editedAndMoved, partedAndJoined, QUIET } from '../changed-messages.ts';
import { followed } from '../follower.ts';
import { inWorlds, message, say } from '../in-worlds.ts';

/** The edit_history of each listed message. */
async function changesOf(
  world: World,
  ids: readonly number[],
  as: UserName = 'cordelia',
  allow_empty_topic_name = true,
) {
  const { messages } = await world.as(as).messages.list({ message_ids: [...ids], allow_empty_topic_name });
  return messages.map((one) => one.edit_history);
}

inWorlds('a message that was never touched has no edit history', async (world) => {
  const id = await say(world, 'hamlet', world.channels.public, 'acts');
  const found = await message(world, 'cordelia', id);
  assert.ok(!('edit_history' in found) && !('last_moved_timestamp' in found) && !('last_edit_timestamp' in found));
  assert.deepEqual(await changesOf(world, [id]), [undefined]);
});

inWorlds('edit_history lists each change with only what it changed, newest first', async (world) => {
  const { channels, users } = world;
  const { message_id, start } = await editedAndMoved(world, 'one **two**');
  const found = await message(world, 'hamlet', message_id);
  assert.deepEqual(found.edit_history, [
    {
      user_id: users.owner,
      timestamp: start + 50,
      prev_topic: 'finale',
      topic: 'end',
      prev_stream: channels.default,
      stream: channels.webPublic,
    },
    { user_id: users.owner, timestamp: start + 40, prev_stream: channels.public, stream: channels.default },
    {
      user_id: users.hamlet,
      timestamp: start + 30,
      prev_topic: 'scenes',
      topic: 'finale',
      prev_content: 'one **two**',
      prev_rendered_content: '<p>one <strong>two</strong></p>',
    },
    { user_id: users.owner, timestamp: start + 20, prev_topic: 'acts', topic: 'scenes' },
    { user_id: users.hamlet, timestamp: start + 10, prev_content: 'one', prev_rendered_content: '<p>one</p>' },
  ]);
  assert.equal(found.last_edit_timestamp, start + 30);
  assert.equal(found.last_moved_timestamp, start + 50);
});

inWorlds(
  'edit_history of each listed message has the topic moves since the message was in the topic',
  async (world) => {
    const { as, channels, users } = world;
    const { early, stays, late } = await partedAndJoined(world);
    const apart = await say(world, 'hamlet', channels.public, 'apart');
    const { id: direct } = await as('hamlet').messages.send({ type: 'direct', to: [users.cordelia], content: 'dear' });
    await as('hamlet').messages.edit({ message_id: direct, content: 'dearest' });
    const paths = (await changesOf(world, [early, stays, late, apart, direct])).map((history) =>
      history?.map(({ prev_topic, topic, prev_content }) => prev_content ?? `${prev_topic} ${topic}`),
    );
    assert.deepEqual(paths, [['c d', 'y c', 'x y', 'b x', 'a b'], ['c d', 'b c', 'a b'], ['c d'], undefined, ['dear']]);
  },
);

inWorlds('resolving a topic is in edit_history and does not set last_moved_timestamp', async (world) => {
  const { as, channels, clock } = world;
  const message_id = await say(world, 'hamlet', channels.public, 'acts');
  const rename = async (topic: string) => {
    clock.advance({ seconds: 10 });
    await as('hamlet').messages.edit({ message_id, topic, propagate_mode: 'change_all', ...QUIET });
  };
  await followed(world, ['cordelia', 'hamlet'], () => rename('✔ acts'));
  const resolved = await message(world, 'cordelia', message_id);
  assert.equal(resolved.edit_history?.[0]?.topic, '✔ acts');
  assert.equal(resolved.last_moved_timestamp, undefined);
  await rename('scenes');
  const moved = Math.floor(clock.now() / 1000);
  await rename('✔ scenes');
  assert.equal((await message(world, 'cordelia', message_id)).last_moved_timestamp, moved);
});

inWorlds('the history policy limits edit_history to moves or hides it', async (world) => {
  const { as, channels, users, clock } = world;
  const both = await say(world, 'hamlet', channels.public, 'acts', 'old');
  const edited = await say(world, 'hamlet', channels.public, 'others', 'old');
  const untouched = await say(world, 'hamlet', channels.public, 'others');
  for (const message_id of [both, edited]) await as('hamlet').messages.edit({ message_id, content: 'new' });
  await as('hamlet').messages.edit({ message_id: both, topic: 'scenes', content: 'newest', ...QUIET });
  const timestamp = Math.floor(clock.now() / 1000);
  await world.settings({ message_edit_history_visibility_policy: 'moves' });
  assert.deepEqual(await changesOf(world, [both, edited, untouched]), [
    [{ user_id: users.hamlet, timestamp, prev_topic: 'acts', topic: 'scenes' }],
    [],
    undefined,
  ]);
  await world.settings({ message_edit_history_visibility_policy: 'none' });
  assert.deepEqual(await changesOf(world, [both, edited, untouched]), [undefined, undefined, undefined]);
  const found = await message(world, 'cordelia', both);
  assert.ok(!('edit_history' in found));
  assert.equal(found.last_edit_timestamp, timestamp);
  assert.equal(found.last_moved_timestamp, timestamp);
});

inWorlds('edit_history has the display name of the empty topic for clients that do not support it', async (world) => {
  const message_id = await say(world, 'hamlet', world.channels.public, '');
  await world.as('hamlet').messages.edit({ message_id, topic: 'acts', ...QUIET });
  const topics = async (allowed: boolean) =>
    (await changesOf(world, [message_id], 'cordelia', allowed))[0]?.map(({ prev_topic, topic }) => [prev_topic, topic]);
  assert.deepEqual(await topics(false), [['general chat', 'acts']]);
  assert.deepEqual(await topics(true), [['', 'acts']]);
});

inWorlds('the edit_history of all listed messages takes one statement, and none without edits', async (world) => {
  const { as, channels, storage } = world;
  const ids: number[] = [];
  for (let n = 0; n < 12; n++) ids.push(await say(world, 'hamlet', channels.public, `topic ${n % 3}`));
  const counted = storage as unknown as { statements: number };
  const statements = async () => {
    const before = counted.statements;
    await as('cordelia').messages.list({ message_ids: ids });
    return counted.statements - before;
  };
  await statements();
  const untouched = await statements();
  await as('hamlet').messages.edit({ message_id: ids[0] as number, content: 'new' });
  const one = await statements();
  assert.equal(one, untouched + 1);
  for (const message_id of ids.slice(0, 3)) {
    await as('owner').messages.edit({
      message_id,
      topic: `moved ${message_id}`,
      propagate_mode: 'change_all',
      ...QUIET,
    });
  }
  for (const message_id of ids) await as('hamlet').messages.edit({ message_id, content: 'newest' });
  assert.equal(await statements(), one);
});
