import { parseDraft, parseMoment, parseNarrow, parseRecipients } from '../arguments/combined.ts';
import { type Field, parseField, type RawValues, type Resolver } from '../arguments/parsers.ts';
import { UsageError } from '../failure.ts';
import { typedFlag } from '../help.ts';
import { ask, askNewPassword, editorOf, firstLineOfStdin, isInteractive, messageFromStdin } from '../input.ts';
import { seeHelp, wordsOf } from '../names.ts';
import type { Terminal } from '../output/terminal.ts';
import { argumentsOf, isPassword, type TypedCommand } from './command.ts';
import type { CommandMetadata } from './metadata.ts';

export interface Input {
  /** By parameter, in the order of their lookups. */
  resolvers: ReadonlyMap<string, Resolver>;
  /** Set if the text of a message is changed in an editor. */
  editor: string | undefined;
}

/**
 * Reads arguments, options, stdin and the answers to prompts. Invalid input fails here, before any request.
 * @param options `isExplained`: for `why`. Reads no text, because no rule depends on it.
 */
export async function readInput(
  typed: TypedCommand,
  terminal: Terminal,
  { isExplained }: { isExplained: boolean },
): Promise<Input> {
  const { operation, fields, command } = typed;
  const given: RawValues = new Map(typed.given);
  const password = await passwordToAsk(typed, given);
  const resolvers = await parseCombined(typed, given);
  const text = missingText(typed.metadata, given, { isExplained });
  checkComplete(typed, [...given.keys(), ...resolvers.keys(), password?.name, typed.metadata.stdin?.parameter]);
  if (text && isExplained) given.set(text.parameter, ['text']);
  else if (text && text.editor === undefined) given.set(text.parameter, [await messageFromStdin(terminal)]);
  if (given.has('content') && String(given.get('content')).trim() === '')
    throw new UsageError('The message is empty.', 'Use -m or stdin.');
  if (password) {
    // A new password needs the same answer twice.
    const isPresent = ['sign-in', 'own-password'].includes(operation.limitedBy?.rule ?? '');
    given.set(password.name, isPresent ? [await ask('Password?', { secret: true })] : await askNewPassword());
  }
  for (const field of fields) {
    const texts = given.get(field.name);
    if (texts === undefined || resolvers.has(field.name)) continue;
    resolvers.set(field.name, parseField(field, texts, command.opts()));
  }
  return { resolvers, editor: text?.editor };
}

/** Reads the password from stdin, if asked to. Returns the parameter if it must be typed at a prompt. */
async function passwordToAsk({ fields, command }: TypedCommand, given: RawValues): Promise<Field | undefined> {
  const password = fields.find(isPassword);
  if (password && command.opts().passwordStdin) given.set(password.name, [await firstLineOfStdin()]);
  const mustAsk = password?.shape.isOptional === false && !given.has(password.name) && isInteractive();
  return mustAsk ? password : undefined;
}

/** The parameters that come from several options. */
async function parseCombined({ fields, metadata, command }: TypedCommand, given: RawValues) {
  const moment = fields.find(({ parser }) => parser === 'moment');
  return new Map<string, Resolver>([
    ...(metadata.recipients ? parseRecipients(given, metadata.recipients) : []),
    ...(metadata.draft ? parseDraft(metadata.draft as 'draft' | 'drafts', given, command) : []),
    ...(metadata.narrowOptions ? parseNarrow(given, command) : []),
    ...(moment ? await parseMoment(given, moment, command) : []),
  ]);
}

/** The parameter whose text comes from stdin or an editor, because no option gives it. */
function missingText({ stdin }: CommandMetadata, given: RawValues, { isExplained }: { isExplained: boolean }) {
  if (!stdin) return undefined;
  const { parameter, unless = [] } = stdin;
  if (String(given.get(parameter)) === '-') given.delete(parameter);
  if ([parameter, ...unless].some((name) => given.has(name))) return undefined;
  const mayEdit = stdin.editor && !isExplained && process.stdin.isTTY;
  return { parameter, editor: mayEdit ? editorOf(process.env) : undefined };
}

/** @throws UsageError if a required value is missing. `present`: parameters that have a value or get one next. */
function checkComplete({ fields, metadata, command }: TypedCommand, present: readonly (string | undefined)[]): void {
  const args = argumentsOf(fields, metadata);
  const missing = fields
    .filter(({ name, shape }) => !shape.isOptional && !present.includes(name))
    .map((field) => {
      // Several options make a draft. Of these, a new draft requires `--message`.
      const flag =
        field.name === metadata.draft ? '--message' : isPassword(field) ? '--password-stdin' : typedFlag(field);
      return args.find((arg) => arg.field === field)?.label ?? flag;
    });
  if (missing.length > 0) throw new UsageError(`Missing: ${missing.join(', ')}.`, seeHelp(wordsOf(command)));
}
