import { allInOrder, chunked } from '../base/lists.ts';
import { channelDescription, checkChannelLimits } from '../domains/channels/channel-settings.ts';
import { channelColor } from '../domains/channels/subscribing.ts';
import type { Channel } from '../model/channels.ts';
import { fold } from '../rules/fold.ts';
import { MAX_CHANNEL_DESCRIPTION_LENGTH, MAX_CHANNEL_NAME_LENGTH } from '../rules/names.ts';
import { truncate } from '../rules/topics.ts';
import type { AccountContext } from '../viewer/context.ts';
import { freeName, lineOf } from './free-names.ts';
import { idsOf } from './people.ts';
import { type Counted, knownAmong, type StoredKind, storedKey } from './run.ts';
import type { ImportedChannel } from './source.ts';

/**
 * Creates missing channels. `importMembers` subscribes their members. If a channel with the name exists, the imported one gets
 * another name, so that messages of two channels never mix. It uses an existing public channel without messages.
 */
export async function importChannels(
  context: AccountContext,
  given: readonly ImportedChannel[],
  { isPlan = false } = {},
): Promise<Counted> {
  const { tx } = context;
  const known = await knownAmong(
    context,
    given.flatMap(({ key, creator }) => [
      ['channel', key] as const,
      ...(creator === undefined ? [] : [['user', creator] as const]),
    ]),
  );
  const missing = given.filter(({ key }) => known.id('channel', key) === undefined);
  const names = new Map<string, Channel | undefined>();
  const conflicts: string[] = [];
  for (const channel of missing) {
    const { key, creator } = channel;
    const { name, present } = await channelNameFor(context, channel, names);
    if (present) conflicts.push(`The channel "${name}" exists and is empty. It gets the imported messages.`);
    else if (fold(name) !== fold(lineOf(channel.name, MAX_CHANNEL_NAME_LENGTH)))
      conflicts.push(`A channel with the name "${channel.name}" exists. The imported channel gets the name "${name}".`);
    else if (name.endsWith('…') && !channel.name.endsWith('…'))
      conflicts.push(`The name "${channel.name}" is too long. The imported channel gets the name "${name}".`);
    if (isPlan) continue;
    const creator_id = creator === undefined ? null : (known.id('user', creator) ?? null);
    const record_id = present?.id ?? (await createChannel(context, channel, { name, creator_id }));
    await tx.imports.add([{ key: storedKey('channel', key), record_id }]);
  }
  if (!isPlan) await checkChannelLimits(context);
  return {
    imported: { channel: missing.length },
    present: { channel: given.length - missing.length },
    conflicts,
  };
}

export const UNKNOWN_MEMBERS = 'memberships of users that the export lacks';

/** Some members of a channel. */
type Members = Pick<ImportedChannel, 'key' | 'members'>;

/** Subscriptions per transaction: others wait for it. */
const MEMBERS_PER_TRANSACTION = 1_000;

export function membersInParts(channels: readonly ImportedChannel[]): Members[][] {
  const some = channels.flatMap(({ key, members }) =>
    chunked(new Set(members), MEMBERS_PER_TRANSACTION).map((part) => ({ key, members: part })),
  );
  return chunked(some, MEMBERS_PER_TRANSACTION, ({ members }) => members.length);
}

/** Subscribes the members of channels. A member who has left since an earlier import stays out. */
export async function importMembers(context: AccountContext, given: readonly Members[]): Promise<Counted> {
  const { tx } = context;
  const known = await knownAmong(
    context,
    given.flatMap(({ key, members }) => [
      ['channel', key] as const,
      ...members.map((user): [StoredKind, string] => ['user', user]),
    ]),
  );
  const found = given.flatMap(({ key, members }) => {
    const channel_id = known.id('channel', key);
    // A refused channel has no ID.
    if (channel_id === undefined) return [];
    return [{ channel_id, members, users: idsOf(members, (user) => known.id('user', user)) }];
  });
  const present = await allInOrder(found.map(({ channel_id, users }) => tx.subscriptions.pairs(users, [channel_id])));
  const joining = found.flatMap(({ channel_id, users }, at) => {
    const before = new Set(present[at]?.map(({ user_id }) => user_id));
    const missing = users.filter((user) => !before.has(user));
    return missing.map((user_id) => ({ user_id, channel_id, color: channelColor(channel_id) }));
  });
  await tx.subscriptions.add(joining);
  const unknown = found.flatMap(({ members }) => members.filter((user) => known.id('user', user) === undefined));
  return { losses: unknown.map(() => UNKNOWN_MEMBERS) };
}

async function channelNameFor(
  { tx }: AccountContext,
  { name: wanted, isPrivate }: ImportedChannel,
  names: Map<string, Channel | undefined>,
): Promise<{ name: string; present?: Channel | undefined }> {
  const line = lineOf(wanted, MAX_CHANNEL_NAME_LENGTH);
  for (;;) {
    const name = freeName(line, MAX_CHANNEL_NAME_LENGTH, (each) => names.has(fold(each)));
    const [present] = await tx.channels.byNames([name]);
    names.set(fold(name), present);
    if (!present) return { name };
    const isEmpty = present.first_message_id === null && present.external_id === null;
    const isPublic = !present.invite_only && !present.is_web_public && !present.is_archived;
    if (isEmpty && isPublic && !isPrivate) return { name, present };
  }
}

async function createChannel(
  { tx, now, organization }: AccountContext,
  { description, isPrivate, isArchived, createdMs }: ImportedChannel,
  { name, creator_id }: { name: string; creator_id: number | null },
): Promise<number> {
  const [channel] = await tx.channels.create([
    {
      external_id: null,
      name,
      ...channelDescription(
        truncate(description.replace(/\s+/g, ' ').trim(), MAX_CHANNEL_DESCRIPTION_LENGTH, '…'),
        organization.linkifiers,
      ),
      creator_id,
      created_ms: createdMs ?? now,
      invite_only: isPrivate,
      // Other chats show all messages of a channel to new members.
      history_public_to_subscribers: true,
      is_web_public: false,
      is_archived: isArchived,
      is_default: false,
      topics_policy: 'inherit',
      message_retention_days: null,
      folder_id: null,
      settings: {},
    },
  ]);
  return (channel as Channel).id;
}
