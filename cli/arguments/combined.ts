import { type Command, Option } from 'commander';
import { UsageError } from '../failure.ts';
import type { Lookups } from '../lookups.ts';
import { checkZone, parseDate, timestampIn } from './dates.ts';
import type { RawValues, Resolver } from './parsers.ts';

// Parameters that come from several options: the recipients, the narrow, and a time with its zone.

/**
 * How `--to` becomes IDs or names. `new ids`: for an update, where a channel without a topic leaves the type unchanged.
 */
export type UnderstoodRecipients = 'names' | 'ids' | 'new ids';

/**
 * Reads `--to`: a channel by name or ID, or users. `--topic` means a channel; without it, e-mail addresses mean users.
 */
export function parseRecipients(given: RawValues, understood: UnderstoodRecipients): Map<string, Resolver> {
  const resolvers = new Map<string, Resolver>();
  const texts = given.get('to');
  if (!Array.isArray(texts)) return resolvers;
  if (texts.every((text) => text.trim() === ''))
    throw new UsageError('--to is empty.', 'Check that all shell variables are set.');
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
  if (names.length === 0) throw new UsageError('--to names no users.');
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

/** Each option is a term of the narrow. A message must match all terms. */
const TERMS: Readonly<Record<string, { option: string; help: string; term: (value: string) => Term }>> = {
  channel: {
    option: '--channel <channel>',
    help: 'only in this channel',
    term: (value) => ['channel', nameOrId(value)],
  },
  topic: { option: '--topic <text>', help: 'only in this topic', term: (value) => ['topic', value] },
  direct: {
    option: '--direct <users>',
    help: 'only direct messages with these users',
    term: (value) => ['dm', value],
  },
  sender: { option: '--sender <user>', help: 'only by this user; me for your own', term: (value) => ['sender', value] },
  search: {
    option: '--search <words>',
    help: 'only with all these words or "quoted phrases"; searches messages you received, or --channel if given',
    term: (value) => ['search', value],
  },
  mentioned: { option: '--mentioned', help: 'only messages that mention you', term: () => ['is', 'mentioned'] },
  starred: { option: '--starred', help: 'only messages you have starred', term: () => ['is', 'starred'] },
  unread: { option: '--unread', help: 'only messages you have not read', term: () => ['is', 'unread'] },
};

export function narrowOptions(): Option[] {
  return Object.values(TERMS).map(({ option, help }) => new Option(option, help));
}

/** Builds a narrow from the filter options. */
export function parseNarrow(given: RawValues, command: Command): Map<string, Resolver> {
  const resolvers = new Map<string, Resolver>();
  const options = command.opts() as Record<string, string | true | undefined>;
  const terms = Object.entries(TERMS).flatMap(([name, { term }]) => {
    const value = options[name];
    return value === undefined ? [] : [term(String(value))];
  });
  if (terms.length === 0) return resolvers;
  if (given.has('narrow')) throw new UsageError('Use either --narrow or the filter options.');
  return resolvers.set('narrow', () => terms);
}

function nameOrId(channel: string): string | number {
  return /^[0-9]+$/.test(channel) ? Number(channel) : channel;
}

export function zoneOption(): Option {
  return new Option('--tz <zone>', 'time zone of the time, such as Europe/Paris (default: from your settings)');
}

/** Reads a time and its time zone. */
export function parseMoment(given: RawValues, parameter: string, command: Command): Map<string, Resolver> {
  const resolvers = new Map<string, Resolver>();
  const texts = given.get(parameter);
  const { tz } = command.opts() as { tz?: string };
  const zone = tz === undefined ? undefined : checkZone('--tz', tz);
  if (!Array.isArray(texts)) return resolvers;
  const now = Date.now();
  const written = parseDate('--at', texts.at(-1) as string, now);
  const known = zone ?? (written.kind === 'instant' ? 'UTC' : undefined);
  if (known === undefined) {
    return resolvers.set(parameter, async (lookups) => timestampIn(written, await lookups.timeZone(), now));
  }
  const seconds = timestampIn(written, known, now);
  return resolvers.set(parameter, () => seconds);
}

/** Options for the parts of a draft. The API takes one object. */
export const draftOptions = (): Option[] => [
  new Option('--to <channel or users>', 'name of a channel, or e-mail addresses of users'),
  new Option('--topic <text>', 'topic of a channel message'),
  new Option('-m, --message <text>', 'Markdown'),
];

interface Typed {
  to?: string;
  topic?: string;
  message?: string;
}

interface Draft {
  type: string;
  to: unknown;
  topic: string;
  content: string;
}

/** Builds a draft from the options for its parts. */
export function parseDraft(parameter: 'draft' | 'drafts', given: RawValues, command: Command): Map<string, Resolver> {
  const resolvers = new Map<string, Resolver>();
  const typed = command.opts() as Typed;
  const { to, topic, message } = typed;
  if (to === undefined && topic === undefined && message === undefined) return resolvers;
  if (given.has(parameter)) throw new UsageError(`Use either --${parameter} or the options for its parts.`);
  if (parameter === 'drafts') {
    if (message === undefined) throw new UsageError('Missing: --message.');
    if (topic !== undefined && to === undefined) throw new UsageError('--topic needs --to with a channel.');
    const begun = { type: '', to: [], topic: '', content: message };
    return resolvers.set('drafts', async (lookups) => [await changed(begun, typed, lookups)]);
  }
  const id = (given.get('draft_id') as readonly string[] | undefined)?.at(-1) ?? '';
  return resolvers.set('draft', async (lookups) => changed(await presentDraft(id, lookups), typed, lookups));
}

/** Keeps the parts that are not given. */
async function changed(draft: Draft, { to, topic, message }: Typed, lookups: Lookups): Promise<Draft> {
  const given: RawValues = new Map();
  if (to !== undefined) given.set('to', [to]);
  if (topic !== undefined) given.set('topic', [topic]);
  const address: Record<string, unknown> = {};
  for (const [name, resolve] of parseRecipients(given, 'ids')) address[name] = await resolve(lookups);
  if (typeof address.to === 'number') address.to = [address.to];
  return { ...draft, ...address, topic: topic ?? draft.topic, content: message ?? draft.content };
}

async function presentDraft(id: string, lookups: Lookups): Promise<Draft> {
  const { type, to, topic, content } = (await lookups.row('draft', id)) as unknown as Draft;
  return { type, to, topic, content };
}
