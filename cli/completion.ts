import { type Command, Help } from 'commander';
import { present } from '../lib/internal.ts';
import { declaredParser, type Field, ROLES } from './arguments/parsers.ts';
import { type ConnectionOptions, chooseConnection, openSession } from './connection.ts';
import { EXIT } from './failure.ts';
import { type LookupKind, namesOfKind } from './lookups.ts';
import { childNamed, withParents } from './names.ts';
import { fieldAt } from './operations/command.ts';
import { profileNames } from './profiles.ts';

/** Completions for the last word. */
export async function completionOf(program: Command, words: readonly string[]): Promise<Completion> {
  const typed = words.at(-1) ?? '';
  const { command, position, pending, connection } = readWords(program, words.slice(0, -1));
  const spelled = /^(--[a-z][a-z-]*)=(.*)$/s.exec(typed);
  if (pending) return matching(await valuesOf(command, pending, connection), typed);
  if (spelled) {
    const [, flag = '', text = ''] = spelled;
    const found = matching(await valuesOf(command, flag, connection), text);
    return found === 'files' ? found : found.map(({ value, ...rest }) => ({ value: `${flag}=${value}`, ...rest }));
  }
  const help = command.createHelp();
  if (typed.startsWith('-')) {
    // Help itself shows one line for all options of the connection.
    const options = Help.prototype.visibleOptions.call(help, command);
    return matching(
      options.map(({ long, short, description }) => ({ value: long ?? short ?? '', about: description })),
      typed,
    );
  }
  const below = (position === 0 ? help.visibleCommands(command) : []).flatMap((child) =>
    [child.name(), ...child.aliases()].map((value) => ({ value, about: child.summary() || child.description() })),
  );
  const field = fieldAt(command, position);
  const argument = command.registeredArguments[position] ?? command.registeredArguments.at(-1);
  const choices = argument?.argChoices?.map((value) => ({ value }));
  const found = field
    ? await fieldValues(field, connection)
    : (choices ?? (argument && below.length === 0 ? 'files' : []));
  return matching(found === 'files' ? found : [...below, ...found], typed);
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

const optionOf = (command: Command, flag: string) =>
  withParents(command)
    .flatMap(({ options }) => options)
    .find(({ long, short }) => long === flag || short === flag);

async function valuesOf(command: Command, flag: string, connection: ConnectionOptions): Promise<Completion> {
  const { long = '', flags = '' } = optionOf(command, flag) ?? {};
  if (/<(file|path|database)>/.test(flags)) return 'files';
  const field = fieldAt(command, long);
  if (field) return fieldValues(field, connection);
  if (long === '--role') return roles();
  if (long === '--user') return named(['user'], connection);
  return long === '--profile' ? profileNames().map((value) => ({ value })) : [];
}

/** Reads the words before the one to complete. Ignores unknown options. */
function readWords(program: Command, words: readonly string[]) {
  // `pending` is the option whose value comes next. `connection` also gets other options, which no connection reads.
  const connection: ConnectionOptions = {};
  const read = { command: program, position: 0, pending: undefined as string | undefined, connection };
  const set = (flag: string, value: string) => {
    const name = optionOf(read.command, flag)?.attributeName();
    if (name) Object.assign(read.connection, { [name]: value });
  };
  for (const word of words) {
    const spelled = /^(--[a-z-]+)=(.*)$/s.exec(word);
    if (read.pending) {
      set(read.pending, word);
      read.pending = undefined;
    } else if (spelled) set(present(spelled[1]), present(spelled[2]));
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

/** Possible values and their descriptions. `files`: the shell completes file names. */
type Completion = 'files' | readonly { value: string; about?: string }[];

const TIMEOUT_MS = 1_500;
/** With more values, shells ask before they list them. */
const MAX_VALUES = 500;

/** Values for an operation parameter: its choices, or names from the chat. Empty if these cannot be read. */
async function fieldValues(field: Field, connection: ConnectionOptions): Promise<Completion> {
  const { parser, shape } = field;
  if (parser === 'role') return roles();
  if (parser === 'files' || shape.kind === 'file') return 'files';
  if (parser === 'propagate mode') return ['one', 'later', 'all'].map((value) => ({ value }));
  const kinds = parser && declaredParser(parser).kinds;
  return kinds ? named(kinds, connection) : choicesIn(shape.type);
}

const roles = () => ROLES.map((value) => ({ value }));

/** The choices in a type: `read|starred`, or `list of read|starred`. */
function choicesIn(type: string): Completion {
  const [, choices = ''] = /^(?:list of )?(\w+(?:\|\w+)+)$/.exec(type) ?? [];
  return choices.split('|').flatMap((value) => (value === '' ? [] : { value }));
}

/** Exits the process after `TIMEOUT_MS`, so that the Tab key does not hang. */
async function named(kinds: readonly LookupKind[], options: ConnectionOptions) {
  const timeout = setTimeout(() => process.exit(EXIT.done), TIMEOUT_MS).unref();
  try {
    const { session, close } = await openSession(chooseConnection({ ...options, wait: false }));
    try {
      return (await Promise.all(kinds.map((kind) => namesOfKind(session, kind)))).flat().slice(0, MAX_VALUES);
    } finally {
      await close();
    }
  } catch {
    return [];
  } finally {
    clearTimeout(timeout);
  }
}
