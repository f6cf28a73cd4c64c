import type { DryRun, Session } from '../../lib/index.ts';
import type { Operation } from '../../lib/internal.ts';
import { parseMoment, parseNarrow, parseRecipients } from '../arguments/combined.ts';
import { parseDraft } from '../arguments/draft.ts';
import { type Field, parseField, type RawValues, type Resolver } from '../arguments/parsers.ts';
import { checkSomebodyAnswers, confirm } from '../confirmation.ts';
import { checkCredentials, chooseConnection } from '../connection.ts';
import { type EditedText, editMessageText, editorOf } from '../editor.ts';
import { UsageError } from '../failure.ts';
import { globalOptions } from '../global-options.ts';
import { ask, askNewPassword, firstLineOfStdin, isInteractive, messageFromStdin } from '../input.ts';
import { findMessage, ifReadable, lookupsIn } from '../lookups.ts';
import { wordsOf } from '../names.ts';
import { openSession } from '../open-session.ts';
import { messageLine } from '../output/conversation.ts';
import { consequencesText } from '../output/dry-run.ts';
import { selectionOf, shapeJson } from '../output/json.ts';
import { type Columns, showJson, showResult } from '../output/result.ts';
import { oneLine, sanitize } from '../output/sanitize.ts';
import type { Terminal } from '../output/terminal.ts';
import { argumentsOf, isPassword, type Run } from './command.ts';
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
    const json = options.json === true;
    const connection = chooseConnection(options);
    const password = fields.find(isPassword);
    if (password && command.opts().passwordStdin) given.set(password.name, [await firstLineOfStdin()]);
    const resolvers = new Map<string, Resolver>([
      ...(metadata.recipients ? parseRecipients(given, metadata.recipients) : []),
      ...(metadata.draft ? parseDraft(metadata.draft as 'draft' | 'drafts', given, command) : []),
      ...(metadata.narrowOptions ? parseNarrow(given, command) : []),
      ...(metadata.moment ? parseMoment(given, metadata.moment, command) : []),
    ]);
    const check = (except?: string) => {
      const missing = missingFields(
        fields,
        metadata,
        (name) => given.has(name) || resolvers.has(name) || name === except,
      );
      if (missing.length === 0) return;
      throw new UsageError(`Missing: ${missing.join(', ')}.`, `See \`chatctl ${wordsOf(command).join(' ')} --help\`.`);
    };
    const editor = lacksText(metadata, given) && metadata.stdin?.editor ? editorAtTerminal() : undefined;
    if (metadata.stdin && lacksText(metadata, given)) {
      const { parameter } = metadata.stdin;
      check(parameter);
      if (editor === undefined) given.set(parameter, [await messageFromStdin(terminal)]);
    }
    if (password && !password.shape.isOptional && !given.has(password.name) && isInteractive()) {
      check(password.name);
      const isPresent = operation.limitedBy?.rule === 'sign-in';
      given.set(password.name, isPresent ? [await ask('Password?', { secret: true })] : await askNewPassword());
    }
    check();
    const isTried = command.opts().dryRun === true;
    const wantedFields = options.jsonFields?.split(',').flatMap((field) => field.trim() || []);
    if (wantedFields) {
      if (isTried || instead) throw new UsageError('Fields cannot be chosen of a trial.', 'Use --jq on its JSON.');
      shapeJson({ select: selectionOf(wantedFields, operation.result, Object.keys(metadata.columns ?? {})) });
    }
    const mustAsk = metadata.confirm !== undefined && !isTried && !instead && command.opts().yes !== true;
    if (mustAsk) checkSomebodyAnswers('Give --yes to have it done, or --dry-run to see what it would do.');
    const { decodeText } = await import('../../lib/internal.ts');
    for (const field of fields) {
      const texts = given.get(field.name);
      if (texts !== undefined && !resolvers.has(field.name))
        resolvers.set(field.name, parseField(field, texts, decodeText));
    }
    const { session, close } = await openSession(connection, instead ? 'user' : operation.access);
    let draft: EditedText['draft'] | undefined;
    try {
      const parameters: Record<string, unknown> = { ...metadata.defaults, ...(json ? {} : metadata.defaultsForPeople) };
      const lookups = lookupsIn(session);
      for (const [name, resolve] of resolvers) parameters[name] = await resolve(lookups);
      const { kept } = metadata;
      if (kept) {
        const present = await kept.read({ session, parameters, terminal, options: command.opts() });
        for (const name of kept.parameters) parameters[name] ??= present[name];
      }
      if (editor !== undefined) {
        const edited = await editMessageText(session, parameters.message_id, editor);
        if (!edited) return terminal.err('Nothing was changed.');
        Object.assign(parameters, edited.parameters);
        draft = edited.draft;
      }
      if (instead) return await instead({ session, operation, parameters, isJson: json });
      const call: Call = { session, parameters, terminal, options: command.opts() };
      if (mustAsk) await confirmSubject(metadata.confirm as string, call);
      const formatter = json ? undefined : await formatterOf(metadata, call);
      if (isTried) {
        const tried = (await methodOf(session.dryRun, operation)(parameters)) as DryRun;
        if (json) return showJson(tried, terminal);
        terminal.out('Dry run: nothing was changed. What it would say and send:');
        const sentence = formatter && ((answer: object) => formatter(answer, tried));
        await showResult(tried.answer, { formatter: sentence, columns, empty: metadata.empty }, terminal);
        return terminal.out(await consequencesText(session, tried, terminal));
      }
      if (metadata.perform) {
        const isDatabase = connection.kind === 'database';
        return await metadata.perform.run({ ...call, given: command.opts(), isJson: json, isDatabase });
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
      if (json) showJson(result, terminal);
      else await showResult(result, { formatter, columns, empty: metadata.empty }, terminal);
    } finally {
      await close();
    }
  };
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

/**
 * Asks a person before something goes that cannot be had back; what it is about stands above the question.
 * What cannot be seen is not asked about: the chat will refuse it.
 */
async function confirmSubject(question: string, call: Call): Promise<void> {
  const subject = await subjectOf(call);
  if (subject === undefined) return;
  if (subject !== '') call.terminal.err(subject);
  await confirm(question);
}

async function subjectOf({ session, parameters, terminal }: Call): Promise<string | undefined> {
  const { message_id, stream_id, user_id, bot_id, field_id, scheduled_message_id } = parameters;
  if (scheduled_message_id !== undefined) {
    const answer = await ifReadable(session.scheduledMessages.list());
    const message = answer?.scheduled_messages.find((one) => one.scheduled_message_id === scheduled_message_id);
    return message && sanitize(message.content);
  }
  if (message_id !== undefined) {
    const message = await findMessage(session, message_id);
    // The colours of stdout are not for stderr.
    return message && messageLine(message, { ...terminal, style: terminal.errStyle });
  }
  if (stream_id !== undefined) {
    const answer = await ifReadable(session.channels.get({ stream_id: Number(stream_id) }));
    return answer && oneLine(answer.stream.name);
  }
  if (field_id !== undefined) {
    const answer = await ifReadable(session.profileFields.list());
    const field = answer?.custom_fields.find(({ id }) => id === field_id);
    return field && oneLine(field.name);
  }
  if (user_id === undefined && bot_id === undefined) return '';
  const answer = await ifReadable(session.users.get({ user_id: Number(user_id ?? bot_id) }));
  return answer && oneLine(`${answer.user.full_name} <${answer.user.delivery_email ?? answer.user.email}>`);
}
