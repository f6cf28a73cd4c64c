import type { Pending } from '../arguments/parsers.ts';
import { UsageError } from '../failure.ts';
import type { Given } from '../operations/command.ts';

/**
 * What `--to` means: a channel by name or ID, or people. The type follows from the topic, which only
 * channel messages have, and else from the "@" of e-mail addresses.
 */
export function addressees(given: Given, understood: 'names' | 'ids'): Map<string, Pending> {
  const meant = new Map<string, Pending>();
  const texts = given.get('to');
  if (!Array.isArray(texts)) return meant;
  const type = (given.get('type') as string[] | undefined)?.at(-1) ?? typeOf(texts as string[], given.has('topic'));
  meant.set('type', () => type);
  if (type === 'direct' || type === 'private') meant.set('to', people(peopleIn(texts as string[]), understood));
  else meant.set('to', channel(texts as string[], understood));
  return meant;
}

function typeOf(texts: readonly string[], hasTopic: boolean): 'channel' | 'direct' {
  if (hasTopic) return 'channel';
  const names = peopleIn(texts);
  return names.length > 0 && names.every((name) => name.includes('@')) ? 'direct' : 'channel';
}

function peopleIn(texts: readonly string[]): string[] {
  return texts.flatMap((text) => {
    const bare = /^\s*\[(.*)\]\s*$/s.exec(text)?.[1] ?? text;
    return bare.split(',').flatMap((name) => name.trim().replace(/^"(.*)"$/, '$1') || []);
  });
}

function people(names: readonly string[], understood: 'names' | 'ids'): Pending {
  if (names.length === 0) throw new UsageError('--to names nobody.');
  if (understood === 'names' && names.every((name) => name.includes('@'))) return () => names;
  return (lookups) => Promise.all(names.map((name) => lookups.id('user', name)));
}

function channel(texts: readonly string[], understood: 'names' | 'ids'): Pending {
  const [name, ...more] = texts;
  if (name === undefined || more.length > 0) throw new UsageError('--to takes one channel.');
  const numeric = /^[0-9]+$/.test(name);
  if (understood === 'names' || numeric) return () => (numeric ? Number(name) : name);
  return (lookups) => lookups.id('channel', name);
}
