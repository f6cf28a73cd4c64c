import type { Benchmark } from './benchmark.ts';

const PEOPLE = 100_000;

export const sync100k: Benchmark = {
  names: ['sync_100k'],
  async run(kit) {
    const child = kit.start('sync');
    const [floor, subject] = await child.ask<[first: number, second: number]>('sync', {
      database: kit.newDatabase(),
      people: PEOPLE,
    });
    return [
      {
        name: 'sync_100k',
        ratios: [subject / floor],
        subject,
        floor,
        bound: { atMost: 0.1 },
        unit: 'ms',
        note: `${PEOPLE} users from a generator, in two channels and a group, synced a second time, compared with the first time`,
      },
    ];
  },
};
