import type { Command } from 'commander';
import { type Completion, fieldValues, optionValues } from './completion-values.ts';
import type { ConnectionOptions } from './connection.ts';
import { childNamed } from './names.ts';
import { fieldAt } from './operations/command.ts';

/** Completions for the last word. `commands` if the last word is a command or an option. */
export async function completionOf(program: Command, words: readonly string[]): Promise<Completion | 'commands'> {
  const typed = words.at(-1) ?? '';
  const { command, position, pending, connection } = readWords(program, words.slice(0, -1));
  const spelled = /^(--[a-z][a-z-]*)=(.*)$/s.exec(typed);
  if (pending) return matching(await valuesOf(command, pending, connection), typed);
  if (spelled) {
    const [, flag = '', text = ''] = spelled;
    const found = matching(await valuesOf(command, flag, connection), text);
    return found === 'files' ? found : found.map(({ value, ...rest }) => ({ value: `${flag}=${value}`, ...rest }));
  }
  const field = fieldAt(command, position);
  if (typed.startsWith('-') || (!field && command.commands.length > 0)) return 'commands';
  if (field) {
    const below =
      position === 0 ? command.commands.map((child) => ({ value: child.name(), about: child.summary() })) : [];
    const found = await fieldValues(field, connection);
    return matching(found === 'files' ? found : [...below, ...found], typed);
  }
  const argument = command.registeredArguments[position] ?? command.registeredArguments.at(-1);
  if (argument?.argChoices)
    return matching(
      argument.argChoices.map((value) => ({ value })),
      typed,
    );
  return argument ? 'files' : [];
}

/** Values that begin with the typed text. In a list, completes the part after the last comma. */
function matching(found: Completion, typed: string): Completion {
  if (found === 'files') return found;
  const whole = found.filter(({ value }) => value.startsWith(typed));
  const before = typed.slice(0, typed.lastIndexOf(',') + 1);
  if (whole.length > 0 || before === '') return whole;
  return found
    .filter(({ value }) => value.startsWith(typed.slice(before.length)) && !value.includes(','))
    .map(({ value, ...rest }) => ({ value: before + value, ...rest }));
}

const optionOf = (command: Command, flag: string) => {
  for (let at: Command | null = command; at; at = at.parent) {
    const found = at.options.find(({ long, short }) => long === flag || short === flag);
    if (found) return found;
  }
  return undefined;
};

async function valuesOf(command: Command, flag: string, connection: ConnectionOptions): Promise<Completion> {
  const option = optionOf(command, flag);
  const field = option?.long ? fieldAt(command, option.long) : undefined;
  if (field) return fieldValues(field, connection);
  return option ? optionValues(option, connection) : [];
}

interface ParsedWords {
  command: Command;
  /** Number of arguments before the word. */
  position: number;
  /** The option whose value comes next. */
  pending: string | undefined;
  connection: ConnectionOptions;
}

/** Reads the words before the one to complete. Ignores unknown options. */
function readWords(program: Command, words: readonly string[]): ParsedWords {
  const read: ParsedWords = { command: program, position: 0, pending: undefined, connection: {} };
  const set = (flag: string, value: string) => {
    const name = optionOf(read.command, flag)?.attributeName();
    if (name && CONNECTION.has(name)) Object.assign(read.connection, { [name]: value });
  };
  for (const word of words) {
    const spelled = /^(--[a-z-]+)=(.*)$/s.exec(word);
    if (read.pending) {
      set(read.pending, word);
      read.pending = undefined;
    } else if (spelled) set(spelled[1] as string, spelled[2] as string);
    else if (word.startsWith('-') && word !== '-') {
      if (optionOf(read.command, word)?.required) read.pending = word;
    } else {
      const child = read.position === 0 ? childNamed(read.command, word) : undefined;
      if (child) read.command = child;
      else read.position++;
    }
  }
  return read;
}

const CONNECTION = new Set(['db', 'schema', 'user', 'site', 'apiKey', 'configFile', 'profile']);
