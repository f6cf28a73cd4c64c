import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { describe, falseByDefault, nonEmptyText } from '../../../base/schemas.ts';
import type { User } from '../../../model/users.ts';
import { defineOperation } from '../../../operation/operation.ts';
import type { TransactionContext } from '../../../viewer/context.ts';
import { apiEmail } from '../../../views/user-view.ts';
import { onlyIfShown } from '../../channels/channel-view.ts';
import { subscriptionUpdated } from '../../channels/subscriptions/events.ts';
import { type EmailKind, MAX_TOKEN_LENGTH, readUnsubscribeToken } from '../../notifications/email/unsubscribe-token.ts';
import { settingEvents } from './personal-settings.ts';

const SETTINGS = {
  mentions: 'enable_offline_email_notifications',
  'followed topics': 'enable_followed_topic_email_notifications',
  digest: 'enable_digest_emails',
} as const;

export const unsubscribe = defineOperation({
  name: 'settings.unsubscribe',
  http: 'POST /settings/unsubscribe',
  summary: 'Turn off e-mail notifications with the link in one of them',
  description:
    'No login needed. Turns off e-mails of the same kind for the account: direct messages and mentions, followed topics, one channel, or the weekly e-mail. The link works until the account is deactivated.',
  example: { token: '5f0c1d2e3a4b5c6d7e8f90a1' },
  access: 'anyone',
  effect: 'write',
  params: {
    token: describe(nonEmptyText(MAX_TOKEN_LENGTH), 'The last part of the link.'),
    is_undone: falseByDefault('Turn these e-mails on again.'),
  },
  result: v.object({
    kind: describe(
      v.picklist(['mentions', 'followed topics', 'digest', 'channel']),
      'The e-mails that the link is about.',
    ),
    channel_name: describe(v.optional(v.string()), 'Name of the channel, for the kind `channel`.'),
    is_on: describe(v.boolean(), 'Whether the account gets such e-mails now.'),
  }),
  errors: [BadRequest],
  async run(context, { token, is_undone: is_on }) {
    const { userId, kind } = readUnsubscribeToken(context.organization, token) ?? {};
    const user = userId === undefined ? undefined : await context.tx.users.byId(userId);
    if (!user?.is_active || kind === undefined)
      throw new BadRequest('This link does not work. Change your notification settings in the app instead.');
    if (typeof kind === 'object') return { ...(await changeChannel(context, user, kind, is_on)), is_on };
    await changeSetting(context, user, SETTINGS[kind], is_on);
    return { kind, is_on };
  },
});

type Context = TransactionContext<'anyone'>;

async function changeSetting({ tx, emit, organization }: Context, user: User, setting: string, value: boolean) {
  await tx.users.update(user.id, { settings: { ...user.settings, [setting]: value } });
  for (const event of settingEvents(apiEmail(user, organization), setting, value)) emit({ users: [user.id] }, event);
}

/** @throws BadRequest if the user has left the channel, and so gets no e-mail about it */
async function changeChannel(
  { tx, emit }: Context,
  user: User,
  { channel_id }: Extract<EmailKind, object>,
  value: boolean,
) {
  const found = await tx.channels.withSubscription(channel_id, user.id);
  if (!found?.subscription?.active)
    throw new BadRequest('This link does not work any more: you are not subscribed to its channel.');
  await tx.subscriptions.update(user.id, 'email_notifications', new Map([[channel_id, value]]));
  const updated = subscriptionUpdated({ stream_id: channel_id, property: 'email_notifications', value });
  emit({ users: [user.id] }, updated, onlyIfShown(found.channel));
  return { kind: 'channel' as const, channel_name: found.channel.name };
}
