import type { Benchmark } from './benchmark.ts';
import { alternate, summary } from './rounds.ts';

const TENANTS = 1_000;
const MAX_OPEN = 200;
const ROUNDS = 9;
const USES = 40;

interface Size {
  open: number;
  bytes: number;
  files: number;
}

export const tenantOpen: Benchmark = {
  names: ['tenant_open', 'tenant_memory_mb', 'tenant_files'],
  async run(kit) {
    const program = kit.start('tenants', { exposeGc: true });
    await program.ask('start', { database: kit.newDatabase(), count: TENANTS, maxOpen: MAX_OPEN });
    await program.ask('first', { count: 5 });
    const before = await program.ask<Size>('size');
    await program.ask('first', { count: MAX_OPEN });
    const after = await program.ask<Size>('size');
    const opened = after.open - before.open;
    const megabytes = (after.bytes - before.bytes) / opened / 1e6;
    const files = (after.files - before.files) / opened;
    const pairs = await alternate(
      ROUNDS,
      1,
      () => program.ask<number>('again', { count: USES }),
      () => program.ask<number>('first', { count: USES }),
    );
    const note = `${TENANTS} SQLite tenants, ${MAX_OPEN} open at most`;
    const perTenant = (name: string, value: number, atMost: number, unit: string) => ({
      name,
      ratios: [],
      absolute: [value],
      bound: { atMost },
      subject: value,
      floor: 0,
      unit,
      note: `of an idle open tenant; ${note}: ${after.files} files in total`,
    });
    return [
      {
        name: 'tenant_open',
        ...summary(pairs),
        absolute: pairs.map(({ subject }) => subject),
        bound: { atMost: 50 },
        unit: 'ms',
        note: `register of a closed tenant, compared with an open one; ${note}`,
      },
      perTenant('tenant_memory_mb', megabytes, 1.5, 'MB'),
      perTenant('tenant_files', files, 4, 'files'),
    ];
  },
};
