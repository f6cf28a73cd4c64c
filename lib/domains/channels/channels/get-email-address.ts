import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { id, optional, secret } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { mailboxOf } from '../../../rules/mail-addresses.ts';
import { EMAIL_GATEWAY } from '../../../rules/roles.ts';
import type { TransactionContext } from '../../../viewer/context.ts';
import { checkPosting } from '../../messages/posting/destinations.ts';

export const getChannelEmailAddress = defineOperation({
  name: 'channels.getEmailAddress',
  http: 'GET /streams/{stream_id}/email_address',
  summary: 'Get the e-mail address of a channel',
  description:
    'Needs the permission to post there. Mail to the address is posted with its subject as the topic, while you have this permission, to everyone who knows the address. Replacing your API key ends it. You may append `+show-sender`, `+include-footer`, `+include-quotes` and `+prefer-html` to the part before the @.',
  example: { stream_id: 3 },
  access: 'user',
  ownAccount: true,
  params: {
    stream_id: id,
    sender_id: optional(
      id,
      'The account as which mail is posted: yourself, a bot that you own, or Email Gateway. Default: the account with the address of the sender, if the mail server has authenticated it, else Email Gateway.',
    ),
  },
  result: v.object({ email: secret(v.string(), 'Empty if the server does not receive mail.') }),
  async run(context, { stream_id, sender_id = 0 }) {
    const { actor, organization, services } = context;
    const { channel, isSubscribed } = await context.viewer.channel(stream_id);
    await checkPosting(context, actor, { channel, isSubscribed });
    await checkSender(context, sender_id);
    const domain = services.options.mail?.replies?.domain;
    if (domain === undefined) return { email: '' };
    const place = { kind: 'channel', userId: actor.id, channelId: channel.id, senderId: sender_id } as const;
    const mailbox = mailboxOf(place, { secret: organization.secret, keyGeneration: actor.key_generation });
    return { email: `${mailbox}@${domain}` };
  },
});

async function checkSender({ tx, actor }: TransactionContext<'user'>, id: number): Promise<void> {
  if (id === 0 || id === actor.id) return;
  const sender = await tx.users.byId(id);
  if (sender?.delivery_email === EMAIL_GATEWAY) return;
  if (!sender?.is_active || sender.bot_owner_id !== actor.id)
    throw new BadRequest('sender_id must be your account, a bot that you own, or Email Gateway.');
}
