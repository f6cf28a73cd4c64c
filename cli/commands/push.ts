import { Command } from 'commander';
import { chooseConnection } from '../connection.ts';
import { addGlobalOptions, globalOptions } from '../global-options.ts';
import { addExamples } from '../help.ts';
import { openSession } from '../open-session.ts';
import { commands } from '../operations/metadata.ts';
import { showJson } from '../output/result.ts';
import { sanitize } from '../output/sanitize.ts';
import { table } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';
import { currentState } from './show.ts';

type Devices = Record<string, { status: string; error_code: string | null }>;

const token = { parameter: 'token', label: 'TOKEN' } as const;

export const push = commands(
  'push',
  'Devices that are notified of messages',
  {
    register: {
      done: ({ parameters }) =>
        `Device ${parameters.push_account_id} is registered, or will be; \`chatctl push devices\` says what came of it.`,
    },
    sendTest: {
      aliases: ['test'],
      done: ({ parameters: { push_account_id } }) =>
        `The push relay has taken a notification for ${push_account_id === undefined ? 'all your devices' : `device ${push_account_id}`}.`,
      examples: ['push test', 'push test --push-account-id 2408'],
    },
    addApnsToken: {
      args: [token],
      done: () => 'Added the device.',
      examples: ['push add-apns-token c0ffee --appid com.example.chat'],
    },
    removeApnsToken: {
      undo: 'push add-apns-token',
      args: [token],
      done: () => 'Removed the device.',
      examples: ['push remove-apns-token c0ffee'],
    },
    addFcmToken: { args: [token], done: () => 'Added the device.', examples: ['push add-fcm-token fcm-token'] },
    removeFcmToken: {
      undo: 'push add-fcm-token',
      args: [token],
      done: () => 'Removed the device.',
      examples: ['push remove-fcm-token fcm-token'],
    },
  },
  devicesCommand,
);

/** They are no list of their own, but a part of what a client starts with. */
function devicesCommand(terminal: Terminal): Command {
  const summary = 'List your registered devices';
  const command = new Command('devices').summary(summary).description(`${summary}.`);
  addExamples(addGlobalOptions(command), ['push devices']);
  return command.action(async () => {
    const options = globalOptions(command);
    const { session, close } = await openSession(chooseConnection(options));
    try {
      const { push_devices } = await currentState(session, 'push_device');
      if (options.json) return showJson({ push_devices }, terminal);
      const devices = Object.entries(push_devices as Devices);
      if (devices.length === 0) return terminal.out('You have no registered devices.');
      const rows = devices.map(([id, { status, error_code }]) => [id, status, sanitize(error_code ?? '')]);
      terminal.out(table(['DEVICE', 'STATUS', 'REASON'], rows, terminal));
    } finally {
      await close();
    }
  });
}
