import { Command } from 'commander';
import type { FetchType, Session } from '../../lib/index.ts';
import { type Access, catalogue, present } from '../../lib/internal.ts';
import { chooseConnection, openSession } from '../connection.ts';
import { addDatabaseOptions, addGlobalOptions, type GlobalOptions, globalOptions } from '../global-options.ts';
import { addExamples } from '../help.ts';
import { checkSomebodyAnswers, confirm, letAsk } from '../input.ts';
import type { Flags } from '../operations/metadata.ts';
import { showJson } from '../output/result.ts';
import type { Terminal } from '../output/terminal.ts';
import { details } from '../output/text.ts';

/** A command that is not an operation. */
interface LocalCommand<F = object> {
  summary: string;
  aliases?: readonly string[];
  /** The default is the summary. */
  description?: string;
  args?: readonly (readonly [name: string, description: string])[];
  options?: Flags;
  /** Asks for confirmation, unless `--yes` is given. */
  asks?: boolean;
  examples: readonly string[];
  notes?: readonly string[];
  /** Fields for the example of `--json=FIELDS`, if the command supports it. */
  fields?: readonly string[];
  run(call: LocalCall<F>): Promise<unknown> | unknown;
}

export interface LocalCall<F = object> {
  args: readonly string[];
  options: GlobalOptions & F;
  terminal: Terminal;
  /** @throws Failure unless the answer, or `--yes`, is yes */
  confirm(question: string): Promise<void>;
  /** Prints the text, or with `--json` the fields. */
  print(fields: object, text: string): void;
}

export type MakeCommand = (terminal: Terminal) => Command;

/** @param add adds the options that many commands have */
export function localCommand<F>(add: typeof addGlobalOptions, name: string, declared: LocalCommand<F>): MakeCommand {
  return (terminal) => {
    const {
      summary,
      aliases = [],
      description = `${summary}.`,
      args = [],
      options = [],
      examples,
      notes,
      fields,
    } = declared;
    const command = new Command(name)
      .aliases(aliases)
      .summary(summary)
      .description(description)
      .optionsGroup('Parameters:');
    for (const [argument, text] of args) command.argument(argument, text);
    for (const [flags, text, parse] of options) command.option(flags, text, parse as (value: string) => unknown);
    if (declared.asks) letAsk(command);
    addExamples(add(command, fields), examples, notes);
    return command.action(async () => {
      const chosen = globalOptions(command) as GlobalOptions & F;
      await declared.run({
        args: command.processedArgs as string[],
        options: chosen,
        terminal,
        async confirm(question) {
          if (command.opts<{ yes?: boolean }>().yes) return;
          checkSomebodyAnswers();
          await confirm(question);
        },
        print: (fields, text) => (chosen.json ? showJson(fields, terminal) : terminal.out(text)),
      });
    });
  };
}

export const connectedCommand = <F>(name: string, declared: LocalCommand<F>) =>
  localCommand(addGlobalOptions, name, declared);

/** A command that cannot use a server. */
export const databaseCommand = <F>(name: string, declared: LocalCommand<F>) =>
  localCommand(addDatabaseOptions, name, declared);

export function commandWithSubcommands(name: string, description: string, made: readonly MakeCommand[]): MakeCommand {
  return (terminal) => {
    const command = new Command(name).description(description).usage('<command> [options]');
    for (const make of made) command.addCommand(make(terminal));
    return command;
  };
}

/** Opens the session that the options choose, and closes it after `work`. */
export async function withSession<T>(options: GlobalOptions, work: (session: Session) => Promise<T>, access?: Access) {
  const { session, close } = await openSession(chooseConnection(options), access);
  return work(session).finally(close);
}

export type Values = Record<string, unknown>;

/** The command `show` of a group of settings. `forPeople` formats the values when there is no `--json`. */
export function showCommand(
  group: string,
  summary: string,
  read: (session: Session) => Promise<Values>,
  forPeople: (session: Session, values: Values) => Promise<Values> = async (_session, values) => values,
): MakeCommand {
  return connectedCommand('show', {
    summary,
    aliases: ['get'],
    examples: [`${group} show`],
    fields: ['FIELD', '...'],
    run: ({ options, terminal }) =>
      withSession(options, async (session) => {
        const values = await read(session);
        if (options.json) showJson(values, terminal);
        else terminal.out(details(await forPeople(session, values), terminal));
      }),
  });
}

/** The API has no route for settings and some lists. They are part of the state that `register` returns. */
export async function currentState(session: Session, type: FetchType): Promise<Values> {
  const { queue_id, ...state } = await session.register({ event_types: [], fetch_event_types: [type] });
  await session.events.delete({ queue_id });
  return state;
}

/** The settings that an operation can change. */
export function settingsOf(operation: string, find: (key: string) => unknown): Values {
  const { params } = present(catalogue.find(({ name }) => name === operation));
  const keys = Object.keys(params);
  return Object.fromEntries(keys.map((key) => [key, find(key)]).filter(([, value]) => value !== undefined));
}
