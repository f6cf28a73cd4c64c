import { baseline, fillBaseline } from './0047-baseline.ts';
import type { Migration } from './migration.ts';

/** In order; a released one never changes. */
export const migrations: readonly Migration[] = [{ version: 47, name: 'baseline', sql: baseline, fill: fillBaseline }];
