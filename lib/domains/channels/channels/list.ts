import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { falseByDefault, trueByDefault } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { isAdministrator, isGuest } from '../../../rules/roles.ts';
import { externalIdEntries, externalIdFor, externalIdParams } from '../../../views/external-ids.ts';
import { channelObject, channelViews } from '../channel-view.ts';

export const listChannels = defineOperation({
  name: 'channels.list',
  http: 'GET /streams',
  summary: 'List channels',
  access: 'user',
  params: {
    include_public: trueByDefault('Include public channels. Has no effect for guests.'),
    include_web_public: falseByDefault('Include web-public channels.'),
    include_subscribed: trueByDefault('Include channels you are subscribed to.'),
    exclude_archived: trueByDefault('Leave out archived channels.'),
    include_all: falseByDefault('Include every channel that is visible to you.'),
    include_all_active: falseByDefault('Include every active channel. Administrators only.'),
    include_default: falseByDefault('Add `is_default` to each channel.'),
    include_owner_subscribed: falseByDefault('For bots: include channels that the owner is subscribed to.'),
    include_can_access_content: falseByDefault('Include every channel whose messages you can read.'),
    ...externalIdParams,
  },
  result: v.object({ streams: v.array(v.object({ ...channelObject.entries, ...externalIdEntries })) }),
  async run(context, given) {
    const { tx, actor } = context;
    if (given.include_all_active && !isAdministrator(actor))
      throw new BadRequest('Only administrators can use include_all_active. Use include_all instead.');
    const channels = (await tx.channels.all()).filter((channel) => !(given.exclude_archived && channel.is_archived));
    const { known } = await context.viewer.knownChannels(channels);
    const owners =
      given.include_owner_subscribed && actor.bot_owner_id !== null
        ? await tx.subscriptions.ofUser(actor.bot_owner_id)
        : [];
    const ownersChannels = new Set(owners.map((subscription) => subscription.channel_id));
    const views = await channelViews(context);
    const chosen = known.filter(
      ({ channel, isSubscribed, readable }) =>
        given.include_all ||
        given.include_all_active ||
        (given.include_subscribed && isSubscribed) ||
        (given.include_public && !channel.invite_only && !isGuest(actor)) ||
        (given.include_web_public && channel.is_web_public) ||
        (given.include_can_access_content && readable) ||
        ownersChannels.has(channel.id),
    );
    return {
      streams: chosen.map(({ channel }) => ({
        ...views.of(channel),
        ...externalIdFor(actor, given, channel),
        ...(given.include_default ? { is_default: channel.is_default } : {}),
      })),
    };
  },
});
