import { isDeepStrictEqual } from 'node:util';
import { counted } from '../../../base/counted.ts';
import {
  BadRequest,
  ChannelAlreadyExists,
  ExpectationMismatch,
  FieldLocked,
  UnauthorizedPrincipal,
} from '../../../base/errors.ts';
import { id } from '../../../base/schemas.ts';
import type { Channel } from '../../../model/channels.ts';
import type { GroupSettingValue } from '../../../model/groups.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { channelPermission, mayAdministerChannel } from '../../../rules/channels.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { groupsIn } from '../../../rules/permissions.ts';
import { systemGroupLabel } from '../../../rules/roles.ts';
import { channelAudience } from '../../../viewer/audiences.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { checkUnlocked } from '../../../views/external-ids.ts';
import { endForbiddenBlocksIn } from '../../messages/blocking.ts';
import { readArchived } from '../../messages/flags/deferred-read-events.ts';
import { notifyChannel, quotation, silentMention } from '../../messages/notification-bot.ts';
import { lookForExpiredMessages } from '../../organization/settings/organization-change.ts';
import { checkChannelLimits } from '../channel-settings.ts';
import { emitEdit } from './edit-events.ts';
import { channelChangeParams, planEdit } from './edit-plan.ts';

export const editChannel = defineOperation({
  name: 'channels.edit',
  http: 'PATCH /streams/{stream_id}',
  summary: 'Change a channel',
  description: 'You must be allowed to administer the channel. If one change fails, nothing is changed.',
  example: { stream_id: 3, description: 'News for everybody' },
  access: 'member',
  effect: 'write',
  audited: true,
  params: { stream_id: id, ...channelChangeParams },
  errors: [ChannelAlreadyExists, ExpectationMismatch, FieldLocked, UnauthorizedPrincipal],
  async run(context, { stream_id, ...given }) {
    const { tx } = context;
    const known = await context.viewer.channel(stream_id, { archived: true });
    const { channel, membership } = known;
    if (!mayAdministerChannel(channel, membership)) throw new BadRequest('You are not allowed to change this channel.');
    const changes = await planEdit(context, known, given);
    if (Object.keys(changes).length === 0) return;
    if (changes.name !== undefined) checkUnlocked(context, 'name', [channel]);
    if (changes.is_archived !== undefined) checkUnlocked(context, 'is_active', [channel]);
    const audience = await channelAudience(context, channel); // users who know of the channel before the change
    if (!(await tx.channels.update(stream_id, changes))) throw new ChannelAlreadyExists(changes.name ?? channel.name);
    if (changes.description !== undefined || changes.settings !== undefined) await checkChannelLimits(context);
    if (changes.message_retention_days !== undefined) await lookForExpiredMessages(context);
    const edited = { ...channel, ...changes };
    if (changes.is_archived) await readArchived(context, stream_id);
    await emitEdit(context, audience, channel, changes);
    const [before, after] = [channel, edited].map((one) => channelPermission(one, 'can_administer_channel_group'));
    if (!isDeepStrictEqual(before, after)) await endForbiddenBlocksIn(context, [edited]);
    if (!edited.is_archived) await announceChanges(context, channel, edited);
  },
});

/** Topic of the messages about changes of a channel. */
const CHANNEL_EVENTS = 'channel events';

async function announceChanges(context: AccountContext, before: Channel, after: Channel): Promise<void> {
  const { actor, organization } = context;
  if (!organizationSetting(organization, 'send_channel_events_messages')) return;
  const announce = async <T>(show: (channel: Channel) => T, describe: (old: T, current: T) => string) => {
    const [old, current] = [show(before), show(after)];
    if (old === current) return;
    const text = `${silentMention(actor)} ${describe(old, current)}`;
    await notifyChannel(context, after, { topic: CHANNEL_EVENTS, content: text, cause: actor });
  };
  await announce(
    ({ name }) => name,
    (old, current) => `renamed this channel from **${old}** to **${current}**.`,
  );
  await announce(
    ({ description }) => (description === '' ? '*None.*' : quotation(description)),
    (old, current) =>
      `changed the description of this channel.\n\nOld description:\n${old}\nNew description:\n${current}`,
  );
  await announce(privacyOf, (old, current) => `changed this channel from **${old}** to **${current}**.`);
  await announce(
    retentionOf,
    (old, current) => `changed the message retention here from **${old}** to **${current}**.`,
  );
  const [old, current] = [before, after].map((channel) => channelPermission(channel, 'can_send_message_group'));
  if (old === undefined || current === undefined || isDeepStrictEqual(old, current)) return;
  const [was, is] = await namedHolders(context, [old, current]);
  const text = `${silentMention(actor)} changed who can post here from **${was}** to **${is}**.`;
  await notifyChannel(context, after, { topic: CHANNEL_EVENTS, content: text, cause: actor });
}

/** The values of a permission in words. Counts users, because readers of the channel may not see them. */
async function namedHolders({ tx }: AccountContext, values: readonly GroupSettingValue[]): Promise<string[]> {
  const heads = await tx.groups.heads(values.flatMap(groupsIn));
  const names = new Map(heads.map(({ id, name }) => [id, systemGroupLabel(id) ?? name]));
  return values.map((value) => {
    const groups = groupsIn(value).map((id) => names.get(id) ?? 'a group');
    const count = typeof value === 'object' ? value.direct_members.length : 0;
    return [...groups, ...(count > 0 ? [counted(count, 'user')] : [])].join(', ') || 'Nobody';
  });
}

function privacyOf({ is_web_public, invite_only, history_public_to_subscribers }: Channel): string {
  if (is_web_public) return 'web-public';
  if (!invite_only) return 'public';
  return history_public_to_subscribers ? 'private with shared history' : 'private with protected history';
}

function retentionOf({ message_retention_days: days }: Channel): string {
  if (days === null) return 'the default of the organization';
  return days < 0 ? 'forever' : days === 1 ? '1 day' : `${days} days`;
}
