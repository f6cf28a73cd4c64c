import type { Params } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';

export const POLL = '/poll Lunch?\nsoup\n- salad';
export const TODO = '/todo Party\ncake: with candles\n* music';

/** Sends a message. `kept.widget` has its ID. */
export const sent =
  (content: string, as: UserName = 'hamlet', to: 'public' | 'shared' | 'protected' | 'webPublic' = 'public') =>
  async (world: World) => {
    world.kept.widget = (
      await world.as(as).messages.send({ type: 'channel', to: world.channels[to], topic: 'ghosts', content })
    ).id;
  };

export const change = (given: object): string => JSON.stringify(given);

/** Adds a submessage to the message of `sent`. */
export const adding = (content: string | object, more: Params = {}) =>
  [
    'messages.addSubmessage',
    ({ kept }: World): Params => ({
      message_id: kept.widget ?? 0,
      msg_type: 'widget',
      content: typeof content === 'string' ? content : change(content),
      ...more,
    }),
  ] as const;

export async function submessages(world: World, as: UserName = 'cordelia') {
  return (await world.as(as).messages.get({ message_id: world.kept.widget ?? 0 })).message.submessages;
}

export const VOTE = { type: 'vote', key: 'canned,0', vote: 1 };
