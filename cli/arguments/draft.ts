import { type Command, Option } from 'commander';
import { UsageError } from '../failure.ts';
import type { Lookups } from '../lookups.ts';
import { parseRecipients } from './combined.ts';
import type { RawValues, Resolver } from './parsers.ts';

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
