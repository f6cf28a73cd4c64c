import type { Case } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';

export type MessageName = keyof World['messages'];
type Params = Record<string, unknown> | ((world: World) => Record<string, unknown>);

export const all = { anchor: 'newest', num_before: 100 };
export const narrowed = (...narrow: unknown[]) => ({ ...all, narrow });
export const not = (operator: string, operand: unknown) => ({ operator, operand, negated: true });

/** Expects exactly these messages of the fixture, besides those of the notification bot. */
export const list = (name: string, as: UserName, params: Params, ...names: MessageName[]): Case => ({
  name,
  as,
  call: ['messages.list', params],
  returns: (world) => ({
    messages: (messages: { id: number; sender_full_name: string }[]) => {
      const ids = messages.filter((one) => one.sender_full_name !== 'Notification Bot').map((one) => one.id);
      return JSON.stringify(ids) === JSON.stringify(names.map((name) => world.messages[name]));
    },
  }),
});

export const badNarrow = (name: string, desc: string, ...narrow: unknown[]): Case => ({
  name,
  as: 'hamlet',
  call: ['messages.list', narrowed(...narrow)],
  refuses: { code: 'BAD_NARROW', data: { desc } },
});

/** Returns which of these contents the narrow finds. Hamlet sends them to the topic `words`. */
export const said = (name: string, as: UserName, contents: string[], narrow: unknown[], found: number[]): Case => ({
  name,
  as,
  given: (world) => say(world, contents),
  call: ['messages.list', narrowed(...narrow)],
  returns: ({ kept }) => ({
    messages: (messages: { id: number }[]) => {
      const expected = found.map((at) => kept[`said${at}`]);
      return JSON.stringify(messages.map((one) => one.id)) === JSON.stringify(expected);
    },
  }),
});

export async function say({ as, channels, kept }: World, contents: readonly string[]): Promise<void> {
  for (const [at, content] of contents.entries()) {
    const sent = await as('hamlet').messages.send({ type: 'channel', to: channels.public, topic: 'words', content });
    kept[`said${at}`] = sent.id;
  }
}
