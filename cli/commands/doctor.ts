import type { DoctorFlags } from '../doctor/report.ts';
import { addServeOptions } from '../serve/declared-options.ts';
import { localCommand } from './local-command.ts';

export const doctorCommand = localCommand<DoctorFlags>(addServeOptions, 'doctor', {
  summary: 'Find what is wrong with a server',
  description:
    'Find what is wrong with a server: database, schema, damage, uploads, mail, push relay, clocks, TLS, proxy, disk, ' +
    'permissions and backups. Takes the options and variables of `chatctl serve`. Servers can keep running. Prints each ' +
    'problem with the command or setting that fixes it. The exit code is 1 if there is a problem.',
  options: [
    ['--send-to <address>', 'send a test e-mail to this address'],
    ['--backups <folder>', 'check the age of the newest backup (*.backup) in this folder'],
    ['--fix', 'repair counters and indexes, and remove unusable event queues and unused uploads'],
  ],
  examples: [
    'doctor --db chat.db --base-url https://chat.example.com --trust-proxy 1',
    'doctor --backups /var/lib/parlance/backups --send-to ada@example.com',
    'doctor --db chat.db --fix',
  ],
  run: async (call) => (await import('../doctor/examine-all.ts')).examineAll(call),
});
