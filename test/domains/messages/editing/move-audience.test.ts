import assert from 'node:assert/strict';
import { inWorlds, listening, say } from '../in-worlds.ts';

inWorlds(
  'a user without a subscription gets the move event of a topic in which they starred a message',
  async (world) => {
    const { as, channels } = world;
    const ids: number[] = [];
    for (const content of ['first', 'second', 'third'])
      ids.push(await say(world, 'hamlet', channels.public, 'acts', content));
    await as('owner').messages.updateFlags({ messages: [ids[1] as number], op: 'add', flag: 'starred' });
    const heard = await listening(world, ['owner', 'moderator']);
    const move = (to: object) =>
      as('hamlet').messages.edit({
        message_id: ids[0] as number,
        propagate_mode: 'change_all',
        ...to,
        send_notification_to_new_thread: false,
      });
    await move({ topic: 'scenes' });
    await move({ stream_id: channels.default });
    await move({ stream_id: channels.shared });
    const told = (await heard('owner')).map(({ type, subject, new_stream_id, message_ids }) => ({
      type,
      subject,
      new_stream_id,
      message_ids,
    }));
    const message_ids = ids;
    assert.deepEqual(told, [
      { type: 'update_message', subject: 'scenes', new_stream_id: undefined, message_ids },
      { type: 'update_message', subject: undefined, new_stream_id: channels.default, message_ids },
      { type: 'delete_message', subject: undefined, new_stream_id: undefined, message_ids },
    ]);
    const others = await heard('moderator');
    assert.equal(others.length, 1, 'a user without a flag gets only events of messages moved into their channels');
  },
);
