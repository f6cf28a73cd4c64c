import * as v from 'valibot';
import { FieldLocked } from '../../../base/errors.ts';
import { choice, describe, id, optional } from '../../../base/schemas.ts';
import type { User } from '../../../model/users.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { erasedAddress, erasedName } from '../../../rules/erasure.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { avatarFields } from '../../../views/avatars.ts';
import { isAway, NO_STATUS, userStatusChanged } from '../../../views/user-view.ts';
import { deleteExports } from '../../exports/exports/erasure.ts';
import { signOutPhones } from '../../push/sign-out-phones.ts';
import { accountAudience, emitAccountUpdated } from '../accounts/events.ts';
import { checkMayChangeOwner, deactivate } from '../activation.ts';
import { emitBotsUpdated } from '../bots/bot.ts';
import { changeAddress } from '../user-change.ts';
import { eraseTraces, WAYS_WITH_MESSAGES } from './traces.ts';

export const eraseUser = defineOperation({
  name: 'users.erase',
  http: 'POST /users/{user_id}/erase',
  summary: 'Permanently erase the data of a person',
  description:
    'Deactivates the account and the bots it owns, and removes name, addresses, profile, settings, drafts, devices and sessions at once. The account stays as "Deleted user ID". A background job then removes messages and files as `messages` says, the name in mentions, and copies in events, the search index and the outbox. Deletes all exports of the organization. Administrators only. Only owners can erase owners.',
  example: { user_id: 9, messages: 'delete' },
  access: 'administrator',
  scope: 'login',
  effect: 'write',
  params: {
    user_id: id,
    messages: optional(
      choice(WAYS_WITH_MESSAGES),
      '`keep`: messages stay, with the files in them. `anonymize`: texts stay, without the name, the address, files and earlier versions. `delete`: removes all messages and files.',
      'keep',
    ),
  },
  result: v.object({
    message_count: describe(v.number(), 'Messages of the person.'),
    file_count: describe(v.number(), 'Files that the call deletes.'),
    export_count: describe(
      v.number(),
      'Exports of the organization (`exports.create`) that the call deletes: all, since each may contain the person.',
    ),
    bot_ids: describe(v.array(v.number()), 'Bots of the person. The call deactivates them, but does not erase them.'),
  }),
  errors: [FieldLocked],
  async run(context, { user_id, messages }) {
    const { tx, actor, enqueue } = context;
    const user = await context.viewer.administeredAccount(user_id);
    checkMayChangeOwner(actor, user);
    const stored = await tx.erasure.countOf(user_id);
    const bots = await tx.users.botsOwnedBy(user_id);
    await deactivate(context, user);
    await emptyAccount(context, { ...user, is_active: false });
    await signOutPhones(context, user_id);
    await tx.invitations.revokeFor(user.delivery_email, context.now);
    await tx.erasure.removeRecords(user_id);
    const export_count = await deleteExports(context);
    enqueue(eraseTraces({ user_id, messages, name: user.full_name, address: user.delivery_email }));
    const counts = {
      message_count: stored.messages,
      file_count: messages === 'keep' ? stored.unlinked : stored.files,
      export_count,
    };
    context.audit(counts);
    return { ...counts, bot_ids: bots.map((bot) => bot.id) };
  },
});

/** Replaces everything in the account that identifies the person, and sends the events. */
async function emptyAccount(context: AccountContext, user: User): Promise<void> {
  const { tx, organization, emit } = context;
  const [status] = await tx.userStatuses.of([user.id]);
  const account = await tx.users.update(user.id, {
    full_name: erasedName(user.id),
    external_id: null,
    bot_service: null,
    timezone: '',
    avatar_source: 'J',
    avatar_version: user.avatar_version + 1,
    password_hash: null,
    key_generation: user.key_generation + 1,
    login_generation: user.login_generation + 1,
    ended_logins: null,
    can_change_user_emails: false,
    settings: {},
    profile_data: '{}',
  });
  const { full_name, timezone } = account;
  const picture = avatarFields(account, organization);
  const values = Object.keys(JSON.parse(user.profile_data)).map((field) => ({
    custom_profile_field: { id: Number(field), value: null },
  }));
  await emitAccountUpdated(context, account, { full_name }, { timezone }, picture, ...values);
  await emitBotsUpdated(context, [account], { full_name, avatar_url: picture.avatar_url });
  if (status || isAway(user)) {
    const none = { user_id: user.id, away: false, ...NO_STATUS };
    emit(await accountAudience(context, account), userStatusChanged(none));
  }
  await changeAddress(context, account, { delivery_email: erasedAddress(user.id), is_email_verified: false });
}
