// Written by `npm run documents` from the names of the files; a test compares.
import { baseline, fillBaseline } from './0047-baseline.ts';
import { verifiedAddresses } from './0048-verified-addresses.ts';
import { fillOneSpelling, oneSpelling } from './0053-one-spelling.ts';
import type { Migration } from './migration.ts';

/** In order; a released one never changes. */
export const migrations: readonly Migration[] = [
  { version: 47, name: 'baseline', sql: baseline, fill: fillBaseline },
  { version: 48, name: 'verified addresses', sql: verifiedAddresses },
  { version: 53, name: 'one spelling', sql: oneSpelling, fill: fillOneSpelling },
];
