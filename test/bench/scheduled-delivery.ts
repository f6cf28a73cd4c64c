import type { Benchmark, Finding } from './benchmark.ts';
import type { Kit } from './kit.ts';
import { withPostgres } from './postgres.ts';
import { alternate, summary } from './rounds.ts';

const PENDING = 100_000;
const DUE = 1_000;
/** As many as the worker claims at a time. */
const AT_ONCE = 200;
const ROUNDS = 5;

async function sending(
  kit: Kit,
  database: { database: string; schema?: string },
): Promise<Omit<Finding, 'name' | 'note'> & { memory: number }> {
  const program = kit.start('scheduled-messages', { exposeGc: true });
  await program.ask('start', { ...database, pending: PENDING });
  const before = await program.ask<number>('rss');
  const floor = () => program.ask<number>('plain', { count: DUE, atOnce: AT_ONCE });
  const subject = () => program.ask<number>('delivered', { count: DUE });
  const pairs = await alternate(ROUNDS, 1, floor, subject);
  const memory = ((await program.ask<number>('rss')) - before) / 1024 / 1024;
  return { ...summary(pairs), bound: { atMost: 1.5 }, unit: 'ms', memory };
}

const noteOf = (subject: number, memory: number) =>
  `${DUE} due in one second among ${PENDING}, against as many sent: the last after ${Math.round(subject)} ms, and ` +
  `${memory.toFixed(1)} MB more after all rounds`;

export const scheduledDelivery: Benchmark = {
  names: ['scheduled_delivery'],
  async run(kit) {
    const { memory, ...figures } = await sending(kit, { database: kit.newDatabase() });
    return [{ name: 'scheduled_delivery', ...figures, note: noteOf(figures.subject, memory) }];
  },
};

export const scheduledDeliveryPostgres: Benchmark = {
  names: ['scheduled_delivery_postgres'],
  run: (kit) =>
    withPostgres(kit, async (url, [schema]) => {
      const { memory, ...figures } = await sending(kit, { database: url, schema });
      return [{ name: 'scheduled_delivery_postgres', ...figures, note: noteOf(figures.subject, memory) }];
    }),
};
