import { Command } from 'commander';
import type { AuditEntry, Storage } from '../../lib/index.ts';
import { formatTimestamp, machineZone, parseDate, secondsIn, timestampIn } from '../arguments/dates.ts';
import { chooseDatabase, withChat } from '../database.ts';
import { EXIT, Failure, UsageError } from '../failure.ts';
import { addDatabaseOptions, globalOptions } from '../global-options.ts';
import { addExamples } from '../help.ts';
import { oneLine } from '../output/sanitize.ts';
import { table } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';

interface Flags {
  since?: string;
  user?: string;
  action?: string;
  limit?: string;
}

/**
 * Reads the audit log of a database. The Zulip API has no operation for it, and a user with the database file can
 * read everything anyway.
 */
export function auditCommand(terminal: Terminal): Command {
  const command = new Command('audit')
    .summary('Show the audit log, newest entry last')
    .description(
      'Show the audit log of a database: actions of administrators and owners, logins, and refused requests. Entries contain the numbers of a request but not its texts.',
    )
    .option('--since <time>', 'only entries since this time: 24h, 7d, or "2026-01-31 14:00"')
    .option('--user <user>', 'only entries of this user: e-mail address or ID')
    .option('--action <operation>', 'only this operation, such as users.edit; authenticate for wrong API keys')
    .option('--limit <count>', 'newest entries to show, at most 10000 (default 100)');
  addExamples(command, ['audit --db chat.db --since 24h --action fetchApiKey']);
  return addDatabaseOptions(command).action(() => showAudit(command, terminal));
}

async function showAudit(command: Command, terminal: Terminal): Promise<void> {
  const options = globalOptions(command);
  const { json, user, ...rest } = options;
  const { since, action, limit = '100' } = rest as Flags;
  if (!/^[0-9]{1,5}$/.test(limit) || Number(limit) < 1 || Number(limit) > 10_000) {
    throw new UsageError('--limit must be a number from 1 to 10000.');
  }
  const from = since === undefined ? undefined : sinceWhen(since);
  await withChat(chooseDatabase(options), async ({ chat, storage }) => {
    const entries = await chat
      .auditLog({
        limit: Number(limit),
        ...(from === undefined ? {} : { since: from }),
        ...(user === undefined ? {} : { user: /^[0-9]+$/.test(user) ? Number(user) : user }),
        ...(action === undefined ? {} : { action }),
      })
      .catch((error: Error & { status?: number }) => {
        if (error.status !== 401) throw error;
        throw new Failure(error.message, EXIT.refused, '`chatctl users list` shows the accounts.');
      });
    if (json) terminal.out(JSON.stringify({ entries }));
    else if (entries.length === 0) terminal.err(nothingKept({ since, user, action }));
    else {
      const zone = machineZone();
      const addresses = await addressesIn(storage, entries);
      const rows = entries.map(({ at_ms, user_id, action, status, code, times, details, network }) => [
        formatTimestamp(Math.floor(at_ms / 1000), zone, true),
        user_id === null ? '-' : (addresses.get(user_id) ?? String(user_id)),
        action,
        `${code ?? (status === 200 ? 'done' : status)}${times > 1 ? ` (${times} times)` : ''}`,
        oneLine(
          [
            ...Object.entries(details).map(([name, value]) => `${name} ${shownValue(value)}${whose(name, value)}`),
            ...(network ? [`from ${network}`] : []),
          ].join(', '),
        ),
      ]);
      function whose(name: string, value: unknown): string {
        const address = name === 'user_id' && addresses.get(value as number);
        return address ? ` (${address})` : '';
      }
      terminal.out(table(['TIME', 'BY', 'ACTION', 'OUTCOME', 'WHAT'], rows, terminal));
    }
  });
}

function nothingKept({ since, user, action }: Pick<Flags, 'since' | 'user' | 'action'>): string {
  const filters = [
    ...(action === undefined ? [] : [`of ${oneLine(action)}`]),
    ...(user === undefined ? [] : [`by ${oneLine(user)}`]),
    ...(since === undefined ? [] : [`since ${oneLine(since)}`]),
  ];
  return `No entries${filters.map((filter) => ` ${filter}`).join('')}.`;
}

/** The addresses of the users who acted, and of the users they acted on. */
async function addressesIn(storage: Storage, entries: readonly AuditEntry[]): Promise<ReadonlyMap<number, string>> {
  const ids = new Set<number>();
  for (const { user_id, details } of entries) {
    if (user_id !== null) ids.add(user_id);
    if (typeof details.user_id === 'number') ids.add(details.user_id);
  }
  const users = await storage.read((tx) => tx.users.byIds([...ids]));
  return new Map(users.map(({ id, delivery_email }) => [id, oneLine(delivery_email)]));
}

const shownValue = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

const SINCE_FORMS = '24h, 7d, "today 9:00", "2026-01-31 14:00", 2026-01-31T14:00Z or UNIX seconds';

function sinceWhen(text: string): number {
  const seconds = secondsIn(text);
  if (seconds !== text) return Date.now() - Number(seconds) * 1000;
  const now = Date.now();
  const zone = machineZone();
  const moment = timestampIn(parseDate('--since', text, now, SINCE_FORMS), zone, now);
  if (moment * 1000 > now)
    throw new UsageError(
      `--since is in the future: ${formatTimestamp(moment, zone)}.`,
      `Write it like ${SINCE_FORMS}.`,
    );
  return moment * 1000;
}
