import { Command } from 'commander';
import type { FetchType, Session } from '../../lib/index.ts';
import { catalogue } from '../../lib/internal.ts';
import { chooseConnection } from '../connection.ts';
import { addGlobalOptions, type GlobalOptions, globalOptions, letChooseFields } from '../global-options.ts';
import { addExamples } from '../help.ts';
import { openSession } from '../open-session.ts';
import { showJson } from '../output/result.ts';
import { details } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';

export type Values = Record<string, unknown>;

/** A command that is not an operation. Acts on a database or on a server. */
export function sessionCommand(
  name: string,
  { summary, description = `${summary}.`, examples }: { summary: string; description?: string; examples: string[] },
): Command {
  return addExamples(addGlobalOptions(new Command(name).summary(summary).description(description)), examples);
}

/** Opens the session that the options choose, and closes it after `work`. */
export async function withSession(
  command: Command,
  work: (session: Session, options: GlobalOptions) => Promise<void>,
): Promise<void> {
  const options = globalOptions(command);
  const { session, close } = await openSession(chooseConnection(options));
  try {
    await work(session, options);
  } finally {
    await close();
  }
}

/** The command `show` of a group of settings. `forPeople` formats the values when there is no `--json`. */
export function showCommand(
  summary: string,
  examples: string[],
  read: (session: Session) => Promise<Values>,
  forPeople: (session: Session, values: Values) => Promise<Values> = async (_session, values) => values,
): (terminal: Terminal) => Command {
  return (terminal) => {
    const command = letChooseFields(sessionCommand('show', { summary, examples }));
    return command.action(() =>
      withSession(command, async (session, { json }) => {
        const values = await read(session);
        if (json) showJson(values, terminal);
        else terminal.out(details(await forPeople(session, values), terminal));
      }),
    );
  };
}

/** The API has no route for settings. They are part of the state that `register` returns. */
export async function currentState(session: Session, type: FetchType): Promise<Values> {
  const { queue_id, ...state } = await session.register({ event_types: [], fetch_event_types: [type] });
  await session.events.delete({ queue_id });
  return state;
}

/** The settings that an operation can change. */
export function settingsOf(operation: string, find: (key: string) => unknown): Values {
  const { params } = catalogue.find(({ name }) => name === operation) as { params: { entries: object } };
  const keys = Object.keys(params.entries);
  return Object.fromEntries(keys.map((key) => [key, find(key)]).filter(([, value]) => value !== undefined));
}
