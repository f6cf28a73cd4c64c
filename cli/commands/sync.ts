import type { Adopt, MirroredField, SyncChange, SyncLists } from '../../lib/index.ts';
import { MIRRORED_FIELDS, WAYS_TO_ADOPT } from '../../lib/internal.ts';
import { chooseDatabase, withChat } from '../database.ts';
import { Failure, UsageError } from '../failure.ts';
import { printFailures } from '../files.ts';
import { keepingProgress } from '../output/progress.ts';
import { showJson } from '../output/result.ts';
import { counted, oneLine } from '../output/text.ts';
import { FORMAT_OPTION, type RecordKind, type RecordOptions, readRecords, UNKNOWN_OPTION } from '../records.ts';
import { type LdapFlags, ldapOptions } from '../service-settings.ts';
import { databaseCommand, type LocalCall } from './local-command.ts';

type Flags = RecordOptions &
  LdapFlags & {
    deactivateMissing?: boolean;
    lock?: string;
    adopt?: string;
    dryRun?: boolean;
  };

/** A line of the file: a record without its type. Undefined values change nothing. */
type Fields = Readonly<Record<string, unknown>>;

const LISTS = { user: 'users', channel: 'channels', group: 'groups', room: 'rooms' } as const;
type Records = Record<(typeof LISTS)[keyof typeof LISTS], { line: number; fields: Fields }[]>;

const REQUIRED_COLUMNS = ['external_id', 'name'];
const NAME_COLUMNS = {
  channels: (reference: string) => reference,
  groups: (reference: string) => reference,
  members: (external_id: string) => ({ external_id }),
};
const FLAG_COLUMNS = ['is_active', 'is_private', 'is_archived'];
const SYNC_RECORDS: RecordKind = {
  columns: [
    'type',
    'external_id',
    'name',
    'email',
    'role',
    'description',
    'staff',
    ...Object.keys(NAME_COLUMNS),
    ...FLAG_COLUMNS,
  ],
  names: NAME_COLUMNS,
  flags: FLAG_COLUMNS,
  required: REQUIRED_COLUMNS,
  advice: 'The first line must name the columns: external_id,name,...',
};

export const syncCommand = databaseCommand<Flags>('sync', {
  summary: 'Make users, channels, groups and rooms equal to a file',
  description:
    'Make users, channels, groups and rooms equal to a CSV or JSON Lines file. Each line is a user, channel, group or room with external_id and name. Other columns: type (default user), email, role, channels, groups, is_active, description, is_private, is_archived, profile:FIELD. Rooms have members (external IDs of users) and staff (a group). In CSV, semicolons separate names, and an empty value changes nothing. In JSON, `"channels": []` leaves all channels. You can run it again at any time: it changes only what differs.',
  args: [['<file>', 'CSV or JSON Lines file, - for stdin; with --ldap, a mapping']],
  options: [
    FORMAT_OPTION,
    UNKNOWN_OPTION,
    ['--deactivate-missing', 'deactivate accounts that have an external ID but are not in the file'],
    ['--lock <fields>', `let only sync change these fields: ${MIRRORED_FIELDS.join(', ')}; "none" unlocks all`],
    [
      '--adopt <verified|reset|never>',
      'adopt by address or name: verified accounts, groups and public channels (verified); all, ending the access of earlier users (reset); none (never) (default: verified)',
    ],
    ['--ldap <url>', 'read users and groups from this LDAP directory; the file says how, in JSON'],
    ['--ldap-base <dn>', 'where users and groups are, such as dc=example,dc=com'],
    ['--dry-run', 'change nothing; list the changes'],
  ],
  examples: [
    'sync people.csv --db chat.db --dry-run',
    'sync everything.jsonl --deactivate-missing --lock name,email --json',
    'sync people.csv --adopt reset --dry-run',
    'sync mapping.json --ldap ldaps://ldap.example.com --ldap-base dc=example,dc=com --dry-run',
  ],
  run: syncFile,
});

async function syncFile({ args: [file = ''], options, terminal }: LocalCall<Flags>): Promise<void> {
  const { json, dryRun = false, deactivateMissing = false } = options;
  const directory = ldapOptions(options.ldap, options);
  const records = directory
    ? { channels: [], rooms: [], ...(await (await import('../ldap.ts')).ldapRecords(file, directory)) }
    : await recordsIn(file, options);
  const lists = Object.entries(records).map(([list, some]) => [list, some.map(({ fields }) => fields)]);
  const lock = options.lock === undefined ? undefined : locksIn(options.lock);
  const adopt = options.adopt === undefined ? undefined : wayToAdopt(options.adopt);
  const kept: SyncChange[] = [];
  const onChange = (change: SyncChange) => {
    if (json || change.action === 'failed') kept.push(change);
    else if (dryRun) terminal.out(described(change));
  };
  const progress = keepingProgress('Syncing', terminal);
  await withChat(chooseDatabase(options), async ({ chat }) => {
    const { counts } = await chat
      .sync(Object.fromEntries(lists) as SyncLists, {
        dryRun,
        deactivateMissing,
        lock,
        adopt,
        onChange,
        onProgress: json ? undefined : ({ done, total }) => progress({ what: 'users', done, total }),
      })
      .catch((error: unknown) => {
        throw withLine(error, records);
      });
    if (json) showJson({ dry_run: dryRun, counts, changes: kept }, terminal);
    else {
      printFailures(kept.map(described), terminal);
      const parts = Object.entries(counts).flatMap(([action, count]) => (count > 0 ? [`${count} ${action}`] : []));
      terminal.out(`${dryRun ? 'Dry run, nothing was changed: ' : ''}${parts.join(', ') || 'The file is empty'}.`);
    }
    if (counts.failed > 0)
      throw new Failure(
        `${counted(counts.failed, 'record')} ${dryRun ? 'would fail' : 'failed'}.`,
        'Correct them and run the command again. The other records are up to date.',
      );
  });
}

/** A refusal of `users[3]["name"]`, with the line of the file instead. */
function withLine(error: unknown, records: Records): unknown {
  const [, list, index, field = '', what] =
    /^(users|channels|groups|rooms)\[(\d+)\](?:\["(\w+)"\])?(.*)$/s.exec(error instanceof Error ? error.message : '') ??
    [];
  const line = records[list as keyof Records]?.[Number(index)]?.line;
  return line === undefined ? error : new UsageError(`Line ${line}: ${field}${what}`.replace(':  ', ': '));
}

function described({ action, adoption, kind, external_id, fields, reason }: SyncChange): string {
  const asText = (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value);
  const shown = fields.map(({ field, from, to }) => `${field} ${asText(from) ?? '-'} > ${asText(to) ?? '-'}`);
  const how = adoption === 'reset' ? ' (access of its earlier user ended)' : '';
  return oneLine(
    [`${action} ${kind} ${external_id}${how}`, ...shown, ...(reason === undefined ? [] : [reason])].join('; '),
  );
}

function wayToAdopt(text: string): Adopt {
  const way = WAYS_TO_ADOPT.find((known) => known === text);
  if (!way) throw new UsageError(`--adopt must be ${WAYS_TO_ADOPT.join(', ')}, not "${text}".`);
  return way;
}

function locksIn(text: string): MirroredField[] {
  const names = text === 'none' ? [] : text.split(',').map((name) => name.trim());
  return names.map((name) => {
    const lock = MIRRORED_FIELDS.find((known) => known === name);
    if (!lock)
      throw new UsageError(`Unknown field "${name}" in --lock.`, `Fields are ${MIRRORED_FIELDS.join(', ')}, or none.`);
    return lock;
  });
}

/** @throws UsageError with the line, before anything is changed */
async function recordsIn(file: string, options: RecordOptions): Promise<Records> {
  const records: Records = { users: [], channels: [], groups: [], rooms: [] };
  for (const record of await readRecords(file, options, SYNC_RECORDS)) {
    const { line } = record;
    if ('fault' in record) throw new UsageError(`Line ${line} ${record.fault}.`);
    const { type = 'user', ...fields } = record.fields as Fields;
    const list = LISTS[type as keyof typeof LISTS];
    if (!Object.hasOwn(LISTS, String(type)))
      throw new UsageError(`Line ${line}: type must be user, channel, group or room.`);
    const missing = REQUIRED_COLUMNS.find((name) => fields[name] === undefined);
    if (missing) throw new UsageError(`Line ${line} has no ${missing}.`);
    records[list].push({ line, fields });
  }
  return records;
}
