import type { Chat } from '../lib/index.ts';
import { type Caller, decodeText, type Operation, transportOf } from '../lib/internal.ts';
import { decodeSegment } from './router.ts';

/** What is wanted of an operation instead of doing it: what it would do, or whether a user may do it and why. */
export type Trial = { kind: 'dry_run' } | { kind: 'why'; user: number | string };

/**
 * A trial stands in front of the operation's own address, `/dry_run/messages` or `/why/7/messages`. A header would
 * not do: a server that does not know it would carry out what is only to be tried.
 */
export function trialAt(path: string): { trial?: Trial; path: string } {
  const found = /^\/(?:(dry_run)|why\/([^/]+))(\/.+)$/.exec(path);
  if (!found) return { path };
  const [, dryRun, user, rest = ''] = found;
  if (dryRun !== undefined) return { trial: { kind: 'dry_run' }, path: rest };
  const name = decodeSegment(user as string);
  return { trial: { kind: 'why', user: /^[0-9]{1,15}$/.test(name) ? Number(name) : name }, path: rest };
}

/** Of every answer to a trial, and of no other: by it a client knows that nothing was done. */
export const trialHeaders = (trial: Trial | undefined): readonly string[] =>
  trial ? ['Parlance-Trial', trial.kind] : NONE;

const NONE: readonly string[] = [];

export async function performTrial(
  chat: Chat,
  trial: Trial,
  { operation, caller, values }: { operation: Operation; caller: Caller; values: Readonly<Record<string, unknown>> },
): Promise<object> {
  const transport = transportOf(chat);
  if (trial.kind === 'why') return transport.why(operation, caller, trial.user, values, decodeText);
  const tried = await transport.dryRun(operation, caller, values, decodeText);
  // Addresses that the caller may not see stand in e-mails.
  return { ...tried, side_effects: tried.side_effects.map(({ payload, ...rest }) => rest) };
}
