import { type Command, Option } from 'commander';
import { UsageError } from '../failure.ts';
import type { Given } from '../operations/command.ts';
import type { Words } from '../operations/metadata.ts';
import type { Pending } from './parsers.ts';

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
    help: 'only with all of these words, or "phrases in quotation marks"',
    term: (value) => ['search', value],
  },
  mentioned: { option: '--mentioned', help: 'only where you are mentioned', term: () => ['is', 'mentioned'] },
  starred: { option: '--starred', help: 'only those you have starred', term: () => ['is', 'starred'] },
  unread: { option: '--unread', help: 'only those you have not read', term: () => ['is', 'unread'] },
};

export function narrowOptions(): Option[] {
  return Object.values(TERMS).map(({ option, help }) => new Option(option, help).helpGroup('Parameters:'));
}

/** A narrow from the options that stand for its terms. */
export function narrowFrom(words: Words, given: Given, command: Command): Map<string, Pending> {
  const meant = new Map<string, Pending>();
  if (!words.narrows) return meant;
  const options = command.opts() as Record<string, string | true | undefined>;
  const terms = Object.entries(TERMS).flatMap(([name, { term }]) => {
    const value = options[name];
    return value === undefined ? [] : [term(String(value))];
  });
  if (terms.length === 0) return meant;
  if (given.has('narrow')) throw new UsageError('Give --narrow, or the options that stand for its terms.');
  return meant.set('narrow', () => terms);
}

function nameOrId(channel: string): string | number {
  return /^[0-9]+$/.test(channel) ? Number(channel) : channel;
}
