import type { Benchmark } from './benchmark.ts';
import { alternate, summary } from './rounds.ts';

const ROUNDS = 7;
const WARM_UPS = 1;
const MESSAGES = 200_000;
const READS = 300;

export const scanBeside: Benchmark = {
  names: ['scan_beside'],
  async run(kit) {
    const server = kit.start('scans');
    await server.ask('start', {
      database: kit.newDatabase(),
      people: 50,
      channels: [50],
      messages: MESSAGES,
      topics: 20,
    });
    const reading = (isScanned: boolean) => () => server.ask<number>('read', { reads: READS, isScanned });
    return [
      {
        name: 'scan_beside',
        ...summary(await alternate(ROUNDS, WARM_UPS, reading(false), reading(true))),
        bound: { atMost: 3 },
        unit: 'ms',
        note: `p99 of small reads during repeated scans of ${MESSAGES} messages, compared with small reads alone`,
      },
    ];
  },
};
