import assert from 'node:assert/strict';
import { systemGroupId } from '../../../../lib/rules/roles.ts';
import { afterFirstWrite } from '../../../world/processes.ts';
import type { World } from '../../../world/world.ts';
import { BAD_REQUEST, inWorlds, listening, message, refusal, say } from '../in-worlds.ts';

/** More messages than one transaction moves. */
const LONG = 2_600;
const MOST = 2_500;

/** Stores messages of Cordelia in a topic of the public channel, without the operations. */
async function fill(world: World, topic: string, count: number): Promise<number[]> {
  return world.storage.write(async (tx) => {
    const { id: conversation_id } = await tx.conversations.ensureTopic(world.channels.public, topic);
    const ids: number[] = [];
    for (let n = 0; n < count; n++) {
      const { id } = await tx.messages.create({
        conversation_id,
        sender_id: world.users.cordelia,
        content: 'x',
        rendered_content: '<p>x</p>',
        timestamp: Math.floor(world.clock.now() / 1000),
        client: 'test',
        is_me_message: false,
        read_by_sender: true,
      });
      ids.push(id);
    }
    return ids;
  });
}

async function unread(world: World): Promise<number[]> {
  const { unread_msgs } = (await world
    .as('hamlet')
    .register({ fetch_event_types: ['message', 'update_message_flags'] })) as unknown as {
    unread_msgs: { streams: { unread_message_ids: number[] }[] };
  };
  return unread_msgs.streams.flatMap((one) => one.unread_message_ids).sort((one, other) => one - other);
}

inWorlds('a long topic moves into another in parts, with an event for each part', async (world) => {
  const target = await say(world, 'cordelia', world.channels.public, 'scenes');
  const ids = await fill(world, 'acts', LONG);
  const named = ids[LONG - 3] as number;
  await world.as('hamlet').messages.updateFlags({ messages: ids.slice(0, 700), op: 'add', flag: 'read' });
  const before = await unread(world);
  const heard = await listening(world, ['cordelia']);
  await world.as('administrator').messages.edit({ message_id: named, topic: 'scenes', propagate_mode: 'change_all' });
  const events = await heard('cordelia');
  const moves = events.filter(({ type }) => type === 'update_message');
  assert.equal(moves.length, 2);
  assert.ok(moves.every(({ message_ids }) => message_ids.length <= MOST));
  assert.ok(moves.every(({ message_ids, message_id }) => message_ids.includes(message_id)));
  assert.deepEqual(
    moves.flatMap(({ message_ids }) => message_ids).sort((one, other) => one - other),
    ids,
  );
  assert.equal(moves.at(-1).message_id, named);
  for (const id of [target, ids[0], ids.at(-1)])
    assert.equal((await message(world, 'hamlet', id as number)).subject, 'scenes');
  const notice = events.filter(({ type }) => type === 'message').map((one) => one.message.content);
  assert.equal(notice.length, 1);
  assert.match(notice[0], /this topic/);
  const known = new Set(before);
  assert.deepEqual(
    (await unread(world)).filter((id) => known.has(id)),
    before,
  );
});

inWorlds('change_later moves many messages in parts, and the notice counts all of them', async (world) => {
  const ids = await fill(world, 'acts', LONG + 10);
  const heard = await listening(world, ['cordelia']);
  const [first] = ids.slice(10) as [number];
  await world.as('administrator').messages.edit({ message_id: first, topic: 'finale', propagate_mode: 'change_later' });
  const events = await heard('cordelia');
  assert.equal(events.filter(({ type }) => type === 'update_message').length, 2);
  assert.equal((await message(world, 'hamlet', ids[9] as number)).subject, 'acts');
  assert.equal((await message(world, 'hamlet', first)).subject, 'finale');
  const [notice] = events.filter(({ type }) => type === 'message');
  assert.match(notice.message.content, new RegExp(`${LONG} messages`));
});

inWorlds('a dry run is refused for a move in parts and works for other moves', async (world) => {
  const [first] = await fill(world, 'acts', LONG);
  const target = await say(world, 'cordelia', world.channels.public, 'scenes');
  const edit = (topic: string) =>
    world
      .as('administrator')
      .dryRun.messages.edit({ message_id: first as number, topic, propagate_mode: 'change_all' });
  assert.deepEqual(await refusal(edit('scenes')), BAD_REQUEST);
  assert.ok((await edit('free')).events.length > 0);
  assert.equal((await message(world, 'hamlet', target)).subject, 'scenes');
});

inWorlds(
  'a user who loses the permission after a part moves no more messages, and the error has the number of moved messages',
  async (world) => {
    await say(world, 'cordelia', world.channels.public, 'scenes');
    const [first] = (await fill(world, 'acts', LONG)) as [number];
    const can_move_messages_between_topics_group = systemGroupId('role:nobody');
    afterFirstWrite(world, () => world.settings({ can_move_messages_between_topics_group }));
    const move = { message_id: first, topic: 'scenes', propagate_mode: 'change_all' } as const;
    await assert.rejects(world.as('administrator').messages.edit(move), {
      code: 'BAD_REQUEST',
      message:
        'You are not allowed to move messages to other topics. Completed before the error: 2,500 messages moved.',
    });
  },
);

inWorlds('a topic that another user moves to a channel after a part is not moved further', async (world) => {
  await say(world, 'cordelia', world.channels.public, 'scenes');
  const [first] = (await fill(world, 'acts', LONG)) as [number];
  const move = { message_id: first, propagate_mode: 'change_all' } as const;
  afterFirstWrite(world, () => world.as('owner').messages.edit({ ...move, stream_id: world.channels.quiet }));
  await assert.rejects(world.as('administrator').messages.edit({ ...move, topic: 'scenes' }), {
    code: 'BAD_REQUEST',
    message: /^Another user moved the message during this request\. Completed before the error: 2,500 messages moved\./,
  });
  const { stream_id, subject } = await message(world, 'owner', first);
  assert.deepEqual([stream_id, subject], [world.channels.quiet, 'acts']);
});
