import { type Command, Option } from 'commander';
import { UsageError } from '../failure.ts';
import type { Lookups } from '../lookups.ts';
import { parseRecipients } from './combined.ts';
import type { RawValues, Resolver } from './parsers.ts';

/** How the parts of a draft are typed; the wire wants them as one object. */
export const draftOptions = (): Option[] => [
  new Option('--to <channel or users>', 'a channel by name, or people by their e-mail addresses'),
  new Option('--topic <text>', 'of a channel message'),
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

/** A draft from the options that stand for its parts. */
export function parseDraft(parameter: 'draft' | 'drafts', given: RawValues, command: Command): Map<string, Resolver> {
  const resolvers = new Map<string, Resolver>();
  const typed = command.opts() as Typed;
  const { to, topic, message } = typed;
  if (to === undefined && topic === undefined && message === undefined) return resolvers;
  if (given.has(parameter)) throw new UsageError(`Give --${parameter}, or the options that stand for its parts.`);
  if (parameter === 'drafts') {
    if (message === undefined) throw new UsageError('Missing: --message.');
    if (topic !== undefined && to === undefined) throw new UsageError('A topic is of a channel: give --to as well.');
    const begun = { type: '', to: [], topic: '', content: message };
    return resolvers.set('drafts', async (lookups) => [await changed(begun, typed, lookups)]);
  }
  const id = (given.get('draft_id') as readonly string[] | undefined)?.at(-1) ?? '';
  return resolvers.set('draft', async (lookups) => changed(await presentDraft(id, lookups), typed, lookups));
}

/** What is not typed stays as it is. */
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
