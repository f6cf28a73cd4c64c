import type { Benchmark } from './benchmark.ts';
import type { Child } from './child.ts';
import { alternate, summary } from './rounds.ts';

const MANY = 1_000_000;
/** As many as a response lists. */
const LISTED = 50_000;
const FEW = 10_000;
const ROUNDS = 5;
const WARM_UPS = 1;
/** About as long as the million takes. */
const SENDING_MS = 1_500;

/** Readers by index, with so many unread messages each. The last account sends. */
async function population(server: Child, database: string) {
  const [many, listed, few] = [0, 1, 2];
  const people = 3 + 3 * (ROUNDS + WARM_UPS);
  await server.ask('start', { database, people: people + 1, messages: [MANY, LISTED, FEW] });
  let next = 0;
  const reader = async (channel: number) => {
    const person = next++;
    await server.ask('readAllBut', { person, channel });
    return person;
  };
  return { withMany: () => reader(many), withListed: () => reader(listed), withFew: () => reader(few) };
}

export const muchUnread: Benchmark = {
  names: ['register_1m_unread', 'mark_all_1m', 'mark_all_1m_others'],
  async run(kit) {
    const server = kit.start('much-unread');
    const { withMany, withListed, withFew } = await population(server, kit.newDatabase());
    const [listed, many] = [await withListed(), await withMany()];
    const registering = (person: number) => () => server.ask<number>('register', { person });
    const registered = await alternate(11, 2, registering(listed), registering(many));
    const marking = (reader: () => Promise<number>, messages: number) => async () =>
      (1_000 * (await server.ask<number>('markAll', { person: await reader() }))) / messages;
    const marked = await alternate(ROUNDS, WARM_UPS, marking(withFew, FEW), marking(withMany, MANY));
    const sent = await alternate(
      ROUNDS,
      WARM_UPS,
      () => server.ask<number>('send', { forMs: SENDING_MS }),
      async () => server.ask<number>('sendWhileMarking', { person: await withMany() }),
    );
    return [
      {
        name: 'register_1m_unread',
        ...summary(registered),
        bound: { atMost: 1.5 },
        unit: 'ms',
        note: `unread counts among ${MANY} in the response of register, compared with ${LISTED}, which is as many as it lists`,
      },
      {
        name: 'mark_all_1m',
        ...summary(marked),
        bound: { atMost: 1 },
        unit: 'us',
        note: `mark_all_as_read with ${MANY} unread, per message, compared with ${FEW}`,
      },
      {
        name: 'mark_all_1m_others',
        ...summary(sent),
        bound: { atMost: 3 },
        unit: 'ms',
        note: 'p99 of sends by another user during it, compared with sends alone',
      },
    ];
  },
};
