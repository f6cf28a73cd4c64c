import { Command } from 'commander';
import { chooseConnection } from '../connection.ts';
import { checkDatabase, openUpToDate } from '../database.ts';
import { UsageError } from '../failure.ts';
import { addGlobalOptions, globalOptions } from '../global-options.ts';
import { addExamples } from '../help.ts';
import { showJson } from '../output/result.ts';
import { oneLine } from '../output/sanitize.ts';
import type { Terminal } from '../output/terminal.ts';

const RIGHTS = ['can_change_user_emails'] as const;

/** `users grant USER RIGHT`: what nobody can give through the API, on the database itself. */
export function grantRightCommand(terminal: Terminal): Command {
  const command = new Command('grant')
    .summary('Give an account a right that no role has')
    .description(
      'Give an account a right that no role has, on the database itself: nobody can do so over the network. can_change_user_emails: as an owner, to give others another address.',
    )
    .argument('<user>', 'the e-mail address or ID of the account')
    .argument('<right>', RIGHTS.join(', '))
    .option('--revoke', 'take it away');
  addExamples(command, ['users grant ada@example.com can_change_user_emails --db chat.db']);
  addGlobalOptions(command);
  return command.action(async (user: string, right: string) => {
    const options = globalOptions(command);
    const permission = RIGHTS.find((known) => known === right);
    if (!permission) throw new UsageError(`There is no right ${right}.`, `Rights are ${RIGHTS.join(', ')}.`);
    const connection = chooseConnection(options);
    if (connection.kind === 'site') throw new UsageError('This is done on the database: name it with --db.');
    checkDatabase(connection);
    const isGranted = command.opts().revoke !== true;
    const { chat } = await openUpToDate(connection.location, { migrate: false });
    try {
      const reference = /^[0-9]+$/.test(user) ? Number(user) : user;
      const { user_id, full_name } = await chat.setSpecialPermission(reference, permission, isGranted);
      if (options.json) showJson({ user_id, [permission]: isGranted }, terminal);
      else terminal.out(`${oneLine(full_name)} ${isGranted ? 'has' : 'no longer has'} ${permission}.`);
    } finally {
      await chat.close();
    }
  });
}
