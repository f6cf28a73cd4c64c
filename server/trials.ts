import type { Chat } from '../lib/index.ts';
import { type Caller, decodeText, type Operation, transportOf } from '../lib/internal.ts';
import { decodeSegment } from './router.ts';

/** A dry run, or a `why` request: may a user run the operation, and why. */
export type Trial = { kind: 'dry_run' } | { kind: 'why'; user: number | string };

/**
 * Reads a prefix such as `/dry_run/messages` or `/why/7/messages`. It is not a header: an older server would ignore the
 * header and run the operation.
 */
export function trialAt(path: string): { trial?: Trial; path: string } {
  const found = /^\/(?:(dry_run)|why\/([^/]+))(\/.+)$/.exec(path);
  if (!found) return { path };
  const [, dryRun, user, rest = ''] = found;
  if (dryRun !== undefined) return { trial: { kind: 'dry_run' }, path: rest };
  const name = decodeSegment(user as string);
  return { trial: { kind: 'why', user: /^[0-9]{1,15}$/.test(name) ? Number(name) : name }, path: rest };
}

export async function performTrial(
  chat: Chat,
  trial: Trial,
  { operation, caller, values }: { operation: Operation; caller: Caller; values: Readonly<Record<string, unknown>> },
): Promise<object> {
  const transport = transportOf(chat);
  if (trial.kind === 'why') return transport.why(operation, caller, trial.user, values, decodeText);
  const tried = await transport.dryRun(operation, caller, values, decodeText);
  // E-mails may contain addresses that the caller may not see.
  return { ...tried, side_effects: tried.side_effects.map(({ payload, ...rest }) => rest) };
}
