import { oneLine } from './sanitize.ts';

const RESOLVED = /^✔ /;

/** Clients mark a resolved topic with a check mark before its name. */
export function resolution(from: string, to: string): 'resolved' | 'unresolved' | undefined {
  if (from === to) return undefined;
  if (to.replace(RESOLVED, '') === from) return 'resolved';
  return from.replace(RESOLVED, '') === to ? 'unresolved' : undefined;
}

export function changeOfTopic(from: string, to: string): string {
  const resolved = resolution(from, to);
  return resolved ? `marked the topic as ${resolved}` : `changed the topic from "${oneLine(from)}" to "${oneLine(to)}"`;
}
