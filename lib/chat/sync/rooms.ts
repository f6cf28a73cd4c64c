import { present } from '../../base/present.ts';
import { archive } from '../../domains/channels/archiving.ts';
import { applyRoom, isUnchanged, planRoom, type RoomPlan } from '../../domains/channels/rooms/room.ts';
import type { AccountContext } from '../../viewer/context.ts';
import { groupNamed } from './channels-and-groups.ts';
import type { RoomRow } from './lists.ts';
import { failed, type SyncRun } from './run.ts';
import type { SyncAction, SyncChange } from './types.ts';

const READ_AT_ONCE = 100;

/** @param listed external IDs of the users of the list */
export async function syncRooms(run: SyncRun, rows: readonly RoomRow[], listed: ReadonlySet<string> = new Set()) {
  for (let at = 0; at < rows.length; at += READ_AT_ONCE) {
    const part = rows.slice(at, at + READ_AT_ONCE);
    const changed = await run.read(async (context) => {
      const others: RoomRow[] = [];
      // The transaction that writes a refused row plans it again and reports the refusal.
      for (const row of part) if (await isOther(run, context, row, listed).catch(() => true)) others.push(row);
      return others;
    });
    run.result.counts.unchanged += part.length - changed.length;
    const change = async (context: AccountContext, [row]: readonly RoomRow[]) => [
      await syncRoom(run, context, present(row), listed),
    ];
    for (const row of changed) await run.writeAll([row], change, failed('room'));
  }
}

async function isOther(run: SyncRun, context: AccountContext, row: RoomRow, listed: ReadonlySet<string>) {
  const plan = await planRow(run, context, row, listed);
  return plan.channel ? !isUnchanged(plan) || isClosing(plan, row) : !row.is_archived;
}

async function syncRoom(run: SyncRun, context: AccountContext, row: RoomRow, listed: ReadonlySet<string>) {
  const { external_id } = row;
  const plan = await planRow(run, context, row, listed);
  const room = await applyRoom(context, external_id, plan);
  if (row.is_archived && !room.is_archived) await archive(context, room);
  const change: SyncChange = {
    kind: 'room',
    external_id,
    id: plan.channel || !run.options.dryRun ? room.id : null,
    action: actionOf(plan, row),
    fields: fieldsOf(plan, row),
  };
  return change;
}

async function planRow(run: SyncRun, context: AccountContext, row: RoomRow, listed: ReadonlySet<string>) {
  if (!run.options.dryRun) return planRoom(context, row);
  // A dry run has rolled back the users and groups that it created.
  const ids = row.members.flatMap((one) => (typeof one === 'object' && 'external_id' in one ? one.external_id : []));
  const present = new Set((await context.tx.users.byExternalIds(ids)).map(({ external_id }) => external_id));
  const isLater = (one: RoomRow['members'][number]) =>
    typeof one === 'object' && 'external_id' in one && listed.has(one.external_id) && !present.has(one.external_id);
  const group = row.staff === undefined ? undefined : await groupNamed(run, context, row.staff).catch(() => undefined);
  const { staff, ...others } = row;
  const members = row.members.filter((one) => !isLater(one));
  const isStaffLater = group !== undefined && group.id === undefined;
  return planRoom(context, { ...others, members, ...(staff === undefined || isStaffLater ? {} : { staff }) });
}

const isClosing = ({ channel }: RoomPlan, { is_archived }: RoomRow) =>
  is_archived === true && channel?.is_archived === false;

function actionOf(plan: RoomPlan, row: RoomRow): SyncAction {
  if (!plan.channel) return 'created';
  if (isClosing(plan, row)) return 'deactivated';
  return plan.changes.is_archived === false ? 'reactivated' : 'changed';
}

function fieldsOf({ channel, changes, joining, leaving }: RoomPlan, row: RoomRow): SyncChange['fields'] {
  const staff = row.staff ?? null;
  const from = channel?.name ?? null;
  return [
    ...(from === changes.name ? [] : [{ field: 'name', from, to: changes.name }]),
    ...(changes.settings && (channel || staff !== null) ? [{ field: 'staff', from: null, to: staff }] : []),
    ...joining.map(({ full_name }) => ({ field: 'people', from: null, to: full_name })),
    ...leaving.map(({ full_name }) => ({ field: 'people', from: full_name, to: null })),
  ];
}
