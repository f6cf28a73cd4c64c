import type { Benchmark, Finding } from './benchmark.ts';
import type { Child } from './child.ts';
import type { Kit } from './kit.ts';
import { withPostgres } from './postgres.ts';
import { alternate, summary } from './rounds.ts';

const ITEMS = 1_000;
const ROUNDS = 5;

async function handing(
  kit: Kit,
  database: { database: string; schema?: string },
): Promise<Omit<Finding, 'name' | 'note'>> {
  const program: Child = kit.start('outbox');
  await program.ask('start', database);
  const floor = () => program.ask<number>('straight', { items: ITEMS });
  const subject = () => program.ask<number>('throughOutbox', { items: ITEMS });
  return { ...summary(await alternate(ROUNDS, 1, floor, subject)), bound: { atMost: 1.5 }, unit: 'ms' };
}

export const outbox: Benchmark = {
  names: ['outbox'],
  async run(kit) {
    const figures = await handing(kit, { database: kit.newDatabase() });
    const note = `${ITEMS} items to a sink that answers after 20 ms, against as many calls, as many at a time`;
    return [{ name: 'outbox', ...figures, note }];
  },
};

export const outboxPostgres: Benchmark = {
  names: ['outbox_postgres'],
  run: (kit) =>
    withPostgres(kit, async (url, [schema]) => {
      const figures = await handing(kit, { database: url, schema });
      return [{ name: 'outbox_postgres', ...figures, note: 'the same on PostgreSQL' }];
    }),
};
