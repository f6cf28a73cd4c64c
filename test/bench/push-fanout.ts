import type { Benchmark } from './benchmark.ts';
import { alternate, summary } from './rounds.ts';

const PHONES = 1_000;
const ROUNDS = 7;
const MESSAGES = 20;

export const pushFanout: Benchmark = {
  names: ['push_fanout'],
  async run(kit) {
    const program = kit.start('push');
    await program.ask('start', { database: kit.newDatabase(), phones: PHONES });
    const send = (place: number) => () => program.ask<number>('send', { place, count: MESSAGES });
    const figures = summary(await alternate(ROUNDS, 1, send(0), send(1)));
    const work = await program.ask<{ deliveries: number; milliseconds: number; longest: number }>('work');
    if (work.deliveries !== PHONES * MESSAGES * (ROUNDS + 1)) throw new Error(`${work.deliveries} were delivered`);
    const note =
      `until the sender of a message to ${PHONES} phones is answered, against one to as many people without; ` +
      `the phones are notified within ${Math.round(work.milliseconds)} ms, others wait ${Math.round(work.longest)} ms at most`;
    return [{ name: 'push_fanout', ...figures, bound: { atMost: 1.2 }, unit: 'ms', note }];
  },
};
