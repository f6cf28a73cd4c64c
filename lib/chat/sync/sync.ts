import * as v from 'valibot';
import { BadRequest } from '../../base/errors.ts';
import { choice, list } from '../../base/schemas.ts';
import { auditEntry } from '../../engine/audit.ts';
import type { Engine } from '../../engine/engine.ts';
import { readParameter } from '../../engine/parameters.ts';
import { WAYS_TO_ADOPT } from '../../rules/adoption.ts';
import { organizationSetting } from '../../rules/organization-settings.ts';
import { MIRRORED_FIELDS } from '../../views/external-ids.ts';
import { syncChannels, syncGroups } from './channels-and-groups.ts';
import { readLists } from './lists.ts';
import { syncRooms } from './rooms.ts';
import { SyncRun } from './run.ts';
import type { SyncLists, SyncOptions, SyncResult } from './types.ts';
import { deactivateMissing, syncUsers } from './users.ts';

const LOCK = v.optional(list(choice(MIRRORED_FIELDS)));
const ADOPT = v.optional(choice(WAYS_TO_ADOPT));

/** Makes the chat equal to the lists. Checks them as a whole first, then works in small transactions. */
export async function sync(engine: Engine, lists: SyncLists, options: SyncOptions): Promise<SyncResult> {
  const lock = readParameter('lock', LOCK, options.lock);
  const adopt = readParameter('adopt', ADOPT, options.adopt);
  const { channels, groups, users, rooms } = await readLists(lists);
  if (options.deactivateMissing && !users?.externalIds.size) {
    throw new BadRequest(
      'deactivateMissing needs users in the list. Without them, every account with an external ID would be deactivated.',
    );
  }
  const run = new SyncRun(engine, { ...options, adopt });
  if (lock) await storeLocks(run, lock);
  await syncChannels(run, channels, users);
  await syncGroups(run, groups, users);
  if (users) await syncUsers(run, users);
  await syncRooms(run, rooms, users?.externalIds);
  if (users && options.deactivateMissing) await deactivateMissing(run, users.externalIds);
  const { unchanged, failed, ...done } = run.result.counts;
  if (Object.values(done).some((count) => count > 0)) await note(run);
  return run.result;
}

const storeLocks = (run: SyncRun, lock: readonly string[]) =>
  run.write(async ({ tx }) => {
    const organization = await tx.organization.get();
    if (!organization || organizationSetting(organization, 'mirror_locks').join() === lock.join()) return;
    await tx.organization.update({ settings: { ...organization.settings, mirror_locks: lock } });
  });

const note = (run: SyncRun) =>
  run.write(({ tx, now }) => tx.audit.add([auditEntry(now, 'chat.sync', { details: { ...run.result.counts } })]));
