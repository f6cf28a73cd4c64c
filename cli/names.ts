import type { Command } from 'commander';
import { present } from '../lib/internal.ts';
import { UsageError } from './failure.ts';

/** `scheduledMessages` and `scheduled_messages` become `scheduled-messages`. */
export const kebab = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('_', '-');

export function commandPath(operationName: string): [string, ...string[]] {
  const [group = '', ...rest] = operationName.split('.').map(kebab);
  return [group, ...rest];
}

export const childNamed = (parent: Command, name: string): Command | undefined =>
  parent.commands.find((command) => command.name() === name || command.aliases().includes(name));

/** Digits are an ID. */
export const idOrName = (text: string): number | string => (/^[0-9]+$/.test(text) ? Number(text) : text);

/** The command, its group and the program. */
export const withParents = (command: Command): Command[] =>
  command.parent ? [command, ...withParents(command.parent)] : [command];

/** The words that you type for a command. */
export const wordsOf = (command: Command): string[] =>
  command.parent ? [...wordsOf(command.parent), command.name()] : [];

/** Names the help to read, for the advice of an error. */
export const seeHelp = (words: readonly string[]) => `See \`${['chatctl', ...words, '--help'].join(' ')}\`.`;

/** The command that the words begin with, and the other words. */
export function commandAt(program: Command, words: readonly string[]): { command: Command; rest: string[] } {
  const [word = '', ...rest] = words;
  const child = childNamed(program, word);
  return child ? commandAt(child, rest) : { command: program, rest: [...words] };
}

const MAX_SUGGESTIONS = 4;

/** The error for an unknown command. `next` shows words in the wrong order: `list users`. */
export function unknownCommand(at: Command, word: string, next?: string): UsageError {
  const turned = next === undefined ? undefined : turnedAround(at, word, next);
  const meant = turned === undefined ? likelyMeant(at, word) : [turned];
  const choice = meant.length > 1 ? `one of ${meant.join(', ')}` : meant[0];
  const question = choice === undefined ? '' : ` Did you mean ${choice}?`;
  const advised = [...wordsOf(at), ...(meant.length === 1 ? meant : [])];
  return new UsageError(`Unknown command '${word}'.${question}`, seeHelp(advised));
}

function turnedAround(at: Command, word: string, next: string): string | undefined {
  const groups = at.commands.filter((group) => childNamed(group, word));
  const group = groups.find((each) => each.name() === next) ?? groups.find((each) => isNear(next, each.name()));
  return group && `${group.name()} ${word}`;
}

function likelyMeant(at: Command, word: string): string[] {
  const children = at.createHelp().visibleCommands(at);
  const names = children.flatMap((child) => [child.name(), ...child.aliases()]);
  const near = names.filter((name) => isNear(word, name));
  if (near.length > 0) return near;
  const byParts = names.filter((name) => name.split('-').some((part) => isNear(word, part)));
  const elsewhere = at.parent
    ? []
    : at.commands.flatMap((group) => (childNamed(group, word) ? [`${group.name()} ${word}`] : []));
  const found = [...byParts, ...elsewhere];
  return found.length > MAX_SUGGESTIONS ? [] : found;
}

/** Allows one typo in three letters. `rename` and `create` differ in half of their letters. */
export const isNear = (word: string, name: string) =>
  word === name || slips(word, name) * 3 < Math.max(word.length, name.length);

/** Damerau-Levenshtein distance, in its optimal string alignment variant. */
function slips(word: string, name: string): number {
  let before: number[] = [];
  let row = Array.from({ length: name.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...word].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...name].entries()) {
      const isTurned = i > 0 && j > 0 && letter === name[j - 1] && word[i - 1] === other;
      const [changed, turned] = [present(row[j]) + (letter === other ? 0 : 1), (before[j - 1] ?? 0) + 1];
      const fewest = Math.min(changed, present(row[j + 1]) + 1, present(next[j]) + 1);
      next.push(isTurned ? Math.min(fewest, turned) : fewest);
    }
    before = row;
    row = next;
  }
  return present(row.at(-1));
}
