import { Command } from 'commander';
import type { Session } from '../../lib/index.ts';
import { catalogue } from '../../lib/operations/index.ts';
import { inUnits } from '../arguments/durations.ts';
import { chooseConnection } from '../connection.ts';
import { addGlobalOptions, globalOptions } from '../global-options.ts';
import { openSession } from '../open-session.ts';
import { details } from '../output/details.ts';
import { showJson } from '../output/result.ts';
import type { Terminal } from '../output/terminal.ts';

type Values = Record<string, unknown>;

/** What `organization edit` changes, as it is now. */
export function showOrganizationCommand(terminal: Terminal): Command {
  const summary = "Show the organization's name, settings and permissions";
  return showCommand(terminal, summary, async (session) => {
    const state = await stateOf(session, 'realm');
    const values = chosen('organization.edit', (key) => state[`realm_${key}`]);
    return { values, forPeople: () => inWords(session, values) };
  });
}

/** What `settings edit` changes, as it is now. */
export function showSettingsCommand(terminal: Terminal): Command {
  return showCommand(terminal, 'Show your own settings', async (session) => {
    const { user_settings } = await stateOf(session, 'user_settings');
    const values = chosen('settings.edit', (key) => (user_settings as Values)[key]);
    return { values, forPeople: async () => values };
  });
}

function showCommand(
  terminal: Terminal,
  summary: string,
  read: (session: Session) => Promise<{ values: Values; forPeople(): Promise<Values> }>,
): Command {
  const command = new Command('show').summary(summary).description(`${summary}.`);
  addGlobalOptions(command);
  return command.action(async () => {
    const options = globalOptions(command);
    const { session, close } = await openSession(chooseConnection(options));
    try {
      const { values, forPeople } = await read(session);
      if (options.json) showJson(values, terminal);
      else terminal.out(details(await forPeople(), terminal));
    } finally {
      await close();
    }
  });
}

/** Settings have no address of their own: they are part of what a client starts with. */
async function stateOf(session: Session, type: string): Promise<Values> {
  const { queue_id, ...state } = await session.register({ event_types: [], fetch_event_types: [type] });
  await session.events.delete({ queue_id });
  return state;
}

function chosen(operation: string, find: (key: string) => unknown): Values {
  const { params } = catalogue.find(({ name }) => name === operation) as { params: { entries: object } };
  const keys = Object.keys(params.entries);
  return Object.fromEntries(keys.map((key) => [key, find(key)]).filter(([, value]) => value !== undefined));
}

interface Holders {
  direct_members: number[];
  direct_subgroups: number[];
}

/** With names for groups, people and channels, and units for periods. */
async function inWords(session: Session, values: Values): Promise<Values> {
  // Some may not list groups; they see the IDs.
  const groups = await session.userGroups.list().then(
    ({ user_groups }) => new Map(user_groups.map(({ id, name }) => [id, name])),
    () => new Map<number, string>(),
  );
  const holders = Object.values(values).filter(isHolders);
  const members = holders.some(({ direct_members }) => direct_members.length > 0)
    ? (await session.users.list()).members.map(({ user_id, email }) => [user_id, email] as const)
    : [];
  const people = new Map(members);
  const channel = values.new_stream_announcements_stream_id as number;
  const channels = channel < 0 ? [] : (await session.channels.list()).streams;
  const groupName = (id: number) => groups.get(id) ?? String(id);
  const word = (key: string, value: unknown): unknown => {
    if (key === 'new_stream_announcements_stream_id')
      return channels.find(({ stream_id }) => stream_id === value)?.name ?? value;
    if (key.endsWith('_seconds')) return value === null ? 'unlimited' : inUnits(value as number);
    if (isHolders(value))
      return [
        ...value.direct_members.map((id) => people.get(id) ?? String(id)),
        ...value.direct_subgroups.map(groupName),
      ];
    return key.endsWith('_group') ? groupName(value as number) : value;
  };
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, word(key, value)]));
}

function isHolders(value: unknown): value is Holders {
  return typeof value === 'object' && value !== null && 'direct_members' in value;
}
