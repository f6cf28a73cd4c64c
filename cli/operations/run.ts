import type { Operation } from '../../lib/operation.ts';
import { narrowFrom } from '../arguments/combined.ts';
import { type Field, type Pending, readField } from '../arguments/parsers.ts';
import { confirm } from '../commands/confirmation.ts';
import { type Rewritten, rewritten } from '../commands/present-content.ts';
import { addressees } from '../commands/recipients.ts';
import { chooseConnection, requireCredentials } from '../connection.ts';
import { editorOf } from '../editor.ts';
import { UsageError } from '../failure.ts';
import { globalOptions } from '../global-options.ts';
import { firstLineOfStdin, mayAsk, messageFromStdin } from '../input.ts';
import { lookupsIn } from '../lookups.ts';
import { commandWords } from '../names.ts';
import { openSession } from '../open-session.ts';
import { showJson, showResult } from '../output/result.ts';
import type { Terminal } from '../output/terminal.ts';
import type { Given, Run } from './command.ts';
import type { Words } from './metadata.ts';

type Call = (parameters: Record<string, unknown>) => Promise<object>;

/** Runs an operation with what was given and shows the answer. */
export function operationRunner(terminal: Terminal): Run {
  return async (operation, fields, words, given, command) => {
    const options = globalOptions(command);
    const json = options.json === true;
    const help = `See \`chatctl ${commandWords(operation.name).join(' ')} --help\`.`;
    const connection = chooseConnection(options);
    if (command.opts().passwordStdin) given.set('password', [await firstLineOfStdin()]);
    const pending = new Map<string, Pending>();
    if (words.recipients) for (const [name, value] of addressees(given, words.recipients)) pending.set(name, value);
    for (const [name, value] of narrowFrom(words, given, command)) pending.set(name, value);
    const editor = editorFor(words, given);
    if (words.fromStdin && lacksText(words, given)) {
      requireFields(fields, words, given, pending, help);
      if (editor === undefined) given.set(words.fromStdin, [await messageFromStdin(terminal)]);
    }
    requireFields(fields, { ...words, fromStdin: undefined }, given, pending, help);
    const { decodeText } = await import('../../lib/index.ts');
    for (const field of fields) {
      const texts = given.get(field.name);
      if (texts !== undefined && !pending.has(field.name)) pending.set(field.name, readField(field, texts, decodeText));
    }
    const { session, close } = await openSession(connection, operation.access);
    let draft: Rewritten['draft'] | undefined;
    try {
      const parameters: Record<string, unknown> = { ...words.preset, ...(json ? {} : words.presetForPeople) };
      const lookups = lookupsIn(session);
      for (const [name, value] of pending) parameters[name] = await value(lookups);
      if (editor !== undefined) {
        const written = await rewritten(session, parameters.message_id, editor);
        if (!written) return terminal.err('Nothing was changed.');
        Object.assign(parameters, written.parameters);
        draft = written.draft;
      }
      if (words.confirms && !command.opts().yes && mayAsk())
        await confirm(words.confirms, session, parameters, terminal);
      // Loaded only here: programs do without.
      const telling = json ? undefined : (await import('../telling/index.ts')).TELLINGS[operation.name];
      const tell = await telling?.({ session, parameters, terminal });
      const result = await methodOf(
        session,
        operation,
      )(parameters).catch((error: { status?: number }) => {
        // Some operations need no account, but here this one did.
        if (error.status === 401 && operation.access === 'spectator' && connection.kind === 'site')
          requireCredentials(connection);
        if (draft) terminal.err(`What you wrote is kept in ${draft.path}.`);
        throw error;
      });
      await draft?.remove();
      if (json) showJson(result, terminal);
      else await showResult(result, tell ?? (() => undefined), terminal);
    } finally {
      await close();
    }
  };
}

/** Nothing says yet what the text is, nor that none is meant. */
function lacksText({ fromStdin, enough = [] }: Words, given: Given): boolean {
  return fromStdin !== undefined && ![fromStdin, ...enough].some((name) => given.has(name));
}

/** The editor to be opened where somebody at a terminal left the text out. */
function editorFor(words: Words, given: Given): string | undefined {
  return words.opensEditor && lacksText(words, given) && process.stdin.isTTY ? editorOf(process.env) : undefined;
}

function methodOf(session: object, operation: Operation): Call {
  const [group, action] = operation.name.split('.') as [string, string | undefined];
  const methods = session as Record<string, Call & Record<string, Call>>;
  return (action === undefined ? methods[group] : methods[group]?.[action]) as Call;
}

function requireFields(
  fields: readonly Field[],
  words: Words,
  given: Given,
  pending: ReadonlyMap<string, unknown>,
  help: string,
): void {
  const missing = fields.filter(
    ({ name, shape }) =>
      !shape.isOptional &&
      !given.has(name) &&
      !pending.has(name) &&
      name !== words.fromStdin &&
      !Object.hasOwn(words.preset ?? {}, name),
  );
  if (missing.length === 0) return;
  const written = missing.map(
    (field) => words.positional?.find(({ parameter }) => parameter === field.name)?.label ?? field.flag,
  );
  throw new UsageError(`Missing: ${written.join(', ')}.`, help);
}
