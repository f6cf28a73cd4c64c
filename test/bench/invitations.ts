import type { Benchmark } from './benchmark.ts';
import { alternate, summary } from './rounds.ts';

const PEOPLE = 500;

export const invitations: Benchmark = {
  names: ['invite_500'],
  async run(kit) {
    const child = kit.start('invitations');
    await child.ask('start', { database: kit.newDatabase(), bareDatabase: kit.newDatabase() });
    const asking = (question: string) => () => child.ask<number>(question, { people: PEOPLE });
    return [
      {
        name: 'invite_500',
        ...summary(await alternate(15, 3, asking('insert'), asking('invite'))),
        bound: { atMost: 5 },
        unit: 'ms',
        note: `${PEOPLE} addresses invited in one call, durable with its events and queued e-mails, compared with a bare transaction of as many rows`,
      },
    ];
  },
};
