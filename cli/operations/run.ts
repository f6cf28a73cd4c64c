import type { Command } from 'commander';
import type { DryRun, Session } from '../../lib/index.ts';
import { hasDryRun, type Operation, shellWord } from '../../lib/internal.ts';
import { parseDraft, parseMoment, parseNarrow, parseRecipients } from '../arguments/combined.ts';
import { type Field, parseField, type Resolver } from '../arguments/parsers.ts';
import { checkCredentials, chooseConnection, methodOf, openSession } from '../connection.ts';
import { Failure, UsageError } from '../failure.ts';
import { printFailures } from '../files.ts';
import { globalOptions } from '../global-options.ts';
import { typedFlag } from '../help.ts';
import {
  ask,
  askNewPassword,
  checkSomebodyAnswers,
  confirm,
  editMessageText,
  editorOf,
  firstLineOfStdin,
  isInteractive,
  messageFromStdin,
} from '../input.ts';
import { accountNames, findMessage, findScheduledMessage, ifReadable, lookupsIn, NAMES } from '../lookups.ts';
import { kebab, seeHelp, wordsOf } from '../names.ts';
import { messageLine } from '../output/conversation.ts';
import { consequencesText, effectsOf } from '../output/dry-run.ts';
import { selectFields } from '../output/json.ts';
import { inParts } from '../output/progress.ts';
import { type Columns, type Formatting, showJson, showResult } from '../output/result.ts';
import type { Terminal } from '../output/terminal.ts';
import { counted, oneLine, sanitize } from '../output/text.ts';
import { refusalOf } from '../people.ts';
import { argumentsOf, isPassword, type Run } from './command.ts';
import type { Call, CommandMetadata } from './metadata.ts';

/** Called with an operation and its parameters in place of running the operation. */
export type Instead = (call: {
  session: Session;
  operation: Operation;
  parameters: Readonly<Record<string, unknown>>;
  isJson: boolean;
}) => Promise<void>;

/** Runs the commands of operations, or calls `instead` for each. */
export function operationRunner(terminal: Terminal, columns: Columns, instead?: Instead): Run {
  return async ({ operation, fields, metadata, given, command }) => {
    const options = globalOptions(command);
    const isJson = options.json === true;
    const isDryRun = command.opts().dryRun === true;
    const connection = chooseConnection(options);
    const password = fields.find(isPassword);
    if (password && command.opts().passwordStdin) given.set(password.name, [await firstLineOfStdin()]);
    const moment = fields.find(({ parser }) => parser === 'moment');
    const resolvers = new Map<string, Resolver>([
      ...(metadata.recipients ? parseRecipients(given, metadata.recipients) : []),
      ...(metadata.draft ? parseDraft(metadata.draft as 'draft' | 'drafts', given, command) : []),
      ...(metadata.narrowOptions ? parseNarrow(given, command) : []),
      ...(moment ? await parseMoment(given, moment, command) : []),
    ]);
    const { parameter = '', unless = [] } = metadata.stdin ?? {};
    if (String(given.get(parameter)) === '-') given.delete(parameter);
    const stdin = [parameter, ...unless].some((name) => given.has(name)) ? undefined : metadata.stdin;
    const editor = stdin?.editor && !instead && process.stdin.isTTY ? editorOf(process.env) : undefined;
    const mustPrompt = password?.shape.isOptional === false && !given.has(password.name) && isInteractive();
    const next = mustPrompt ? password.name : parameter;
    checkComplete(fields, metadata, command, [...given.keys(), ...resolvers.keys(), next]);
    // No rule that `why` explains depends on the text.
    if (stdin && instead) given.set(parameter, ['text']);
    else if (stdin && editor === undefined) given.set(parameter, [await messageFromStdin(terminal)]);
    if (given.has('content') && String(given.get('content')).trim() === '')
      throw new UsageError('The message is empty.', 'Use -m or stdin.');
    if (mustPrompt) {
      const isPresent = operation.limitedBy?.rule === 'sign-in';
      given.set(password.name, isPresent ? [await ask('Password?', { secret: true })] : await askNewPassword());
    }
    if (options.jsonFields !== undefined) {
      if (isDryRun || instead)
        throw new UsageError('--json=FIELDS cannot be used with --dry-run.', 'Use --jq instead.');
      selectFields(operation.result, Object.keys(metadata.columns ?? {}));
    }
    for (const field of fields) {
      const texts = given.get(field.name);
      if (texts === undefined || resolvers.has(field.name)) continue;
      resolvers.set(field.name, parseField(field, texts, command.opts()));
    }
    const mustAsk = metadata.confirm !== undefined && !isDryRun && !instead && command.opts().yes !== true;
    if (mustAsk) checkSomebodyAnswers('Add --yes to run it without confirmation, or --dry-run to see its effects.');
    const { session, close } = await openSession(connection, instead ? 'user' : operation.access);
    let draft: Awaited<ReturnType<typeof editMessageText>>;
    try {
      const parameters: Parameters = { ...metadata.defaults, ...(isJson ? {} : metadata.defaultsForPeople) };
      const options = command.opts();
      const call: Call<Parameters> = { session, parameters, terminal, connection, options, isJson, isDryRun };
      const lookups = lookupsIn(session);
      for (const [name, resolve] of resolvers) parameters[name] = await resolve(lookups);
      const { each, before, done, empty, perform } = metadata;
      const ids = each === undefined ? [] : [...new Set(parameters[each] as number[])];
      if (ids.length > 1 && instead) throw new UsageError('Name one user for `why`.');
      if (each !== undefined) parameters[each] = ids.length === 1 ? ids[0] : ids;
      if (metadata.kept) {
        const present = await metadata.kept.read(call);
        for (const name of metadata.kept.parameters) parameters[name] ??= present[name];
      }
      if (editor !== undefined) {
        draft = await editMessageText(session, parameters.message_id, editor);
        if (!draft) return terminal.err('Nothing was changed.');
        Object.assign(parameters, draft.parameters);
      }
      const settled = instead ? undefined : await metadata.settled?.(call);
      if (settled !== undefined) return isJson ? showJson({}, terminal) : terminal.out(settled);
      if (instead) return await instead({ session, operation, parameters, isJson });
      if (mustAsk) await confirmSubject(metadata.confirm as string, call);
      if (ids.length > 1) return await runEach(operation, metadata, call);
      let formatter: Formatting['formatter'];
      if (!isJson && before) formatter = await before(call);
      else if (!isJson && typeof done === 'string') {
        const isSame = done.includes('{changes}') && !isDryRun && (await hasNoEffect(operation, call));
        formatter = isSame ? async () => 'Nothing was changed.' : await sentence(done, session, parameters);
      } else if (!isJson && typeof done === 'function') formatter = (answer) => done({ ...call, answer });
      const nothing = async () => {
        const template = typeof empty === 'function' ? empty(call) : empty;
        if (template !== undefined) return (await sentence(template, session, parameters))({});
        const [group = '', action] = operation.name.split('.');
        const begin = OWN.test(group) ? 'You have' : 'There are';
        return action === 'list' ? `${begin} no ${kebab(group).replaceAll('-', ' ')}${filtersOf(command)}.` : '';
      };
      const formatting = { formatter, columns, empty: nothing };
      if (perform && (!isDryRun || perform.isForDryRuns)) return await perform.run(call);
      if (isDryRun) {
        const dryRun = (await methodOf(session.dryRun, operation)(parameters)) as DryRun;
        return isJson ? showJson(dryRun, terminal) : await showDryRun(dryRun, call, formatting);
      }
      const request = methodOf(session, operation)(parameters);
      let repeated: string | undefined;
      const answer = await request.catch((error: { status?: number; message: string }) => {
        if (metadata.repeat?.test(error.message)) {
          repeated = error.message;
          return {};
        }
        // The operation may work without an account, but this server or call needs one.
        if (error.status === 401 && operation.access === 'spectator' && connection.kind === 'site')
          checkCredentials(connection);
        if (draft) terminal.err(`Your text is saved in ${draft.path}.`);
        throw error;
      });
      await draft?.remove();
      const result = metadata.filters?.choose(answer, command.opts()) ?? answer;
      if (isJson) showJson(result, terminal);
      else if (repeated !== undefined) terminal.out(repeated);
      else await showResult(result, formatting, terminal);
    } catch (error) {
      if (!isJson) nameOptions(error as Error, fields);
      throw error;
    } finally {
      await close();
    }
  };
}

/** Names options instead of parameters in an error of the API. Leaves words such as `to` inside a sentence alone. */
function nameOptions(error: Error, fields: readonly Field[]): void {
  const flags = new Map(fields.map(({ name, flag }) => [name, flag]));
  const names = /"[^"]*"|^[a-z]+(?= must )|\b[a-z]+(_[a-z]+)+\b/g;
  error.message = error.message.replace(names, (name) => flags.get(name) ?? name);
}

/** Runs the operation (or its dry run) once for each user, and goes on after a refusal. */
async function runEach(
  operation: Operation,
  { each = '', repeat }: CommandMetadata,
  { session, parameters, terminal, isJson, isDryRun }: Call<Parameters>,
): Promise<void> {
  const ids = parameters[each] as number[];
  const refused: { user_id: number; reason: string }[] = [];
  const dryRuns: DryRun[] = [];
  const target = isDryRun ? session.dryRun : session;
  const goOn = 'Not finished. Run the same command again to continue.';
  await inParts(ids, { size: 1, what: 'users', goOn, terminal }, async ([id = 0]) => {
    const request = methodOf(target, operation)({ ...parameters, [each]: id });
    const reason = await refusalOf(request.then((answer) => isDryRun && dryRuns.push(answer as DryRun)));
    if (reason !== undefined && !repeat?.test(reason)) refused.push({ user_id: id, reason });
  });
  const done = ids.length - refused.length;
  const effects = isDryRun ? effectsOf(dryRuns) : undefined;
  if (isJson) showJson({ done, refused, ...effects }, terminal);
  else {
    const name = await accountNames(session, ids);
    const failures = refused.map(({ user_id, reason }) => oneLine(`${name(user_id)}: ${reason}`));
    printFailures(failures, terminal);
    const amount = `${done} of ${counted(ids.length, 'user')}`;
    if (!effects) terminal.out(`Done for ${amount}.`);
    else {
      terminal.out(`Dry run: nothing was changed. The command would work for ${amount}, and send:`);
      terminal.out(await consequencesText(session, { answer: {}, ...effects }, terminal));
    }
  }
  const verb = isDryRun ? 'would be' : refused.length === 1 ? 'was' : 'were';
  if (refused.length > 0) throw new Failure(`${refused.length} of ${ids.length} ${verb} refused.`);
}

/** Whether an edit sets only present values. False if this is unknown. */
async function hasNoEffect(operation: Operation, { session, parameters }: Call<Parameters>): Promise<boolean> {
  // Each try of a password counts. Dry runs leave out events of archived folders.
  if (!hasDryRun(operation) || Object.keys(parameters).some((name) => /password|archived/.test(name))) return false;
  const dryRun = (await ifReadable(methodOf(session.dryRun, operation)(parameters))) as DryRun | undefined;
  return dryRun?.events.length === 0 && dryRun.side_effects.length === 0;
}

/** Groups whose lists contain only what belongs to the account. */
const OWN = /^(alertWords|drafts|navigationViews|reminders|savedSnippets|scheduledMessages|subscriptions)$/;

type Parameters = Record<string, unknown>;

/** @throws UsageError if a required value is missing. `present`: parameters that have a value or get one next. */
function checkComplete(
  fields: readonly Field[],
  metadata: CommandMetadata,
  command: Command,
  present: readonly string[],
): void {
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

/** Shows the response and the effects of a dry run. */
async function showDryRun(dryRun: DryRun, { session, terminal }: Call, formatting: Formatting): Promise<void> {
  terminal.out('Dry run: nothing was changed. The command would print and send:');
  await showResult(dryRun.answer, formatting, terminal, dryRun);
  terminal.out(await consequencesText(session, dryRun, terminal));
}

/** The options that a list depends on, as typed: ` with --role guest`. */
function filtersOf(command: Command): string {
  const typed = command.options.flatMap((option) => {
    const name = option.attributeName();
    const value: unknown = command.getOptionValue(name);
    const isFilter = /^(Parameters|Filters):$/.test(option.helpGroupHeading ?? '');
    if (!isFilter || command.getOptionValueSource(name) !== 'cli') return [];
    if (typeof value === 'boolean') return value === option.negate ? [] : [option.long];
    return [value].flat().map((text) => `${option.long} ${shellWord(oneLine(String(text)))}`);
  });
  return typed.length === 0 ? '' : ` with ${typed.join(' ')}`;
}

async function confirmSubject(question: string, { session, parameters, terminal }: Call): Promise<void> {
  const { message_id, scheduled_message_id } = parameters;
  if (scheduled_message_id !== undefined) {
    const message = await findScheduledMessage(session, scheduled_message_id);
    // The operation will be refused.
    if (!message) return;
    terminal.err(sanitize(message.content));
  } else if (message_id !== undefined) {
    const message = await findMessage(session, message_id);
    if (!message) return;
    // The subject goes to stderr, which may have no colours although stdout does.
    terminal.err(messageLine(message, { ...terminal, style: terminal.errStyle }));
  }
  const fill = await sentence(question, session, parameters);
  await confirm(await fill({}));
}

const MAX_NAMED = 20;
const PLACES = /\{(?:(\w+) )?(\w+)\}/g;

/**
 * Fills in a sentence. `{email}` is a parameter or a field of the answer, and `{user user_id}` the name of the user with
 * this ID. `{changes}` are the other parameters. Names of parameters are looked up now: after the call, the user may no
 * longer see them.
 */
async function sentence(template: string, session: Session, parameters: Parameters) {
  const fields = new Set(Array.from(template.matchAll(PLACES), ([, , field]) => field));
  // An empty name or address changes nothing.
  const isBlank = (name: string) => /name|email/.test(name) && String(parameters[name]).trim() === '';
  const changes = Object.keys(parameters).filter((name) => !fields.has(name) && !isBlank(name));
  if (fields.has('changes') && changes.length === 0) return async () => 'Nothing was changed.';
  const before = await wordsFor(template, session, { ...parameters, changes });
  return async (answer: object) => {
    const words = new Map([...(await wordsFor(template, session, answer as Parameters)), ...before]);
    return template.replace(PLACES, (place) => words.get(place) ?? '');
  };
}

async function wordsFor(template: string, session: Session, values: Parameters): Promise<Map<string, string>> {
  const words = new Map<string, string>();
  for (const [place, kind = '', field = ''] of template.matchAll(PLACES)) {
    if (values[field] === undefined) continue;
    const all = [values[field]].flat() as number[];
    const name = (await NAMES[kind]?.(session, all, values)) ?? String;
    const named = all.slice(0, MAX_NAMED).map((value) => oneLine(name(value)));
    const more = all.length > MAX_NAMED ? ` and ${all.length - MAX_NAMED} more` : '';
    words.set(place, `${named.join(', ')}${more}`);
  }
  return words;
}
