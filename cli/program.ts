import { Command } from 'commander';
import type { Operation } from '../lib/operation.ts';
import { catalogue } from '../lib/operations/index.ts';
import { completionCommand } from './commands/completion.ts';
import { listenCommand } from './commands/events.ts';
import { initCommand } from './commands/init.ts';
import { openApiCommand } from './commands/openapi.ts';
import { serveCommand } from './commands/serve.ts';
import { showOrganizationCommand, showSettingsCommand } from './commands/show.ts';
import { UsageError } from './failure.ts';
import { addGlobalOptions } from './global-options.ts';
import { childNamed, commandWords } from './names.ts';
import { operationCommand } from './operations/command.ts';
import { operationRunner } from './operations/run.ts';
import type { Terminal } from './output/terminal.ts';

const SPOKEN: Readonly<Record<string, string>> = {
  bots: 'Bots and their keys',
  channels: 'Channels and their settings',
  'custom-emoji': "The organization's own emoji",
  'default-channels': 'Channels that new people are subscribed to',
  'channel-folders': 'Folders that group channels',
  events: 'What happens, as it happens',
  invitations: 'Invitations and reusable links',
  linkifiers: 'Patterns that become links',
  messages: 'Messages, reactions and history',
  organization: 'The organization and what it allows',
  playgrounds: 'Places where code blocks can be run',
  'push-devices': 'Phones that receive notifications',
  presence: 'Who is there',
  'scheduled-messages': 'Messages to be sent later',
  settings: 'Your own settings',
  subscriptions: 'Who reads which channel',
  topics: 'Topics of channels',
  'user-groups': 'Groups of people',
  users: 'People and their accounts',
};

/** The whole tree of commands: the catalogue's and a few of its own. */
export function buildProgram(terminal: Terminal): Command {
  const program = new Command('chatctl')
    .description('The command line of Parlance: team chat on a database or on a server of the Zulip API.')
    .usage('<command> [options]')
    .enablePositionalOptions()
    .option('-V, --version', 'print the version')
    .addHelpText(
      'after',
      `\nExit codes: 0 done, 1 refused by the chat, 2 usage, 4 not authenticated, 8 unreachable or server fault.`,
    );
  addGlobalOptions(program);
  program.commandsGroup('Start:');
  program.addCommand(initCommand(terminal)).addCommand(serveCommand(terminal));
  program.commandsGroup('Chat:');
  const run = operationRunner(terminal);
  for (const operation of catalogue as readonly Operation[]) {
    const words = commandWords(operation.name);
    const name = words.at(-1) as string;
    (words.length > 1 ? groupOf(program, words[0] as string) : program).addCommand(
      operationCommand(operation, name, run),
    );
  }
  groupOf(program, 'events').addCommand(listenCommand(terminal));
  groupOf(program, 'organization').addCommand(showOrganizationCommand(terminal));
  groupOf(program, 'settings').addCommand(showSettingsCommand(terminal));
  program.commandsGroup('More:');
  program
    .addCommand(openApiCommand(terminal))
    .addCommand(completionCommand(program, terminal))
    .addCommand(helpCommand(program));
  settle(program);
  return program;
}

function groupOf(program: Command, name: string): Command {
  const existing = program.commands.find((command) => command.name() === name);
  if (existing) return existing;
  const group = new Command(name)
    .description(SPOKEN[name] ?? `${name.replaceAll('-', ' ')}`)
    .usage('<command> [options]');
  program.addCommand(group);
  return group;
}

/** Shows the help of `chatctl help messages send`, however deep. */
function helpCommand(program: Command): Command {
  return new Command('help')
    .description('Explain a command')
    .argument('[command...]')
    .action((words: string[]) => {
      let at = program;
      for (const word of words) {
        const child = childNamed(at, word);
        if (!child) throw new UsageError(`There is no command "${words.join(' ')}".`, 'See `chatctl --help`.');
        at = child;
      }
      at.outputHelp();
    });
}

/** Errors are thrown, so that all are told in one way; lists of commands leave out what is the same for each. */
function settle(command: Command): void {
  command
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .configureHelp({
      subcommandTerm: (child) =>
        `${[child.name(), ...child.aliases()].join('|')} ${child.usage().replace(/ ?\[options\] ?|<command>/g, '')}`.trim(),
    })
    .helpCommand(false);
  for (const child of command.commands) settle(child);
}
