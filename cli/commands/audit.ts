import type { AuditEntry, Storage } from '../../lib/index.ts';
import { SYSTEM_CLIENT } from '../../lib/internal.ts';
import { machineZone, secondsIn } from '../arguments/durations.ts';
import { chooseDatabase, withChat } from '../database.ts';
import { Failure, UsageError } from '../failure.ts';
import { idOrName } from '../names.ts';
import { showJson } from '../output/result.ts';
import { oneLine, tableOf } from '../output/text.ts';
import { databaseCommand, type LocalCall } from './local-command.ts';

type Flags = { since?: string; user?: string; action?: string; channel?: string; limit?: string };

/** The API has no operation for it. A user with the database file can read everything anyway. */
export const auditCommand = databaseCommand('audit', {
  summary: 'Show the audit log, newest entry last',
  description:
    'Show the audit log of a database: actions of administrators and owners, deleted and moved messages of others, logins, and refused requests. Commands on the database show as "local", with the account that they acted as. Entries contain the numbers of a request but not its texts.',
  options: [
    ['--since <time>', 'only entries since this time: 24h, 7d, or "2026-01-31 14:00"'],
    ['--user <user>', 'only entries of this user: e-mail address or ID'],
    ['--action <operation>', 'only this operation, such as users.edit; authenticate for wrong API keys'],
    ['--channel <channel>', 'only actions in this channel: name or ID'],
    ['--limit <count>', 'newest entries to show, at most 10000 (default 100)'],
  ],
  examples: ['audit --db chat.db --since 24h --action fetchApiKey'],
  run: showAudit,
});

async function showAudit({ options, terminal }: LocalCall<Flags>): Promise<void> {
  const { json, user, since, action, channel, limit = '100' } = options;
  if (!/^[0-9]{1,5}$/.test(limit) || Number(limit) < 1 || Number(limit) > 10_000)
    throw new UsageError('--limit must be a number from 1 to 10000.');
  const from = since === undefined ? undefined : await sinceWhen(since);
  await withChat(chooseDatabase(options), async ({ chat, storage }) => {
    const inChannel = channel === undefined ? undefined : await channelIdOf(storage, channel);
    const entries = await chat
      .auditLog({ limit: Number(limit), since: from, user: user && idOrName(user), action, channel: inChannel })
      .catch((error: Error & { status?: number }) => {
        if (error.status !== 401) throw error;
        throw new Failure(error.message, '`chatctl users list` shows the accounts.');
      });
    if (json) return showJson({ entries }, terminal);
    if (entries.length === 0)
      return terminal.err((user ?? since ?? action ?? channel) ? 'No entries match.' : 'The audit log is empty.');
    const { formatTimestamp } = await import('../arguments/dates.ts');
    const zone = machineZone();
    const addresses = await addressesIn(storage, entries);
    const channels = await channelNamesIn(storage, entries);
    const named = (name: string, value: unknown) => {
      const known = USER_FIELDS.includes(name) ? addresses : CHANNEL_FIELDS.includes(name) ? channels : undefined;
      const found = known?.get(value as number);
      return found ? ` (${found})` : '';
    };
    const text = tableOf(entries, terminal, {
      TIME: ({ at_ms }) => formatTimestamp(Math.floor(at_ms / 1000), zone, { inColumn: true }),
      BY: (entry) => {
        if (isOfSystem(entry)) return 'system';
        const { as_user_id: as } = entry.details;
        if (typeof as === 'number') return `local, as ${addresses.get(as) ?? as}`;
        return entry.user_id === null ? '-' : (addresses.get(entry.user_id) ?? entry.user_id);
      },
      ACTION: 'action',
      OUTCOME: ({ code, status, times }) =>
        `${code ?? (status === 200 ? 'done' : status)}${times > 1 ? ` (${times} times)` : ''}`,
      WHAT: ({ details, network }) =>
        [
          ...Object.entries(details)
            .filter(([name]) => name !== 'as_user_id')
            .map(([name, value]) => `${name} ${shownValue(value)}${named(name, value)}`),
          ...(network ? [`from ${network}`] : []),
        ].join(', '),
    });
    terminal.out(text);
  });
}

/** A caller over HTTP can have any client name, but the entry has its account or network address. */
const isOfSystem = ({ user_id, client, network, request }: AuditEntry) =>
  user_id === null && client === SYSTEM_CLIENT && network === null && request === null;

async function addressesIn(storage: Storage, entries: readonly AuditEntry[]): Promise<ReadonlyMap<number, string>> {
  const ids = entries.flatMap(({ user_id, details }) => [user_id, ...USER_FIELDS.map((name) => details[name])]);
  const known = new Set(ids.filter((id) => typeof id === 'number'));
  const users = await storage.read((tx) => tx.users.byIds([...known]));
  return new Map(users.map(({ id, delivery_email }) => [id, oneLine(delivery_email)]));
}

async function channelNamesIn(storage: Storage, entries: readonly AuditEntry[]): Promise<ReadonlyMap<number, string>> {
  const ids = entries.flatMap(({ details }) => CHANNEL_FIELDS.map((name) => details[name]));
  const known = new Set(ids.filter((id) => typeof id === 'number'));
  const channels = await storage.read((tx) => tx.channels.byIds([...known]));
  return new Map(channels.map(({ id, name }) => [id, oneLine(name)]));
}

/** Also of an archived channel. */
async function channelIdOf(storage: Storage, text: string): Promise<number> {
  const [named] = await storage.read((tx) => tx.channels.byNames([text.replace(/^#/, '')]));
  if (named) return named.id;
  if (/^[0-9]{1,15}$/.test(text)) return Number(text);
  throw new Failure(`There is no channel named "${oneLine(text)}".`, '`chatctl channels list` shows them.');
}

/** Fields of the details that contain the ID of an account, or of a channel. */
const USER_FIELDS = ['user_id', 'sender_id', 'as_user_id'];
const CHANNEL_FIELDS = ['stream_id', 'from_stream_id', 'channel_id'];

const shownValue = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

const SINCE_FORMS = '24h, 7d, "today 9:00", "2026-01-31 14:00", 2026-01-31T14:00Z or UNIX seconds';

async function sinceWhen(text: string): Promise<number> {
  const seconds = secondsIn(text);
  if (seconds !== text) return Date.now() - Number(seconds) * 1000;
  const { formatTimestamp, parseDate, timestampIn } = await import('../arguments/dates.ts');
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
