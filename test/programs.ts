import { after } from 'node:test';
import { type Bundle, bundle } from './support/bundle.ts';

/**
 * Programs that tests start as processes. All are compiled once for a run: through tsx, each start would take two
 * seconds of processor time longer.
 */
const PROGRAMS = {
  'ensuring-process': 'test/chat/ensuring-process.ts',
  'interrupted-start': 'test/cli/interrupted-start.ts',
  'killed-demo': 'test/chat/killed-demo.ts',
  'killed-in-fill': 'test/storage/killed-in-fill.ts',
  'killed-keeper': 'test/maintenance/killed-keeper.ts',
  'killed-mover': 'test/maintenance/killed-mover.ts',
  'listen-and-close': 'test/chat/listen-and-close.ts',
  'listening-host': 'test/domains/notifications/program/listening-host.ts',
  'only-works': 'test/chat/only-works.ts',
  'small-heap-server': 'test/events/small-heap-server.ts',
  'within-host': 'test/chat/within-host.ts',
  'write-one': 'test/storage/write-one.ts',
};

let compiled: Promise<Bundle> | undefined;
after(async () => (await compiled)?.remove());

/** The path of a compiled program. */
export async function compiledProgram(name: keyof typeof PROGRAMS): Promise<string> {
  compiled ??= bundle('programs', PROGRAMS);
  return (await compiled).program(name);
}
