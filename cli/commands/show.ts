import { Command } from 'commander';
import type { FetchType, Session } from '../../lib/index.ts';
import { catalogue } from '../../lib/internal.ts';
import { chooseConnection } from '../connection.ts';
import { addGlobalOptions, globalOptions, letChooseFields } from '../global-options.ts';
import { addExamples } from '../help.ts';
import { openSession } from '../open-session.ts';
import { showJson } from '../output/result.ts';
import { details } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';

export type Values = Record<string, unknown>;

/** The command `show` of a group of settings. `forPeople` formats the values when there is no `--json`. */
export function showCommand(
  summary: string,
  examples: readonly string[],
  read: (session: Session) => Promise<Values>,
  forPeople: (session: Session, values: Values) => Promise<Values> = async (_session, values) => values,
): (terminal: Terminal) => Command {
  return (terminal) => {
    const command = new Command('show').summary(summary).description(`${summary}.`);
    letChooseFields(addGlobalOptions(command));
    addExamples(command, examples);
    return command.action(async () => {
      const options = globalOptions(command);
      const { session, close } = await openSession(chooseConnection(options));
      try {
        const values = await read(session);
        if (options.json) showJson(values, terminal);
        else terminal.out(details(await forPeople(session, values), terminal));
      } finally {
        await close();
      }
    });
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
