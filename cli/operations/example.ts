import type { Operation } from '../../lib/internal.ts';
import type { Field } from '../arguments/parsers.ts';
import { shellWord } from '../shell-word.ts';
import type { CommandMetadata } from './metadata.ts';

/**
 * A line that does what the operation's example does, without `chatctl`, for commands that nobody wrote one for.
 * @param path the words of the command
 * @param byPosition those of the fields that are given by position
 */
export function exampleLine(
  { example = {} }: Pick<Operation, 'example'>,
  fields: readonly Field[],
  metadata: CommandMetadata,
  path: readonly string[],
  byPosition: readonly Field[],
): string {
  const given = new Map(Object.entries(example));
  const words: string[] = [...path];
  for (const field of byPosition) {
    const value = given.get(field.name);
    // What follows one that is left out cannot stand by position.
    if (value === undefined) break;
    words.push(...(field.shape.kind === 'list' && isPlainList(value) ? value.map(wordOf) : [wordOf(value)]));
    given.delete(field.name);
  }
  const options: string[] = [];
  for (const field of fields) {
    const value = given.get(field.name);
    if (value === undefined) continue;
    const flag = /--[a-z-]+/.exec(metadata.flags?.[field.name] ?? '')?.[0] ?? field.flag;
    if (typeof value === 'boolean') options.push(value ? flag : flag.replace('--', '--no-'));
    else options.push(flag, isPlainList(value) ? shellWord(value.join(',')) : wordOf(value));
  }
  return [...words, ...options].join(' ');
}

const isPlainList = (value: unknown): value is (string | number)[] =>
  Array.isArray(value) && value.length > 0 && value.every((each) => /^[\w@.:-]+$/.test(String(each)));

const wordOf = (value: unknown) => shellWord(typeof value === 'string' ? value : JSON.stringify(value));
