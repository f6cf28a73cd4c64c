import type { Case } from '../../../world/case.ts';
import { ABSENT } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';

export const ofGhost = (given: object = {}) =>
  ['messages.history', ({ messages }: World) => ({ message_id: messages.ghost, ...given })] as const;

/** A time within the limit for edits of content. */
export const said = async (world: World, topic = 'acts', content = 'one') => {
  const to = world.channels.public;
  const { id } = await world.as('hamlet').messages.send({ type: 'channel', to, topic, content });
  world.kept.id = id;
  world.kept.sent = Math.floor(world.clock.now() / 1000);
};
export const edited = (
  world: World,
  change: { content?: string; topic?: string; stream_id?: number },
  as: 'hamlet' | 'moderator' = 'hamlet',
) =>
  world
    .as(as)
    .messages.edit({ message_id: world.kept.id as number, send_notification_to_new_thread: false, ...change });
export const ofKept = (given: object = {}) =>
  ['messages.history', ({ kept }: World) => ({ message_id: kept.id, ...given })] as const;

export const NOTHING_ELSE = {
  prev_topic: ABSENT,
  stream: ABSENT,
  prev_stream: ABSENT,
  prev_content: ABSENT,
  prev_rendered_content: ABSENT,
  content_html_diff: ABSENT,
};

/** The history of a message of Hamlet after these changes, ten seconds apart. */
export const after = (
  name: string,
  changes: readonly (Parameters<typeof edited>[1] | ((world: World) => Parameters<typeof edited>[1]))[],
  snapshots: (world: World) => readonly object[],
): Case => ({
  name,
  as: 'cordelia',
  given: async (world) => {
    await said(world);
    for (const change of changes) {
      world.clock.advance({ seconds: 10 });
      await edited(world, typeof change === 'function' ? change(world) : change);
    }
  },
  call: ofKept(),
  returns: (world) => ({ message_history: snapshots(world) }),
});
