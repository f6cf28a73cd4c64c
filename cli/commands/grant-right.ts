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

/** `users grant USER RIGHT`: permissions that the API cannot grant. It changes the database directly. */
export function grantRightCommand(terminal: Terminal): Command {
  const command = new Command('grant')
    .summary('Grant a special permission to an account')
    .description(
      'Grant a special permission to an account. Works only with --db, not over the API. can_change_user_emails lets an owner change the e-mail addresses of other users.',
    )
    .argument('<user>', 'e-mail address or ID')
    .argument('<right>', RIGHTS.join(', '))
    .option('--revoke', 'remove the permission');
  addExamples(command, ['users grant ada@example.com can_change_user_emails --db chat.db']);
  addGlobalOptions(command);
  return command.action(async (user: string, right: string) => {
    const options = globalOptions(command);
    const permission = RIGHTS.find((known) => known === right);
    if (!permission) throw new UsageError(`Unknown permission ${right}.`, `Permissions: ${RIGHTS.join(', ')}.`);
    const connection = chooseConnection(options);
    if (connection.kind === 'site') throw new UsageError('This command needs a database: use --db.');
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
