import { baseline, fillBaseline } from './0050-baseline.ts';
import type { Migration } from './migration.ts';

/** In order; a released one never changes. */
export const migrations: readonly Migration[] = [{ version: 50, name: 'baseline', sql: baseline, fill: fillBaseline }];
