import assert from 'node:assert/strict';
import type { NewEdit } from '../../../../lib/storage/interface/edits.ts';
import type { World } from '../../../world/world.ts';
import { inWorlds, say } from '../in-worlds.ts';

/**
 * Creates a message with `times` edits. Each former content has this length and starts with its number. Each edit may
 * also move the topic.
 */
async function edited(world: World, times: number, length: number, isTopicMoved = false): Promise<number> {
  const { channels, storage, users } = world;
  const message_id = await say(world, 'hamlet', channels.public, 'acts', 'the last one');
  await storage.write(async (tx) => {
    const message = (await tx.messages.byId(message_id)) ?? assert.fail();
    for (let n = 0; n < times; n++) {
      const content = `${n} ${'x'.repeat(length)}`;
      const edit: NewEdit = {
        message_id,
        conversation_id: message.conversation_id,
        prev_conversation_id: message.conversation_id,
        up_to_message_id: null,
        part_of: null,
        editor_id: users.owner,
        timestamp: 1_000_000 + n,
        prev_content: content,
        prev_rendered_content: `<p>${content}</p>`,
        prev_topic: null,
        topic: null,
        prev_channel_id: null,
        channel_id: null,
      };
      const moved = { prev_topic: 'acts', topic: 'acts' };
      const whole = { ...edit, ...moved, message_id: null, prev_content: null, prev_rendered_content: null };
      if (!isTopicMoved) await tx.edits.add(edit);
      else {
        const part_of = await tx.edits.add({ ...whole, up_to_message_id: message_id });
        await tx.edits.add({ ...edit, ...moved, part_of });
      }
    }
  });
  return message_id;
}

const numberOf = (content: string) => content.split(' ', 1)[0];

inWorlds('a message history has the newest 250 edits', async (world) => {
  const of = async (times: number) => {
    const message_id = await edited(world, times, 1);
    return (await world.as('cordelia').messages.history({ message_id })).message_history;
  };
  const full = await of(250);
  assert.equal(full.length, 251);
  assert.deepEqual([numberOf(full[0]?.content ?? ''), full[0]?.user_id], ['0', world.users.hamlet]);
  const more = await of(260);
  assert.equal(more.length, 251);
  const [first, second] = more;
  assert.deepEqual([numberOf(first?.content ?? ''), first?.user_id], ['10', world.users.owner]);
  assert.equal(first?.timestamp, 1_000_009);
  assert.equal(second?.prev_content, first?.content);
  assert.equal(more.at(-1)?.content, 'the last one');
});

inWorlds('an edit of content and whole topic counts as one edit of the message history', async (world) => {
  for (const times of [200, 260]) {
    const message_id = await edited(world, times, 1, true);
    const { message_history } = await world.as('cordelia').messages.history({ message_id });
    assert.equal(message_history.length, Math.min(times, 250) + 1);
    assert.equal(numberOf(message_history[0]?.content ?? ''), String(Math.max(0, times - 250)));
  }
});

inWorlds('a message history of large contents is cut to the newest few megabytes', async (world) => {
  const message_id = await edited(world, 100, 50_000);
  const { message_history } = await world.as('cordelia').messages.history({ message_id });
  const size = JSON.stringify(message_history).length;
  assert.ok(size > 3_000_000 && size < 5_000_000, `${size} characters`);
  assert.equal(message_history.at(-1)?.content, 'the last one');
  const states = message_history.slice(0, -1).map(({ content }) => Number(numberOf(content)));
  assert.deepEqual(
    states,
    states.map((_, at) => 100 - states.length + at),
  );
});
