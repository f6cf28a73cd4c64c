import { Command } from 'commander';
import { chooseConnection } from '../connection.ts';
import { EXIT, Failure, UsageError } from '../failure.ts';
import { addGlobalOptions, globalOptions } from '../global-options.ts';
import { addExamples } from '../help.ts';
import { askNewPassword, isInteractive, linesOfStdin } from '../input.ts';
import { openSession } from '../open-session.ts';
import { showJson } from '../output/result.ts';
import type { Terminal } from '../output/terminal.ts';

/** `settings password`: passwords are typed unseen or come on stdin, never on the command line, which others can see. */
export function ownPasswordCommand(terminal: Terminal): Command {
  const command = new Command('password')
    .summary('Change your own password')
    .description(
      'Change your own password. It is asked for on the terminal. Your API key goes on working; replace it with `chatctl users regenerate-api-key`.',
    )
    .option(
      '--stdin',
      'read the present password from the first line of stdin, empty if you have none, and the new one from the second',
    );
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
    'There is no new password on stdin.',
    'Its first line is the present password, empty if you have none; the second is the new one.',
  );
}

async function passwordsFromTerminal(): Promise<Passwords> {
  if (!isInteractive()) throw new UsageError('Nobody is at a terminal to type passwords.', 'Give --stdin.');
  const [new_password = '', old_password = ''] = await askNewPassword('Present password (empty if you have none)?');
  if (new_password === '') throw new Failure('The password was not changed.', EXIT.refused);
  return { old_password, new_password };
}
