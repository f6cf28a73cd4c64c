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
  'Devices with push notifications',
  {
    register: {
      done: ({ parameters }) =>
        `Requested the registration of device ${parameters.push_account_id}. \`chatctl push devices\` shows its status.`,
    },
    sendTest: {
      aliases: ['test'],
      done: ({ parameters: { push_account_id } }) =>
        `The push relay accepted a test notification for ${push_account_id === undefined ? 'all your devices' : `device ${push_account_id}`}.`,
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

/** The API has no route for this list. It is part of the state that `register` returns. */
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
