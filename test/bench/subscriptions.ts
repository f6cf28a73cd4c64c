import type { Benchmark } from './benchmark.ts';
import { alternate, summary } from './rounds.ts';

const PEOPLE = 1_000;
/** Users and channels: the maximum of one call. */
const SHAPES = [
  [1_000, 10],
  [10, 1_000],
] as const;

export const subscriptions: Benchmark = {
  names: ['subscribe_pairs', 'subscribe_pairs_wide'],
  async run(kit) {
    const child = kit.start('subscriptions');
    await child.ask('start', { database: kit.newDatabase(), bareDatabase: kit.newDatabase(), people: PEOPLE });
    const findings = [];
    for (const [at, [people, channels]] of SHAPES.entries()) {
      const asking = (question: string) => () => child.ask<number>(question, { people, channels });
      findings.push({
        name: this.names[at] as string,
        ...summary(await alternate(9, 2, asking('insert'), asking('subscribe'))),
        bound: { atMost: 10 },
        unit: 'ms',
        note: `${people} users subscribed to ${channels} channels in one call, durable and with its events, compared with a bare transaction of as many rows`,
      });
    }
    return findings;
  },
};
