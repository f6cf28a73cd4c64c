import type { Benchmark } from './benchmark.ts';
import { alternate, summary } from './rounds.ts';

const PEOPLE = 10_000;

export const importing: Benchmark = {
  names: ['import_10k'],
  async run(kit) {
    const child = kit.start('importing');
    const asking = (question: string) => () =>
      child.ask<number>(question, { database: kit.newDatabase(), people: PEOPLE });
    return [
      {
        name: 'import_10k',
        ...summary(await alternate(3, 0, asking('insert'), asking('create'))),
        bound: { atMost: 1 },
        unit: 'ms',
        note: `${PEOPLE} accounts created as by an import, with their subscriptions and events, compared with as many bare rows inserted one by one`,
      },
    ];
  },
};
