// Parameters that follow from several options together: whom a message goes to, the narrow, and a moment.
import { type Command, Option } from 'commander';
import { UsageError } from '../failure.ts';
import { checkZone, momentIn, readMoment } from './moments.ts';
import type { RawValues, Resolver } from './parsers.ts';

/** How recipients are understood. `new ids`: ids of other recipients, where a channel alone leaves the type. */
export type UnderstoodRecipients = 'names' | 'ids' | 'new ids';

/**
 * What `--to` means: a channel by name or ID, or people. The type follows from the topic, which only
 * channel messages have, and else from the "@" of e-mail addresses.
 */
export function parseRecipients(given: RawValues, understood: UnderstoodRecipients): Map<string, Resolver> {
  const resolvers = new Map<string, Resolver>();
  const texts = given.get('to');
  if (!Array.isArray(texts)) return resolvers;
  if (texts.every((text) => text.trim() === ''))
    throw new UsageError('--to is empty.', 'Is a variable of the shell not set?');
  const type = (given.get('type') as string[] | undefined)?.at(-1) ?? typeOf(texts as string[], given.has('topic'));
  const isAsBefore = understood === 'new ids' && type === 'channel' && !given.has('topic');
  if (!isAsBefore) resolvers.set('type', () => type);
  if (type === 'direct' || type === 'private') resolvers.set('to', people(peopleIn(texts as string[]), understood));
  else resolvers.set('to', channel(texts as string[], understood));
  return resolvers;
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

function people(names: readonly string[], understood: UnderstoodRecipients): Resolver {
  if (names.length === 0) throw new UsageError('--to names nobody.');
  if (understood === 'names' && names.every((name) => name.includes('@'))) return () => names;
  return (lookups) => Promise.all(names.map((name) => lookups.id('user', name)));
}

function channel(texts: readonly string[], understood: UnderstoodRecipients): Resolver {
  const [name, ...more] = texts;
  if (name === undefined || more.length > 0) throw new UsageError('--to takes one channel.');
  const numeric = /^[0-9]+$/.test(name);
  if (understood === 'names') return () => (numeric ? Number(name) : name);
  return (lookups) => lookups.id('channel', name);
}

type Term = [operator: string, operand: string | number];

/** Each option is a term of the narrow; several must all hold. */
const TERMS: Readonly<Record<string, { option: string; help: string; term: (value: string) => Term }>> = {
  channel: {
    option: '--channel <channel>',
    help: 'only of this channel',
    term: (value) => ['channel', nameOrId(value)],
  },
  topic: { option: '--topic <text>', help: 'only of this topic', term: (value) => ['topic', value] },
  direct: {
    option: '--direct <users>',
    help: 'only the direct messages with these people',
    term: (value) => ['dm', value],
  },
  sender: { option: '--sender <user>', help: 'only by this user; me for your own', term: (value) => ['sender', value] },
  search: {
    option: '--search <words>',
    help: 'only with all of these words, or "phrases in quotation marks"; in what you received, unless --channel is given',
    term: (value) => ['search', value],
  },
  mentioned: { option: '--mentioned', help: 'only where you are mentioned', term: () => ['is', 'mentioned'] },
  starred: { option: '--starred', help: 'only those you have starred', term: () => ['is', 'starred'] },
  unread: { option: '--unread', help: 'only those you have not read', term: () => ['is', 'unread'] },
};

export function narrowOptions(): Option[] {
  return Object.values(TERMS).map(({ option, help }) => new Option(option, help));
}

/** A narrow from the options that stand for its terms. */
export function parseNarrow(given: RawValues, command: Command): Map<string, Resolver> {
  const resolvers = new Map<string, Resolver>();
  const options = command.opts() as Record<string, string | true | undefined>;
  const terms = Object.entries(TERMS).flatMap(([name, { term }]) => {
    const value = options[name];
    return value === undefined ? [] : [term(String(value))];
  });
  if (terms.length === 0) return resolvers;
  if (given.has('narrow')) throw new UsageError('Give --narrow, or the options that stand for its terms.');
  return resolvers.set('narrow', () => terms);
}

function nameOrId(channel: string): string | number {
  return /^[0-9]+$/.test(channel) ? Number(channel) : channel;
}

export function zoneOption(): Option {
  return new Option('--tz <zone>', 'time zone of the time, such as Europe/Paris (default: that of your settings)');
}

/** A moment from what was typed and the time zone it is meant in. */
export function parseMoment(given: RawValues, parameter: string, command: Command): Map<string, Resolver> {
  const resolvers = new Map<string, Resolver>();
  const texts = given.get(parameter);
  const { tz } = command.opts() as { tz?: string };
  const zone = tz === undefined ? undefined : checkZone('--tz', tz);
  if (!Array.isArray(texts)) return resolvers;
  const now = Date.now();
  const written = readMoment('--at', texts.at(-1) as string, now);
  const known = zone ?? (written.kind === 'instant' ? 'UTC' : undefined);
  if (known === undefined) {
    return resolvers.set(parameter, async (lookups) => momentIn(written, await lookups.timeZone(), now));
  }
  const seconds = momentIn(written, known, now);
  return resolvers.set(parameter, () => seconds);
}
