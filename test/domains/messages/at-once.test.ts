import assert from 'node:assert/strict';
import { ChatError } from '../../../lib/index.ts';
import type { UserName } from '../../world/fixture.ts';
import { testInTwoProcesses } from '../../world/processes.ts';
import type { World } from '../../world/world.ts';
import { Follower } from './follower.ts';
import { say } from './in-worlds.ts';

/** Number of successful calls, and codes of refused calls. */
async function outcomes(calls: readonly Promise<unknown>[]): Promise<[answered: number, codes: string[]]> {
  const settled = await Promise.allSettled(calls);
  const refused = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  for (const reason of refused) if (!(reason instanceof ChatError)) throw reason;
  return [settled.length - refused.length, [...new Set(refused.map(({ code }) => String(code)))]];
}

/** Makes the same call several times at once, half of them in each process. */
function together(worlds: readonly World[], times: number, call: (world: World) => Promise<unknown>) {
  return outcomes(Array.from({ length: times }, (_, at) => call(worlds[at % worlds.length] as World)));
}

const FOLLOWERS: readonly UserName[] = ['administrator', 'hamlet', 'cordelia', 'guest'];

async function followedBy(here: World, work: () => Promise<unknown>): Promise<void> {
  const followers = [];
  for (const user of FOLLOWERS) followers.push(await new Follower(here, user).start());
  await work();
  for (const follower of followers) await follower.check();
}

testInTwoProcesses('of many equal concurrent reactions, one is added', async (here, there) => {
  const message_id = here.messages.ghost;
  const react = (world: World) => world.as('hamlet').messages.addReaction({ message_id, emoji_name: 'tada' });
  await followedBy(here, async () => {
    assert.deepEqual(await together([here, there], 8, react), [1, ['REACTION_ALREADY_EXISTS']]);
    const takeBack = (world: World) => world.as('hamlet').messages.removeReaction({ message_id, emoji_name: 'tada' });
    assert.deepEqual(await together([here, there], 8, takeBack), [1, ['REACTION_DOES_NOT_EXIST']]);
  });
});

testInTwoProcesses('a message with concurrent deletions, edits and reactions is deleted once', async (here, there) => {
  const message_id = await say(here, 'hamlet', here.channels.public, 'acts');
  await followedBy(here, async () => {
    const calls = [here, there].flatMap(({ as }) => [
      as('hamlet').messages.delete({ message_id }),
      as('cordelia').messages.addReaction({ message_id, emoji_name: 'tada' }),
      as('hamlet').messages.edit({ message_id, content: 'changed' }),
      as('cordelia').messages.updateFlags({ messages: [message_id], op: 'add', flag: 'starred' }),
      as('hamlet').messages.edit({ message_id, topic: 'scenes', propagate_mode: 'change_all' }),
    ]);
    const [, codes] = await outcomes(calls);
    for (const code of codes) assert.ok(['BAD_REQUEST', 'REACTION_ALREADY_EXISTS'].includes(code), code);
  });
  const [answered] = await together([here, there], 2, ({ as }) => as('hamlet').messages.get({ message_id }));
  assert.equal(answered, 0);
});

testInTwoProcesses('edits that expect the same content do not overwrite each other', async (here, there) => {
  const message_id = await say(here, 'hamlet', here.channels.public, 'acts', 'one');
  const { createHash } = await import('node:crypto');
  const prev_content_sha256 = createHash('sha256').update('one').digest('hex');
  await followedBy(here, async () => {
    let n = 0;
    const edit = ({ as }: World) =>
      as('hamlet').messages.edit({ message_id, content: `version ${++n}`, prev_content_sha256 });
    assert.deepEqual(await together([here, there], 6, edit), [1, ['EXPECTATION_MISMATCH']]);
  });
  const { message_history } = await here.as('hamlet').messages.history({ message_id });
  assert.equal(message_history.length, 2);
});

testInTwoProcesses('no message is lost when users write to a topic during its moves', async (here, there) => {
  const { public: stream } = here.channels;
  const ids = [await say(here, 'hamlet', stream, 'acts'), await say(here, 'cordelia', stream, 'acts')];
  const move = ({ as }: World, topic: string) =>
    as('hamlet').messages.edit({
      message_id: ids[0] as number,
      topic,
      propagate_mode: 'change_all',
      send_notification_to_new_thread: false,
    });
  const texts = Array.from({ length: 6 }, (_, at) => `text ${at}`);
  await followedBy(here, async () => {
    const [, codes] = await outcomes([
      move(here, 'scenes'),
      move(there, 'plots'),
      ...texts.map((content, at) => say(at % 2 === 0 ? here : there, 'cordelia', stream, 'acts', content)),
      move(there, 'scenes'),
      move(here, 'acts'),
    ]);
    assert.deepEqual(codes, []);
  });
  const { messages } = await here.as('cordelia').messages.list({
    anchor: 'newest',
    num_before: 8,
    apply_markdown: false,
    narrow: [{ operator: 'channel', operand: stream }],
  });
  assert.deepEqual(messages.map(({ content }) => content).sort(), [...texts, 'word', 'word']);
});
