import { present } from '../base/present.ts';
import { auditEntry } from '../engine/audit.ts';
import type { Engine } from '../engine/engine.ts';
import { deriveApiKey } from '../rules/credentials.ts';
import type { AuditEntry } from '../storage/interface/audit.ts';
import { accessAccount, noAccount, type UserReference } from './accounts.ts';
import type { AuditLogOptions, Chat, SpecialPermission } from './chat.ts';

/** What the embedding program may read and change beyond the operations. See `Chat`. */

export const idOf = ({ storage }: Engine, kind: Parameters<Chat['idOf']>[0], externalId: string) =>
  storage.read(async ({ users, channels, groups }) => {
    const find = {
      user: () => users.byExternalIds([externalId]),
      channel: () => channels.byExternalIds([externalId]),
      group: () => groups.headsByExternalIds([externalId]),
    };
    return (await find[kind]())[0]?.id;
  });

export const apiKeyOf = ({ storage }: Engine, user: UserReference): Promise<string> =>
  storage.read(async (tx) => {
    const { id, key_generation } = await accessAccount(tx, user);
    const { secret } = present(await tx.organization.get());
    return deriveApiKey(secret, id, key_generation);
  });

export const setSpecialPermission = (
  engine: Engine,
  user: UserReference,
  permission: SpecialPermission,
  isGranted: boolean,
) =>
  engine.asSystem('write', async ({ tx, now }) => {
    const account = await accessAccount(tx, user);
    if (account.is_system_bot) throw noAccount(user);
    const { id, full_name } = await tx.users.update(account.id, { [permission]: isGranted });
    const details = { user_id: id, [permission]: isGranted };
    await tx.audit.add([auditEntry(now, 'chat.setSpecialPermission', { details })]);
    return { user_id: id, full_name };
  });

/** Includes refusals that are not written to the database yet. */
export async function auditLog(
  { refusals, storage }: Engine,
  { since = 0, user, action, channel, limit = 100 }: AuditLogOptions,
): Promise<AuditEntry[]> {
  await refusals.flush();
  return storage.read(async (tx) =>
    tx.audit.list({
      since,
      userId: user === undefined ? undefined : (await accessAccount(tx, user)).id,
      action,
      channelId: channel,
      limit: Math.max(1, Math.min(10_000, Math.floor(limit))),
    }),
  );
}
