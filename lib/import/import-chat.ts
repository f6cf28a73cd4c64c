import { BadRequest } from '../base/errors.ts';
import { chunked } from '../base/lists.ts';
import { present } from '../base/present.ts';
import type { Chat } from '../chat/chat.ts';
import { transportOf } from '../chat/transport.ts';
import { sendFirstLinkEmail } from '../domains/users/password-reset/reset-link.ts';
import { auditEntry } from '../engine/audit.ts';
import { organizationSetting } from '../rules/organization-settings.ts';
import type { AccountContext } from '../viewer/context.ts';
import { importEmoji } from './emoji.ts';
import { storeFiles } from './files.ts';
import { importMessages } from './messages.ts';
import { importGroups, importUsers } from './people.ts';
import { importChannels, importMembers, membersInParts } from './places.ts';
import { planChannels, planMessages, planUsers } from './plan.ts';
import { type ImportOptions, type ImportResult, ImportRun, knownAmong, storedKey, weightOf } from './run.ts';
import { type ImportRecord, type ImportSource, referencesIn } from './source.ts';

/** Invitations per transaction. */
const INVITED_AT_A_TIME = 500;

/**
 * Imports an export of another chat: users, groups, channels, custom emoji and messages with their reactions and files.
 * Works in small transactions, so servers can keep running. Call it again to continue after an interruption, or to add
 * new records of a newer export. Marks imported messages as read, and sends no notifications. At the end, connected
 * clients load their data again.
 *
 * Imported messages get new IDs, so they come after existing messages. Import before users write messages.
 * @param source for example `slackExport('export.zip')`
 * @throws BadExport for a damaged or unsafe export
 * @throws BadRequest without an organization, or with `invite` if the chat sends no e-mail
 * @example
 * const { imported, losses } = await importChat(chat, slackExport('export.zip'), { dryRun: true });
 */
export async function importChat(chat: Chat, source: ImportSource, options: ImportOptions = {}): Promise<ImportResult> {
  const { engine } = transportOf(chat);
  const run = new ImportRun(engine, options);
  await run.read(async (context) => checkOptions(context, options));
  const invited = new Set<string>();
  let waiting: ImportRecord[] = [];
  let weight = 0;
  const flush = async () => {
    const records = waiting;
    waiting = [];
    weight = 0;
    if (records.length === 0) return;
    await importRecords(run, records);
    run.options.onProgress?.({ messages: run.result.imported.message + run.result.present.message });
  };
  const opened = await source.open(run);
  try {
    for await (const given of opened.records()) {
      const record = withPossibleTimes(given);
      if (record.type === 'message' && !isPossible(record.timeMs)) {
        run.reject(record.at, 'The time is not possible.');
        continue;
      }
      const [first] = waiting;
      const isFull = weight + weightOf(record) > run.size || linksTo(record, waiting);
      if (first && (first.type !== record.type || isFull)) await flush();
      if (record.type === 'user' && options.invite && !record.isBot && record.isActive) invited.add(record.key);
      waiting.push(record);
      weight += weightOf(record);
    }
    await flush();
  } finally {
    await opened.close();
  }
  await finish(run, invited);
  return run.result;
}

/** The end of the year 9999: texts have no later times. */
const MAX_MS = Date.UTC(10_000, 0, 1) - 1;
const isPossible = (ms: number | undefined) => ms !== undefined && ms >= 0 && ms <= MAX_MS;

/** Without optional times that no database can store. */
function withPossibleTimes(record: ImportRecord): ImportRecord {
  const possible = (ms: number | undefined) => (isPossible(ms) ? ms : undefined);
  switch (record.type) {
    case 'user':
      return { ...record, joinedMs: possible(record.joinedMs) };
    case 'channel':
      return { ...record, createdMs: possible(record.createdMs) };
    case 'message':
      return { ...record, editedMs: possible(record.editedMs) };
    default:
      return record;
  }
}

/** Whether the record links to a message that waits and has no ID yet. */
function linksTo(record: ImportRecord, waiting: readonly ImportRecord[]): boolean {
  if (record.type !== 'message') return false;
  const linked = referencesIn(record.content).filter(({ kind }) => kind === 'message');
  return linked.some((reference) => waiting.some(({ key }) => key === reference.key));
}

function checkOptions({ services, organization }: AccountContext, { invite }: ImportOptions): void {
  if (!invite) return;
  if (!services.options.mail)
    throw new BadRequest('This chat sends no e-mail. Set up e-mail (SMTP) to invite, or import without invitations.');
  if (!organizationSetting(organization, 'password_login'))
    throw new BadRequest('Password login is disabled in this organization, so there is no password to set.');
}

/** Imports records of one type. */
async function importRecords(run: ImportRun, records: readonly ImportRecord[]): Promise<void> {
  const isPlan = run.options.dryRun ?? false;
  const named = ({ type, key }: ImportRecord) => `${type} ${key}`;
  const of = <T extends ImportRecord['type']>(type: T) =>
    records.filter((record): record is Extract<ImportRecord, { type: T }> => record.type === type);
  switch (records[0]?.type) {
    case 'user': {
      const users = of('user');
      if (isPlan) return planUsers(run, users);
      return run.writeAll(users, (context, some) => importUsers(context, some), named, weightOf);
    }
    case 'group': {
      const groups = of('group');
      if (isPlan) return run.count(await run.read((context) => importGroups(context, groups, { isPlan })));
      return run.writeAll(groups, (context, some) => importGroups(context, some), named, weightOf);
    }
    case 'channel': {
      const channels = of('channel');
      if (isPlan) return planChannels(run, channels);
      await run.writeAll(channels, (context, some) => importChannels(context, some), named, weightOf);
      for (const part of membersInParts(channels)) await run.writeAll(part, importMembers, ({ key }) => key);
      return;
    }
    case 'emoji':
      return importEmoji(run, of('emoji'));
    case 'message': {
      const messages = of('message');
      if (isPlan) return planMessages(run, messages);
      await storeFiles(run, messages);
      return run.writeAll(
        messages,
        (context, some) => importMessages(context, some, run),
        ({ at }) => at,
        weightOf,
      );
    }
  }
}

/** Invites the new accounts. Connected clients get no events of the import, so they must load their data again. */
async function finish(run: ImportRun, invited: ReadonlySet<string>): Promise<void> {
  if (run.options.dryRun) return;
  for (const keys of chunked(invited, INVITED_AT_A_TIME))
    run.result.invited += await run.write((context) => invite(context, keys));
  const { imported } = run.result;
  if (Object.values(imported).every((count) => count === 0)) return;
  await run.write(async ({ tx, now }) => {
    await tx.queues.removeOfUsers(await tx.users.activeIds());
    await tx.audit.add([auditEntry(now, 'importChat', { details: { ...imported } })]);
  });
}

/** Invites accounts that an import has created and that have no password. Invites each once, also after a crash. */
async function invite(context: AccountContext, keys: readonly string[]): Promise<number> {
  const { tx } = context;
  const known = await knownAmong(
    context,
    keys.flatMap((key) => [['new user', key] as const, ['invited', key] as const]),
  );
  const waiting = keys.filter((key) => known.id('invited', key) === undefined);
  const created = new Map(
    waiting.flatMap((key) => {
      const id = known.id('new user', key);
      return id === undefined ? [] : [[id, key] as const];
    }),
  );
  const accounts = (await tx.users.byIds([...created.keys()])).filter(
    (user) => user.is_active && user.is_email_verified && user.password_hash === null,
  );
  for (const { id } of accounts) context.enqueue(sendFirstLinkEmail({ user_id: id }));
  await tx.imports.add(
    accounts.map(({ id }) => ({ key: storedKey('invited', present(created.get(id))), record_id: id })),
  );
  return accounts.length;
}
