import { Command } from 'commander';
import type { Session } from '../../lib/index.ts';
import { chooseConnection } from '../connection.ts';
import { addGlobalOptions, globalOptions } from '../global-options.ts';
import { addExamples } from '../help.ts';
import { openSession } from '../open-session.ts';
import { commands } from '../operations/metadata.ts';
import { showJson, showResult } from '../output/result.ts';
import type { Terminal } from '../output/terminal.ts';
import { currentState } from './show.ts';

const person = { parameter: 'muted_user_id', label: 'USER' } as const;
const parsers = { muted_user_id: 'user' } as const;

export const mutedUsers = commands(
  'mutedUsers',
  'Users that you mute',
  {
    add: {
      args: [person],
      parsers,
      done: async ({ session, parameters }) =>
        `Muted ${await nameOf(session, parameters.muted_user_id)}. Their messages are marked as read.`,
      examples: ['muted-users add ben@example.com'],
    },
    remove: {
      undo: 'muted-users add',
      args: [person],
      parsers,
      done: async ({ session, parameters }) =>
        `Unmuted ${await nameOf(session, parameters.muted_user_id)}. Earlier messages stay read.`,
      examples: ['muted-users remove ben@example.com'],
    },
  },
  listCommand,
);

async function nameOf(session: Session, id: number): Promise<string> {
  const { members } = await session.users.list({ user_ids: [id] }).catch(() => ({ members: [] }));
  return members[0]?.full_name ?? `user ${id}`;
}

/** The API has no route for this list. It is part of the state that `register` returns. */
function listCommand(terminal: Terminal): Command {
  const summary = 'List the users that you mute';
  const command = new Command('list').summary(summary).description(`${summary}.`);
  addExamples(addGlobalOptions(command), ['muted-users list']);
  return command.action(async () => {
    const options = globalOptions(command);
    const { session, close } = await openSession(chooseConnection(options));
    try {
      const { muted_users } = await currentState(session, 'muted_users');
      const muted = muted_users as { id: number; timestamp: number }[];
      if (options.json) return showJson({ muted_users }, terminal);
      if (muted.length === 0) return terminal.out('You have not muted any users.');
      const { members } = await session.users.list();
      const names = new Map(members.map(({ user_id, full_name }) => [user_id, full_name]));
      const rows = muted.map(({ id, timestamp }) => ({ user_id: id, full_name: names.get(id) ?? '', timestamp }));
      await showResult(
        { muted_users: rows },
        { columns: { muted_users: ['user_id', 'full_name', ['timestamp', 'SINCE']] } },
        terminal,
      );
    } finally {
      await close();
    }
  });
}
