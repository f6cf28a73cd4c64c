import type { Operation } from '../../lib/internal.ts';
import type { Field } from '../arguments/parsers.ts';
import { shellWord } from '../shell-word.ts';
import type { CommandMetadata } from './metadata.ts';

/**
 * The operation's example as a command line, without `chatctl`. For commands without examples of their own.
 * @param path the words of the command
 * @param byPosition the fields that are arguments
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
    // After a missing argument, the next one would take its position.
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
