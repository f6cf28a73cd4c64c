import { type Command, Option } from 'commander';
import { present } from '../../lib/internal.ts';
import { UsageError } from '../failure.ts';
import type { Lookups } from '../lookups.ts';
import { idOrName } from '../names.ts';
import type { Field, RawValues, Resolver } from './parsers.ts';

// Parameters that come from several options: the recipients, the narrow, and a time with its zone.

type Resolvers = Map<string, Resolver>;

/** How `--to` becomes IDs or names. In an update, a channel without a topic leaves the type unchanged. */
export type UnderstoodRecipients = 'names' | 'ids' | 'new ids';

/** Reads `--to`. With `--topic` it names a channel; without, e-mail addresses name users. */
export function parseRecipients(given: RawValues, understood: UnderstoodRecipients): Resolvers {
  const resolvers: Resolvers = new Map();
  const texts = given.get('to');
  if (!Array.isArray(texts)) return resolvers;
  if (texts.every((text) => text.trim() === ''))
    throw new UsageError('--to is empty.', 'Check that all shell variables are set.');
  const stated = (given.get('type') as string[] | undefined)?.at(-1);
  const hasTopic = given.has('topic');
  const type = stated ?? (hasTopic ? 'channel' : typeOf(texts as string[]));
  const isAsBefore = understood === 'new ids' && type === 'channel' && !hasTopic;
  if (!isAsBefore) resolvers.set('type', () => type);
  if (type === 'direct' || type === 'private') resolvers.set('to', people(peopleIn(texts as string[]), understood));
  else {
    const isGuess = stated === undefined && !hasTopic;
    resolvers.set('to', channel(texts as string[], { understood, isGuess }));
  }
  return resolvers;
}

function typeOf(texts: readonly string[]): 'channel' | 'direct' {
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

/** `isGuess`: there is no topic and no type, so the text may mean a user. */
function channel(
  texts: readonly string[],
  { understood, isGuess }: { understood: UnderstoodRecipients; isGuess: boolean },
): Resolver {
  const [name, ...more] = texts;
  if (name === undefined || more.length > 0) throw new UsageError('--to takes one channel.');
  return async (lookups) => {
    const mayBeId = typeof idOrName(name) === 'number';
    if (isGuess && !mayBeId) await lookups.row('channel', name, 'For a direct message, use e-mail addresses.');
    return understood === 'names' && !mayBeId ? name : lookups.id('channel', name);
  };
}

/** A message must match all terms. Options without a value have a fixed operand. */
export const NARROW_OPTIONS: readonly (readonly [flags: string, help: string, operator: string, operand?: string])[] = [
  ['--channel <channel>', 'only in this channel', 'channel'],
  ['--topic <text>', 'only in this topic', 'topic'],
  ['--direct <users>', 'only direct messages with these users', 'dm'],
  ['--sender <user>', 'only by this user; me for your own', 'sender'],
  [
    '--search <words>',
    'only with all these words or "quoted phrases"; searches messages you received, or --channel if given',
    'search',
  ],
  ['--mentioned', 'only messages that mention you', 'is', 'mentioned'],
  ['--starred', 'only messages you have starred', 'is', 'starred'],
  ['--unread', 'only messages you have not read', 'is', 'unread'],
];

export function parseNarrow(given: RawValues, command: Command): Resolvers {
  const options = command.opts() as Record<string, string | true | undefined>;
  const terms = NARROW_OPTIONS.flatMap(([flags, , operator, fixed]) => {
    const value = options[new Option(flags).attributeName()];
    if (value === undefined) return [];
    return [[operator, fixed ?? String(value)]];
  });
  if (terms.length === 0) return new Map();
  if (given.has('narrow')) throw new UsageError('Use either --narrow or the filter options.');
  const resolve = (lookups: Lookups) =>
    Promise.all(
      terms.map(async ([operator = '', operand = '']) => {
        const mayBeId = operator === 'channel' && typeof idOrName(operand) === 'number';
        return [operator, mayBeId ? await lookups.id('channel', operand) : operand];
      }),
    );
  return new Map([['narrow', resolve]]);
}

export const ZONE_OPTION = [
  '--tz <zone>',
  'time zone of the time, such as Europe/Paris (default: from your settings)',
] as const;

export async function parseMoment(given: RawValues, { name, flag }: Field, command: Command): Promise<Resolvers> {
  const { checkZone, parseDate, timestampIn } = await import('./dates.ts');
  const texts = given.get(name);
  const { tz } = command.opts() as { tz?: string };
  if (tz !== undefined) checkZone('--tz', tz);
  if (!Array.isArray(texts)) return new Map();
  const now = Date.now();
  const written = parseDate(flag, present(texts.at(-1)), now);
  const zone = tz ?? (written.kind === 'instant' ? 'UTC' : undefined);
  // A known time is checked before any request.
  const seconds = zone === undefined ? undefined : timestampIn(written, zone, now);
  return new Map([[name, async (lookups) => seconds ?? timestampIn(written, await lookups.timeZone(), now)]]);
}

/** Options for the parts of a draft. The API takes one object. */
export const DRAFT_OPTIONS = [
  ['--to <channel or users>', 'name of a channel, or e-mail addresses of users'],
  ['--topic <text>', 'topic of a channel message'],
  ['-m, --message <text>', 'Markdown'],
] as const;

type Typed = { to?: string; topic?: string; message?: string };

type Draft = { type: string; to: unknown; topic: string; content: string };

export function parseDraft(parameter: 'draft' | 'drafts', given: RawValues, command: Command): Resolvers {
  const typed = command.opts() as Typed;
  const { to, topic, message } = typed;
  if (to === undefined && topic === undefined && message === undefined) return new Map();
  if (given.has(parameter)) throw new UsageError(`Use either --${parameter} or the options for its parts.`);
  if (parameter === 'drafts') {
    if (message === undefined) throw new UsageError('Missing: --message.');
    if (topic !== undefined && to === undefined) throw new UsageError('--topic needs --to with a channel.');
    const begun = { type: '', to: [], topic: '', content: message };
    return new Map([['drafts', async (lookups) => [await changed(begun, typed, lookups)]]]);
  }
  const id = (given.get('draft_id') as readonly string[] | undefined)?.at(-1) ?? '';
  return new Map([['draft', async (lookups) => changed(await presentDraft(id, lookups), typed, lookups)]]);
}

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
