import type { Command } from 'commander';
import type { DryRun, Session } from '../../lib/index.ts';
import type { Operation } from '../../lib/internal.ts';
import { parseMoment, parseNarrow, parseRecipients } from '../arguments/combined.ts';
import { parseDraft } from '../arguments/draft.ts';
import { type Decode, type Field, parseField, type RawValues, type Resolver } from '../arguments/parsers.ts';
import { checkSomebodyAnswers } from '../confirmation.ts';
import { checkCredentials, chooseConnection } from '../connection.ts';
import { type EditedText, editMessageText, editorOf } from '../editor.ts';
import { UsageError } from '../failure.ts';
import { globalOptions } from '../global-options.ts';
import { ask, askNewPassword, firstLineOfStdin, isInteractive, messageFromStdin } from '../input.ts';
import { lookupsIn } from '../lookups.ts';
import { wordsOf } from '../names.ts';
import { openSession } from '../open-session.ts';
import { consequencesText } from '../output/dry-run.ts';
import { selectionOf, shapeJson } from '../output/json.ts';
import { type Columns, type Formatting, showJson, showResult } from '../output/result.ts';
import type { Terminal } from '../output/terminal.ts';
import { argumentsOf, isPassword, type Run } from './command.ts';
import { confirmSubject } from './confirm-subject.ts';
import type { Call, CommandMetadata } from './metadata.ts';
import { methodOf } from './method.ts';

/** Does something else with an operation and its parameters than running it. */
export type Instead = (call: {
  session: Session;
  operation: Operation;
  parameters: Readonly<Record<string, unknown>>;
  isJson: boolean;
}) => Promise<void>;

/** Runs an operation with what was given and shows the answer. */
export function operationRunner(terminal: Terminal, columns: Columns, instead?: Instead): Run {
  return async (operation, fields, metadata, given, command) => {
    const options = globalOptions(command);
    const isJson = options.json === true;
    const isTried = command.opts().dryRun === true;
    const connection = chooseConnection(options);
    const password = fields.find(isPassword);
    if (password && command.opts().passwordStdin) given.set(password.name, [await firstLineOfStdin()]);
    const typed: Typed = { fields, metadata, given, command, resolvers: combinedResolvers(metadata, given, command) };
    const stdin = lacksText(metadata, given) ? metadata.stdin : undefined;
    const editor = stdin?.editor ? editorAtTerminal() : undefined;
    if (stdin) {
      checkComplete(typed, stdin.parameter);
      if (editor === undefined) given.set(stdin.parameter, [await messageFromStdin(terminal)]);
    }
    if (password && !password.shape.isOptional && !given.has(password.name) && isInteractive()) {
      checkComplete(typed, password.name);
      given.set(password.name, await askPassword(operation));
    }
    checkComplete(typed);
    if (options.jsonFields !== undefined) {
      if (isTried || instead) throw new UsageError('Fields cannot be chosen of a trial.', 'Use --jq on its JSON.');
      chooseFields(options.jsonFields, operation, metadata);
    }
    const mustAsk = metadata.confirm !== undefined && !isTried && !instead && command.opts().yes !== true;
    if (mustAsk) checkSomebodyAnswers('Give --yes to have it done, or --dry-run to see what it would do.');
    const { decodeText } = await import('../../lib/internal.ts');
    addOwnResolvers(typed, decodeText);
    const { session, close } = await openSession(connection, instead ? 'user' : operation.access);
    let draft: EditedText['draft'] | undefined;
    try {
      const parameters: Parameters = { ...metadata.defaults, ...(isJson ? {} : metadata.defaultsForPeople) };
      const call: Call<Parameters> = { session, parameters, terminal, options: command.opts() };
      const lookups = lookupsIn(session);
      for (const [name, resolve] of typed.resolvers) parameters[name] = await resolve(lookups);
      if (metadata.kept) await addKept(metadata.kept, call);
      if (editor !== undefined) {
        const edited = await editMessageText(session, parameters.message_id, editor);
        if (!edited) return terminal.err('Nothing was changed.');
        Object.assign(parameters, edited.parameters);
        draft = edited.draft;
      }
      if (instead) return await instead({ session, operation, parameters, isJson });
      if (mustAsk) await confirmSubject(metadata.confirm as string, call);
      const formatter = isJson ? undefined : await formatterOf(metadata, call);
      const { empty } = metadata;
      const formatting = { formatter, columns, empty: () => (typeof empty === 'function' ? empty(call) : empty) };
      if (isTried) return await showDryRun(operation, call, formatting, isJson);
      if (metadata.perform) {
        const isDatabase = connection.kind === 'database';
        return await metadata.perform.run({ ...call, given: command.opts(), isJson, isDatabase });
      }
      const answer = await methodOf(
        session,
        operation,
      )(parameters).catch((error: { status?: number }) => {
        // Some operations need no account, but here this one did.
        if (error.status === 401 && operation.access === 'spectator' && connection.kind === 'site')
          checkCredentials(connection);
        if (draft) terminal.err(`What you wrote is kept in ${draft.path}.`);
        throw error;
      });
      await draft?.remove();
      const result = metadata.filters?.choose(answer, command.opts()) ?? answer;
      if (isJson) showJson(result, terminal);
      else await showResult(result, formatting, terminal);
    } finally {
      await close();
    }
  };
}

type Parameters = Record<string, unknown>;

/** What was typed of a command. */
interface Typed {
  fields: readonly Field[];
  metadata: CommandMetadata;
  given: RawValues;
  command: Command;
  /** What becomes of it, by parameter. */
  resolvers: Map<string, Resolver>;
}

/** Of the parameters that several options make together. */
function combinedResolvers(metadata: CommandMetadata, given: RawValues, command: Command): Map<string, Resolver> {
  return new Map<string, Resolver>([
    ...(metadata.recipients ? parseRecipients(given, metadata.recipients) : []),
    ...(metadata.draft ? parseDraft(metadata.draft as 'draft' | 'drafts', given, command) : []),
    ...(metadata.narrowOptions ? parseNarrow(given, command) : []),
    ...(metadata.moment ? parseMoment(given, metadata.moment, command) : []),
  ]);
}

/** Adds those of the parameters that have an option or argument of their own. */
function addOwnResolvers({ fields, given, resolvers }: Typed, decode: Decode): void {
  for (const field of fields) {
    const texts = given.get(field.name);
    if (texts !== undefined && !resolvers.has(field.name)) {
      resolvers.set(field.name, parseField(field, texts, decode));
    }
  }
}

/** @throws UsageError where something required is missing, other than `except`, which is about to be asked for */
function checkComplete({ fields, metadata, given, resolvers, command }: Typed, except?: string): void {
  const missing = missingFields(fields, metadata, (name) => given.has(name) || resolvers.has(name) || name === except);
  if (missing.length === 0) return;
  throw new UsageError(`Missing: ${missing.join(', ')}.`, `See \`chatctl ${wordsOf(command).join(' ')} --help\`.`);
}

/** Once where there is a present password to be told, twice where it is a new one. */
async function askPassword({ limitedBy }: Operation): Promise<string[]> {
  const isPresent = limitedBy?.rule === 'sign-in';
  return isPresent ? [await ask('Password?', { secret: true })] : askNewPassword();
}

/** Has only these fields of the answer printed: `id,name`. */
function chooseFields(text: string, { result }: Operation, { columns }: CommandMetadata): void {
  const fields = text.split(',').flatMap((field) => field.trim() || []);
  shapeJson({ select: selectionOf(fields, result, Object.keys(columns ?? {})) });
}

/** Adds what is there now of the parameters that were left out and stay as they are. */
async function addKept(kept: NonNullable<CommandMetadata['kept']>, call: Call<Parameters>): Promise<void> {
  const present = await kept.read(call);
  for (const name of kept.parameters) call.parameters[name] ??= present[name];
}

/** Tries the operation out, and shows what it would answer, send and write. */
async function showDryRun(
  operation: Operation,
  { session, parameters, terminal }: Call,
  { formatter, ...formatting }: Omit<Formatting, 'formatter'> & { formatter: Formatter | undefined },
  isJson: boolean,
): Promise<void> {
  const tried = (await methodOf(session.dryRun, operation)(parameters)) as DryRun;
  if (isJson) return showJson(tried, terminal);
  terminal.out('Dry run: nothing was changed. What it would say and send:');
  const sentence = formatter && ((answer: object) => formatter(answer, tried));
  await showResult(tried.answer, { ...formatting, formatter: sentence }, terminal);
  terminal.out(await consequencesText(session, tried, terminal));
}

/** Whether neither the text of a message is given, nor anything that says that none is meant. */
function lacksText({ stdin }: CommandMetadata, given: RawValues): boolean {
  return stdin !== undefined && ![stdin.parameter, ...(stdin.unless ?? [])].some((name) => given.has(name));
}

const editorAtTerminal = () => (process.stdin.isTTY ? editorOf(process.env) : undefined);

/** What is required and not there, as people would write it. */
function missingFields(
  fields: readonly Field[],
  metadata: CommandMetadata,
  isThere: (name: string) => boolean,
): string[] {
  const args = argumentsOf(fields, metadata);
  return fields
    .filter(({ name, shape }) => !shape.isOptional && !isThere(name) && !Object.hasOwn(metadata.defaults ?? {}, name))
    .map((field) => args.find((arg) => arg.field === field)?.label ?? typedFlag(field, metadata));
}

/** `--at` of `--at <time>`. A draft is typed in parts, of which a new one needs its text. */
function typedFlag({ name, flag }: Field, { draft, flags }: CommandMetadata): string {
  return name === draft ? '--message' : (/--[a-z-]+/.exec(flags?.[name] ?? '')?.[0] ?? flag);
}

type Formatter = Awaited<ReturnType<NonNullable<CommandMetadata['before']>>>;

async function formatterOf({ before, done }: CommandMetadata, call: Call): Promise<Formatter | undefined> {
  return before ? before(call) : done && ((answer) => done({ ...call, answer }));
}
