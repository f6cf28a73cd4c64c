import * as v from 'valibot';
import { whoKnowsOf } from '../../../access/channel-audience.ts';
import { channelKnownTo, type KnownChannel } from '../../../access/channels.ts';
import type { AccountContext } from '../../../kernel/context.ts';
import {
  BadRequest,
  ChannelAlreadyExists,
  ExpectationMismatch,
  UnauthorizedPrincipal,
} from '../../../kernel/errors.ts';
import type { Audience, EventDraft } from '../../../kernel/event.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import {
  choice,
  describe,
  either,
  empty,
  flag,
  groupSettingUpdate,
  id,
  integer,
  text,
} from '../../../kernel/schemas.ts';
import { renderMarkdown } from '../../../markdown/render.ts';
import {
  channelPermission,
  effectiveTopicsPolicy,
  isValidKind,
  mayAdministerChannel,
  streamPostPolicy,
} from '../../../rules/channels.ts';
import { channelDescription, channelName, MAX_CHANNEL_DESCRIPTION_LENGTH } from '../../../rules/names.ts';
import { CHANNEL_PERMISSIONS, type ChannelPermission } from '../../../rules/permission-settings.ts';
import type { Membership } from '../../../rules/permissions.ts';
import { GUEST, isAdministrator, isOwner, ROLES } from '../../../rules/roles.ts';
import type { Channel, NewChannel } from '../../../storage/storage.ts';
import { notifyChannel, silentMention } from '../../messages/notification-bot.ts';
import { updatedGroupSetting } from '../../user-groups/group-setting-value.ts';
import { disappears, onlyIfShown, reappears } from '../archived-channels.ts';
import { channelView } from '../channel-view.ts';
import {
  checkDeletePolicyChange,
  checkFolder,
  checkTopicsPolicyChange,
  checkWebPublic,
  retentionDays,
  TOPICS_POLICIES,
} from '../create-channel.ts';
import { defaultChannelsEvent } from '../default-channels.ts';

const update = v.optional(groupSettingUpdate);

export const editChannel = defineOperation({
  name: 'channels.edit',
  http: 'PATCH /streams/{stream_id}',
  summary: 'Change a channel',
  description: 'Needs the right to administer the channel; everything given is applied or nothing is.',
  source: 'reference 7.9',
  access: 'member',
  effect: 'write',
  params: v.object({
    stream_id: id,
    new_name: v.optional(describe(text(), 'At most 60 characters.')),
    description: v.optional(describe(text(MAX_CHANNEL_DESCRIPTION_LENGTH), 'Markdown, one line.')),
    is_private: v.optional(flag),
    is_web_public: v.optional(flag),
    history_public_to_subscribers: v.optional(flag),
    is_default_stream: v.optional(flag),
    is_archived: v.optional(describe(flag, 'false brings an archived channel back.')),
    topics_policy: v.optional(choice(TOPICS_POLICIES)),
    folder_id: v.optional(describe(v.nullable(id), 'null takes it out of its folder.')),
    message_retention_days: v.optional(
      describe(
        either([text(40), integer], 'must be a number of days, realm_default or unlimited'),
        'Days, or realm_default, or unlimited.',
      ),
    ),
    can_add_subscribers_group: update,
    can_administer_channel_group: update,
    can_delete_any_message_group: update,
    can_delete_own_message_group: update,
    can_move_messages_out_of_channel_group: update,
    can_move_messages_within_channel_group: update,
    can_remove_subscribers_group: update,
    can_resolve_topics_group: update,
    can_send_message_group: update,
    can_subscribe_group: update,
  }),
  result: empty,
  errors: [BadRequest, ChannelAlreadyExists, ExpectationMismatch, UnauthorizedPrincipal],
  async run(context, { stream_id, ...given }) {
    const known = await channelKnownTo(context, context.actor, stream_id, { archived: true });
    if (!mayAdministerChannel(known.channel, known.membership))
      throw new BadRequest('You are not allowed to change this channel.');
    const changes = await plannedChanges(context, known, given);
    await applyChanges(context, known.channel, changes);
    return {};
  },
});

type Given = Omit<v.InferOutput<typeof editChannel.params>, 'stream_id'>;

/** What differs from the present, checked; nothing has been written. */
async function plannedChanges(
  context: AccountContext,
  known: KnownChannel & { membership: Membership },
  given: Given,
): Promise<Partial<NewChannel>> {
  const { actor } = context;
  const { channel, membership } = known;
  const changes: Partial<NewChannel> = {};
  if (given.new_name !== undefined) {
    const name = channelName(given.new_name);
    if (name !== channel.name) changes.name = name;
  }
  if (given.description !== undefined) {
    const description = channelDescription(given.description);
    if (description !== channel.description) {
      changes.description = description;
      changes.rendered_description = renderMarkdown(description, context.organization.linkifiers);
    }
  }
  planKind(context, known, given, changes);
  if (given.is_default_stream !== undefined && given.is_default_stream !== channel.is_default) {
    if (!isAdministrator(actor)) throw new BadRequest('Only administrators decide which channels are default.');
    changes.is_default = given.is_default_stream;
  }
  if ((changes.is_default ?? channel.is_default) && (changes.invite_only ?? channel.invite_only)) {
    throw new BadRequest('A default channel cannot be private.');
  }
  if (given.is_archived !== undefined && given.is_archived !== channel.is_archived)
    changes.is_archived = given.is_archived;
  if (given.topics_policy !== undefined && given.topics_policy !== channel.topics_policy) {
    checkTopicsPolicyChange(context, membership, given.topics_policy);
    await checkOnlyEmptyTopic(context, channel, given.topics_policy);
    changes.topics_policy = given.topics_policy;
  }
  if (given.folder_id !== undefined && given.folder_id !== channel.folder_id) {
    if (given.folder_id !== null) await checkFolder(context, given.folder_id);
    changes.folder_id = given.folder_id;
  }
  if (given.message_retention_days !== undefined) {
    const days = retentionDays(given.message_retention_days);
    if (days !== channel.message_retention_days) {
      if (!isOwner(actor)) throw new UnauthorizedPrincipal('an organization owner');
      changes.message_retention_days = days;
    }
  }
  const settings = { ...channel.settings };
  for (const key of Object.keys(CHANNEL_PERMISSIONS).sort() as ChannelPermission[]) {
    const wanted = given[key];
    if (!wanted) continue;
    const value = await updatedGroupSetting(
      context,
      key,
      wanted,
      channelPermission(channel, key),
      CHANNEL_PERMISSIONS[key],
    );
    if (value === undefined) continue;
    if (NEEDS_CONTENT_ACCESS.has(key) && !known.readable)
      throw new BadRequest(`Only somebody who can read the channel may set ${key}.`);
    checkDeletePolicyChange(context, membership, key, value);
    settings[key] = value;
    changes.settings = settings;
  }
  return changes;
}

/** Settings that open a private channel's messages to somebody (reference 3.5). */
const NEEDS_CONTENT_ACCESS: ReadonlySet<ChannelPermission> = new Set([
  'can_add_subscribers_group',
  'can_subscribe_group',
]);

function planKind(
  context: AccountContext,
  { channel, membership, readable }: KnownChannel & { membership: Membership },
  given: Given,
  changes: Partial<NewChannel>,
): void {
  const invite_only = given.is_private ?? (given.is_web_public ? false : channel.invite_only);
  const is_web_public = given.is_web_public ?? (given.is_private ? false : channel.is_web_public);
  const becamePrivate = invite_only && !channel.invite_only;
  const history_public_to_subscribers =
    given.history_public_to_subscribers ??
    (invite_only ? (becamePrivate ? false : channel.history_public_to_subscribers) : true);
  const kind = { invite_only, is_web_public, history_public_to_subscribers };
  if (!isValidKind(kind))
    throw new BadRequest('These settings do not go together: a channel is web-public, public, or private.');
  const same =
    invite_only === channel.invite_only &&
    is_web_public === channel.is_web_public &&
    history_public_to_subscribers === channel.history_public_to_subscribers;
  if (same) return;
  if (!readable) throw new BadRequest('Only somebody who can read the channel may change who else can.');
  if (is_web_public && !channel.is_web_public) checkWebPublic(context, membership);
  Object.assign(changes, kind);
}

async function checkOnlyEmptyTopic({ tx }: AccountContext, channel: Channel, policy: string): Promise<void> {
  if (policy !== 'empty_topic_only' || effectiveTopicsPolicy(channel, 'allow_empty_topic') === 'empty_topic_only')
    return;
  const topics = await tx.conversations.topicsOf(channel.id, { limit: 2 });
  if (topics.some((topic) => topic.name !== '')) {
    throw new BadRequest('The channel has messages in other topics; move them to the empty topic first.');
  }
}

async function applyChanges(context: AccountContext, channel: Channel, changes: Partial<NewChannel>): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  const { tx, actor } = context;
  const before = await whoKnowsOf(context, channel);
  if (!(await tx.channels.update(channel.id, changes))) throw new ChannelAlreadyExists(changes.name ?? channel.name);
  const after = { ...channel, ...changes };
  // Clients that do not know archived channels are told at the end, of a channel that comes or goes.
  const shown = onlyIfShown({ is_archived: channel.is_archived || after.is_archived });
  const emit = (draft: EventDraft) => context.emit({ ...draft, ...shown });
  const tell = (property: string, value: unknown, more: Record<string, unknown> = {}) =>
    emit({
      audience: before,
      event: { type: 'stream', op: 'update', stream_id: channel.id, name: channel.name, property, value, ...more },
    });
  if (changes.name !== undefined) tell('name', changes.name);
  if (changes.description !== undefined) {
    tell('description', changes.description, { rendered_description: changes.rendered_description });
  }
  if (changes.invite_only !== undefined) {
    tell('invite_only', after.invite_only, {
      history_public_to_subscribers: after.history_public_to_subscribers,
      is_web_public: after.is_web_public,
    });
  }
  if (changes.invite_only !== undefined || changes.settings) await tellWhoseViewChanges(context, emit, before, after);
  if (changes.is_default !== undefined || (changes.is_archived !== undefined && after.is_default))
    context.emit(await defaultChannelsEvent(context));
  if (changes.is_archived !== undefined) tell('is_archived', after.is_archived);
  if (changes.topics_policy !== undefined) tell('topics_policy', after.topics_policy);
  if (changes.folder_id !== undefined) tell('folder_id', after.folder_id);
  if (changes.message_retention_days !== undefined) tell('message_retention_days', after.message_retention_days);
  for (const key of Object.keys(CHANNEL_PERMISSIONS) as ChannelPermission[]) {
    if (changes.settings && changes.settings[key] !== channel.settings[key]) tell(key, channelPermission(after, key));
  }
  const [policyBefore, policy] = [streamPostPolicy(channel), streamPostPolicy(after)];
  if (policy !== policyBefore) tell('stream_post_policy', policy);
  if ((policy === 2) !== (policyBefore === 2)) tell('is_announcement_only', policy === 2);
  if (after.is_archived && !channel.is_archived) disappears(context, channel, before);
  if (channel.is_archived && !after.is_archived) await reappears(context, after);
  if (changes.name !== undefined && !after.is_archived) {
    await notifyChannel(
      context,
      after,
      'channel events',
      `${silentMention(actor)} renamed this channel from **${channel.name}** to **${after.name}**.`,
      actor,
    );
  }
}

/** To whoever comes to know of the channel it appears, with its subscribers; for whoever no longer may it disappears. */
async function tellWhoseViewChanges(
  context: AccountContext,
  emit: (draft: EventDraft) => void,
  before: Audience,
  after: Channel,
): Promise<void> {
  const { tx, now } = context;
  const subscribers = (await tx.subscriptions.subscriberIds([after.id])).get(after.id) ?? [];
  const knew = await audienceIds(context, before, subscribers);
  const know = await audienceIds(context, await whoKnowsOf(context, after), subscribers);
  const lost = [...knew].filter((id) => !know.has(id));
  const gained = [...know].filter((id) => !knew.has(id));
  if (lost.length > 0) {
    const event = { type: 'stream', op: 'delete', streams: [{ stream_id: after.id }], stream_ids: [after.id] };
    emit({ audience: { users: lost }, event });
  }
  if (gained.length > 0) {
    const view = channelView(after, new Set(await tx.users.inactiveIds()), now);
    emit({ audience: { users: gained }, event: { type: 'stream', op: 'create', streams: [view] } });
    if (subscribers.length > 0) {
      const event = { type: 'subscription', op: 'peer_add', stream_ids: [after.id], user_ids: subscribers };
      emit({ audience: { users: gained }, event });
    }
  }
}

async function audienceIds(
  { tx }: AccountContext,
  audience: Audience,
  subscribers: readonly number[],
): Promise<Set<number>> {
  const ids = new Set(audience.users);
  if (audience.channel !== undefined) for (const id of subscribers) ids.add(id);
  if (audience.scope) {
    const roles = audience.scope === 'everyone' ? ROLES : ROLES.filter((role) => role !== GUEST);
    for (const id of await tx.users.activeIds(roles)) ids.add(id);
  }
  return ids;
}
