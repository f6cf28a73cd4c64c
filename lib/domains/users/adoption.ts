import { AdoptionRefused } from '../../base/errors.ts';
import { choice, optional } from '../../base/schemas.ts';
import type { User } from '../../model/users.ts';
import { type Adopt, WAYS_TO_ADOPT } from '../../rules/adoption.ts';
import type { WriteContext } from '../../viewer/context.ts';
import { reminderRemoved } from '../messages/reminders/reminder.ts';
import { scheduledMessageRemoved } from '../messages/scheduled-messages/scheduled-message.ts';
import { signOutPhones } from '../push/sign-out-phones.ts';
import { deactivateAll } from './activation.ts';
import { emitInvitesChanged } from './invitations/invitation.ts';
import { withoutLogins } from './logins.ts';

export const adoptParam = optional(
  choice(WAYS_TO_ADOPT),
  'What to do with an existing account. `verified`: refuse it if its address is not verified. `reset`: then end its password, API key, tokens, logins, bots, invitations and scheduled messages. `never`: refuse it.',
  'verified',
);

/**
 * Decides whether a program that knows a person by their address may use the account with this address. Everything that
 * finds accounts by address asks here: `chat.sync`, `users.ensure` and `authenticate`.
 * @returns `reset` if the caller must call `endEarlierAccess` in the same transaction
 * @throws AdoptionRefused
 */
export function planAdoption(account: User, adopt: Adopt): 'verified' | 'reset' {
  const { id, delivery_email, is_email_verified } = account;
  if (adopt === 'never')
    throw new AdoptionRefused(
      `The account with ID ${id} has the address "${delivery_email}". With adopt "never", accounts are not found by their address.`,
    );
  if (is_email_verified) return 'verified';
  if (adopt === 'reset') return 'reset';
  throw new AdoptionRefused(
    `The account with ID ${id} has the address "${delivery_email}", but it is not verified that this address belongs to its user. Use adopt "reset" to end the access of this user, or let them reset the password by e-mail.`,
  );
}

/**
 * Ends everything with which the earlier user of an account can still act in its name or admit others. The caller is
 * sure that the address belongs to the new user. Keeps data that only this account sees, such as drafts and settings.
 * Keeps parts of the chat: messages, files, subscriptions, group memberships.
 */
export async function endEarlierAccess(context: WriteContext, before: User): Promise<User> {
  const { tx, now, emit } = context;
  const mine = { users: [before.id] };
  const bots = await tx.users.botsOwnedBy(before.id);
  // A bot that is reactivated later has a new key.
  for (const bot of bots) await tx.users.update(bot.id, withoutLogins(bot));
  await deactivateAll(
    context,
    bots.filter((bot) => bot.is_active),
  );
  const account = await tx.users.update(before.id, {
    ...withoutLogins(before),
    is_email_verified: true,
    password_hash: null,
    sign_in_unlocks: before.sign_in_unlocks + 1,
  });
  await tx.queues.removeOfUsers([before.id]);
  await tx.passwordResets.removeOf(before.id);
  await tx.secondFactors.remove(before.id);
  await tx.externalLogins.removeOf(before.id);
  await signOutPhones(context, before.id);
  for (const { id } of await tx.scheduledMessages.of(before.id)) {
    if (await tx.scheduledMessages.remove(id, before.id))
      emit(mine, scheduledMessageRemoved({ scheduled_message_id: id }));
  }
  for (const { id } of await tx.reminders.of(before.id)) {
    if (await tx.reminders.remove(id, before.id)) emit(mine, reminderRemoved({ reminder_id: id }));
  }
  if (await tx.invitations.revokeOf(before.id, now)) await emitInvitesChanged(context, before.id);
  return account;
}
