import type { World } from '../../world/world.ts';
import { say } from './in-worlds.ts';

/** The notification bot posts nothing about these moves. */
export const QUIET = { send_notification_to_new_thread: false } as const;

/** A message with an edit, a rename, an edit with a rename, and two moves, ten seconds apart. `start` is in seconds. */
export async function editedAndMoved(
  world: World,
  secondWording: string,
): Promise<{ message_id: number; start: number }> {
  const { as, channels, clock } = world;
  const message_id = await say(world, 'hamlet', channels.public, 'acts', 'one');
  const start = Math.floor(clock.now() / 1000);
  const edit = async (user: 'hamlet' | 'owner', params: object) => {
    clock.advance({ seconds: 10 });
    await as(user).messages.edit({ message_id, ...QUIET, ...params });
  };
  await edit('hamlet', { content: secondWording });
  await edit('owner', { topic: 'scenes', propagate_mode: 'change_all' });
  await edit('hamlet', { content: 'two', topic: 'finale', propagate_mode: 'change_all' });
  await edit('owner', { stream_id: channels.default });
  await edit('owner', { stream_id: channels.webPublic, topic: 'end' });
  return { message_id, start };
}

/** Messages that moved together for a time: alone, with their topic, and into the topics of the others. */
export async function partedAndJoined(world: World): Promise<Record<'early' | 'stays' | 'late', number>> {
  const { as, channels } = world;
  const early = await say(world, 'hamlet', channels.public, 'a');
  const stays = await say(world, 'hamlet', channels.public, 'a');
  const move = (message_id: number, topic: string, propagate_mode: 'change_one' | 'change_all' = 'change_all') =>
    as('owner').messages.edit({ message_id, topic, propagate_mode, ...QUIET });
  await move(early, 'b');
  await say(world, 'hamlet', channels.public, 'x');
  await move(early, 'x', 'change_one');
  await move(stays, 'c');
  await move(early, 'y');
  const late = await say(world, 'hamlet', channels.public, 'c');
  await move(early, 'c', 'change_one');
  await move(late, 'd');
  return { early, stays, late };
}
