import { BadRequest, ChannelAlreadyExists, ExternalIdInUse } from '../../base/errors.ts';
import { groupBy } from '../../base/lists.ts';
import { createChannels, openChannels, planChannels } from '../../domains/channels/channel-creation.ts';
import { channelDescription } from '../../domains/channels/channel-settings.ts';
import type { Channel } from '../../model/channels.ts';
import type { GroupHead } from '../../model/groups.ts';
import { isRoom } from '../../rules/channels.ts';
import { fold } from '../../rules/fold.ts';
import { spelledName } from '../../rules/names.ts';
import type { Transaction } from '../../storage/interface/storage.ts';
import type { AccountContext } from '../../viewer/context.ts';
import { type Adoption, adoptChannel, adoptGroup, type ListedMembers, listedMembers, NO_MEMBERS } from './adoption.ts';
import type { ChannelRow, GroupRow, PackedUsers } from './lists.ts';
import { differences, failed, type NamedRecord, perform, type RecordIndex, type SyncRun } from './run.ts';
import type { SyncAction, SyncChange } from './types.ts';

/** What channels and groups have in common. */
interface Kind<Row extends ChannelRow | GroupRow, Stored extends Channel | GroupHead> {
  kind: 'channel' | 'group';
  index: RecordIndex;
  all(context: AccountContext): Promise<Stored[]>;
  find(context: AccountContext, row: Row): Promise<Stored | undefined>;
  /** Those without an external ID. */
  named(context: AccountContext, names: readonly string[]): Promise<Stored[]>;
  /** Makes members and permissions of a record without an external ID those of the lists. @throws AdoptionRefused */
  adopt(run: SyncRun, context: AccountContext, stored: Stored, listed: ListedMembers): Promise<Adoption>;
  isWanted(row: Row): boolean;
  fieldsOf(row: Row): Readonly<Record<string, unknown>>;
  create(context: AccountContext, row: Row): Promise<number>;
  edit(context: AccountContext, stored: Stored, row: Row, fields: SyncChange['fields']): Promise<void>;
}

export async function syncChannels(
  run: SyncRun,
  rows: readonly ChannelRow[],
  users: PackedUsers | undefined,
): Promise<void> {
  await syncRecords<ChannelRow, Channel>(run, rows, users, {
    kind: 'channel',
    index: run.channels,
    // Users join and leave rooms by the list of rooms only.
    all: async ({ tx }) => (await tx.channels.mirrored()).filter((channel) => !isRoom(channel)),
    find: async ({ tx }, row) =>
      (await tx.channels.byExternalIds([row.external_id]))[0] ?? (await unmirroredChannels(tx, [row.name]))[0],
    named: ({ tx }, names) => unmirroredChannels(tx, names),
    adopt: adoptChannel,
    isWanted: ({ is_archived = false }) => !is_archived,
    fieldsOf: ({ name, description, is_private }) => ({
      name: spelledName(name),
      description: description === undefined ? undefined : channelDescription(description, []).description,
      is_private,
    }),
    async create(context, { external_id, name, description, is_private = false }) {
      const settings = { announce: false, invite_only: is_private, is_web_public: false, is_default_stream: false };
      const given = { ...settings, topics_policy: 'inherit' as const };
      const [planned] = await planChannels(context, given, [{ name, description }]);
      const [channel] = planned ? await createChannels(context, [{ ...planned, external_id }]) : [];
      if (!channel) throw new ChannelAlreadyExists(name);
      const joined = { channels: [channel], users: [], added: [], before: undefined };
      await openChannels(context, [channel], joined, { announce: false, isComplete: true });
      return channel.id;
    },
    async edit(context, channel, { external_id, ...row }, fields) {
      const { id: stream_id, is_archived } = channel;
      if (isRoom(channel)) {
        const message = `The external ID "${external_id}" belongs to a room. Put it in the list of rooms.`;
        throw new ExternalIdInUse({ list: 'rooms', external_id }, message);
      }
      if (fields.some(({ field }) => field === 'external_id'))
        await context.tx.channels.update(stream_id, { external_id });
      const isArchiving = row.is_archived === true && !is_archived;
      await perform(context, 'channels.edit', {
        stream_id,
        ...(fields.some(({ field }) => field === 'name') ? { new_name: row.name } : {}),
        description: row.description,
        is_private: row.is_private,
        ...(is_archived && !row.is_archived ? { is_archived: false } : {}),
      });
      if (isArchiving) await perform(context, 'channels.archive', { stream_id });
    },
  });
}

export async function syncGroups(
  run: SyncRun,
  rows: readonly GroupRow[],
  users: PackedUsers | undefined,
): Promise<void> {
  await syncRecords<GroupRow, GroupHead>(run, rows, users, {
    kind: 'group',
    index: run.groups,
    all: ({ tx }) => tx.groups.mirrored(),
    find: async ({ tx }, row) =>
      (await tx.groups.headsByExternalIds([row.external_id]))[0] ?? (await unmirroredGroups(tx, [row.name]))[0],
    named: ({ tx }, names) => unmirroredGroups(tx, names),
    adopt: adoptGroup,
    isWanted: ({ is_active = true }) => is_active,
    fieldsOf: ({ name, description }) => ({ name: spelledName(name), description }),
    async create(context, { external_id, name, description = '' }) {
      const created = await perform(context, 'userGroups.create', { name, description, members: [] });
      const { group_id } = created as { group_id: number };
      await context.tx.groups.update(group_id, { external_id });
      return group_id;
    },
    async edit(context, { id: user_group_id, deactivated }, { external_id, name, description, is_active }, fields) {
      await context.tx.groups.update(user_group_id, { external_id });
      const isReactivated = deactivated && is_active !== false;
      const isEdited = fields.some(({ field }) => field === 'name' || field === 'description');
      const edit = { user_group_id, name, description, ...(isReactivated ? { deactivated: false } : {}) };
      if (isReactivated || isEdited) await perform(context, 'userGroups.edit', edit);
      if (is_active === false && !deactivated) await perform(context, 'userGroups.deactivate', { user_group_id });
    },
  });
  // First out of all groups, then into them: what one leaves, another may join without a cycle.
  const left: GroupRow[] = [];
  const refused = new Set<GroupRow>();
  for (const change of ['delete_subgroups', 'add_subgroups'] as const) {
    const planned = await run.read(async (context) => {
      const nestings = await nestingsOf(run, context);
      const isOther = async (row: GroupRow) => (await planNesting(run, context, row, { change, nestings })).length > 0;
      const changed: GroupRow[] = [];
      for (const row of rows) if (!refused.has(row) && (await isOther(row).catch(() => true))) changed.push(row);
      return changed;
    });
    for (const row of planned) {
      const apply = async (context: AccountContext) => {
        // A dry run has rolled them back.
        if (run.options.dryRun) {
          for (const [group, subgroup] of run.ended.nestings())
            await context.tx.groups.removeSubgroups(group, [subgroup]);
          for (const other of left) await nest(run, context, other, 'delete_subgroups');
        }
        return nest(run, context, row, change);
      };
      await run.writeAll([row], apply, (one, error) => {
        refused.add(one);
        return failed('group')(one, error);
      });
    }
    if (change === 'delete_subgroups') left.push(...planned);
  }
}

async function unmirroredChannels(tx: Transaction, names: readonly string[]): Promise<Channel[]> {
  return (await tx.channels.byNames(names)).filter(({ external_id }) => external_id === null);
}

async function unmirroredGroups(tx: Transaction, names: readonly string[]): Promise<GroupHead[]> {
  const found = await tx.groups.headsByNames(names);
  return found.filter((group) => group.external_id === null && !group.is_system_group);
}

/** Subgroups by group, without those whose nesting an adoption has ended. */
async function nestingsOf(run: SyncRun, { tx }: AccountContext) {
  const nestings = await tx.groups.nestings();
  return groupBy(
    nestings.filter(({ group_id, subgroup_id }) => !run.ended.has('subgroup', group_id, subgroup_id)),
    ({ subgroup_id }) => subgroup_id,
  );
}

type Nesting = 'add_subgroups' | 'delete_subgroups';

/** The groups that the group of the row joins, or leaves. */
async function planNesting(
  run: SyncRun,
  context: AccountContext,
  { external_id, groups, is_active }: GroupRow,
  { change, nestings }: { change: Nesting; nestings: ReadonlyMap<number, readonly { group_id: number }[]> },
): Promise<NamedRecord[]> {
  const record = run.groups.get(external_id);
  // Without a record, its creation failed.
  if (!record || !groups || is_active === false) return [];
  const outer = record.id === undefined ? [] : (nestings.get(record.id) ?? []).map(({ group_id }) => group_id);
  const present = outer.length === 0 ? [] : await context.tx.groups.heads(outer);
  const wanted: NamedRecord[] = [];
  for (const reference of groups) wanted.push(await groupNamed(run, context, reference));
  const isIn = (list: readonly { id: number | undefined }[], group: { id: number | undefined }) =>
    list.some(({ id }) => id === group.id);
  if (change === 'add_subgroups') return wanted.filter((group) => group.id === undefined || !isIn(present, group));
  return present.filter((group) => group.external_id !== null && !isIn(wanted, group)).map(recordOf);
}

async function nest(run: SyncRun, context: AccountContext, row: GroupRow, change: Nesting): Promise<SyncChange[]> {
  const nestings = await nestingsOf(run, context);
  const chosen = await planNesting(run, context, row, { change, nestings });
  const id = run.groups.get(row.external_id)?.id;
  for (const { id: user_group_id } of chosen) {
    if (id !== undefined && user_group_id !== undefined)
      await perform(context, 'userGroups.updateMembers', { user_group_id, [change]: [id] });
  }
  if (chosen.length === 0) return [];
  const field = (name: string) =>
    change === 'add_subgroups' ? { field: 'groups', from: null, to: name } : { field: 'groups', from: name, to: null };
  const fields = chosen.map(({ name }) => field(name));
  return [{ kind: 'group', external_id: row.external_id, id: id ?? null, action: 'changed', fields }];
}

/** An active group that users and groups can join. @throws BadRequest */
export async function groupNamed(run: SyncRun, { tx }: AccountContext, reference: string): Promise<NamedRecord> {
  const record = await run.groups.find(reference, async () => {
    const [group] = await tx.groups.headsByNames([reference]);
    return group && !group.is_system_group ? recordOf(group) : undefined;
  });
  if (!record || record.isPast) throw new BadRequest(`There is no active group "${reference}" that can be joined.`);
  return record;
}

/** @throws BadRequest */
export async function channelNamed(run: SyncRun, { tx }: AccountContext, reference: string): Promise<NamedRecord> {
  const record = await run.channels.find(reference, async () => {
    const [channel] = await tx.channels.byNames([reference]);
    return channel && !isRoom(channel) ? recordOf(channel) : undefined;
  });
  if (!record || record.isPast) throw new BadRequest(`There is no active channel "${reference}".`);
  return record;
}

const isPast = (stored: Channel | GroupHead) => ('is_archived' in stored ? stored.is_archived : stored.deactivated);

const recordOf = (stored: Channel | GroupHead): NamedRecord => ({
  id: stored.id,
  external_id: stored.external_id,
  name: stored.name,
  isPast: isPast(stored),
});

async function syncRecords<Row extends ChannelRow | GroupRow, Stored extends Channel | GroupHead>(
  run: SyncRun,
  rows: readonly Row[],
  users: PackedUsers | undefined,
  kind: Kind<Row, Stored>,
): Promise<void> {
  const all = await run.read((context) => kind.all(context));
  const known = new Map(all.map((stored) => [stored.external_id, stored]));
  for (const stored of all) kind.index.add(recordOf(stored));
  const unknown = rows.filter(({ external_id }) => !known.has(external_id));
  const names = unknown.map(({ name }) => name);
  const named = names.length === 0 ? [] : await run.read((context) => kind.named(context, names));
  const free = new Set(named.map(({ name }) => fold(name)));
  const adoptable = new Set(unknown.filter(({ name }) => free.has(fold(name))).map((row) => row.external_id));
  const listed = listedMembers(`${kind.kind}s`, rows, { adoptable, users });
  for (const row of rows) {
    const { external_id } = row;
    const compare = (stored: Stored | undefined) => {
      const isPrivate = stored && 'invite_only' in stored ? { is_private: stored.invite_only } : {};
      const present: Record<string, unknown> = { ...stored, ...isPrivate };
      const fields = differences(present, { ...(stored ? { external_id } : {}), ...kind.fieldsOf(row) });
      return { stored, fields, isOther: kind.isWanted(row) !== (stored ? !isPast(stored) : false) };
    };
    const found = known.get(external_id) ?? (await run.read((context) => kind.find(context, row)));
    const { stored, fields, isOther } = compare(found);
    if (stored ? fields.length === 0 && !isOther : !kind.isWanted(row)) {
      run.result.counts.unchanged++;
    } else {
      let done: NamedRecord | undefined;
      let adoption: Adoption | undefined;
      const change = async (context: AccountContext): Promise<SyncChange[]> => {
        const now = compare(await kind.find(context, row));
        const id = now.stored?.id ?? (await kind.create(context, row));
        if (now.stored?.external_id === null) {
          adoption = await kind.adopt(run, context, now.stored, listed.get(external_id) ?? NO_MEMBERS);
          now.fields.push(...adoption.fields);
        }
        if (now.stored) await kind.edit(context, now.stored, row, now.fields);
        const record = { id: run.options.dryRun ? now.stored?.id : id, name: spelledName(row.name) };
        done = { ...record, external_id, isPast: !kind.isWanted(row) };
        const action = actionOf({ ...now, isWanted: kind.isWanted(row) });
        return [{ kind: kind.kind, external_id, id: record.id ?? null, action, fields: now.fields }];
      };
      await run.writeAll([row], change, (one, error) => failed(kind.kind)(one, error, found?.id));
      if (done) kind.index.add(done);
      else kind.index.block(row);
      if (done && adoption && run.options.dryRun) run.ended.add(adoption.ended);
    }
  }
}

interface Change {
  stored: Channel | GroupHead | undefined;
  isOther: boolean;
  isWanted: boolean;
}

function actionOf({ stored, isOther, isWanted }: Change): SyncAction {
  if (!stored) return 'created';
  if (stored.external_id === null) return 'adopted';
  return isOther ? (isWanted ? 'reactivated' : 'deactivated') : 'changed';
}
