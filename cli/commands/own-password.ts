import { Command } from 'commander';
import { chooseConnection } from '../connection.ts';
import { EXIT, Failure, UsageError } from '../failure.ts';
import { addGlobalOptions, globalOptions } from '../global-options.ts';
import { addExamples } from '../help.ts';
import { askNewPassword, isInteractive, linesOfStdin } from '../input.ts';
import { openSession } from '../open-session.ts';
import { showJson } from '../output/result.ts';
import type { Terminal } from '../output/terminal.ts';

/** `settings password`: reads passwords from the terminal or stdin, because other users can see the command line. */
export function ownPasswordCommand(terminal: Terminal): Command {
  const command = new Command('password')
    .summary('Change your own password')
    .description(
      'Change your own password. Prompts for it on the terminal. Your API key stays valid; `chatctl users regenerate-api-key` replaces it.',
    )
    .option('--stdin', 'read the current password (empty if none) and the new password from two lines of stdin');
  addExamples(command, ['settings password', 'settings password --stdin < passwords.txt']);
  addGlobalOptions(command);
  return command.action(async () => {
    const options = globalOptions(command);
    const connection = chooseConnection(options);
    const given = command.opts().stdin === true ? await passwordsFromStdin() : await passwordsFromTerminal();
    const { session, close } = await openSession(connection, 'human');
    try {
      const answer = await session.settings.edit(given);
      if (options.json) showJson(answer, terminal);
      else terminal.out('Changed your password.');
    } finally {
      await close();
    }
  });
}

interface Passwords {
  old_password: string;
  new_password: string;
}

async function passwordsFromStdin(): Promise<Passwords> {
  const [old_password = '', new_password = ''] = await linesOfStdin();
  if (new_password !== '') return { old_password, new_password };
  throw new UsageError(
    'The new password is missing on stdin.',
    'Line 1 is the current password (empty if none), line 2 the new password.',
  );
}

async function passwordsFromTerminal(): Promise<Passwords> {
  if (!isInteractive()) throw new UsageError('Cannot prompt for passwords: there is no terminal.', 'Use --stdin.');
  const [new_password = '', old_password = ''] = await askNewPassword('Current password (empty if none)?');
  if (new_password === '') throw new Failure('The password was not changed.', EXIT.refused);
  return { old_password, new_password };
}
