import { BadRequest, FieldLocked, PasswordTooWeak, RateLimitHit } from '../../../base/errors.ts';
import { optional, text, type ValuesOf } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { checkPassword, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../../rules/passwords.ts';
import { isAdministrator } from '../../../rules/roles.ts';
import { administratorIds } from '../../../viewer/audiences.ts';
import { confirmationCode, isGuarded } from '../../../viewer/confirmation.ts';
import type { AccountContext, ManualContext } from '../../../viewer/context.ts';
import { checkUnlocked } from '../../../views/external-ids.ts';
import { apiEmail, userStatusChanged } from '../../../views/user-view.ts';
import { accountAudience, emitAccountUpdated } from '../accounts/events.ts';
import { checkNameIsFree, fullName } from '../names.ts';
import { enqueuePasswordChanged, hashPassword, passwordMatches, WrongPassword } from '../passwords.ts';
import { showPresence } from '../presence/presence.ts';
import { changeAddress } from '../user-change.ts';
import { requestEmailChange } from './email-change.ts';
import {
  checkedSettings,
  emailVisibilityParam,
  exportConsentChanged,
  PERSONAL_SETTING_DEFAULTS,
  type PersonalSetting,
  personalSettingParams,
  settingEvents,
} from './personal-settings.ts';

export const editSettings = defineOperation({
  name: 'settings.edit',
  http: ['PATCH /settings', 'PATCH /settings/display', 'PATCH /settings/notifications'],
  summary: 'Change your own name and settings',
  description:
    'Most settings are preferences that the server only stores for clients. All given changes are applied, or none. A new password keeps your API key, invalidates password reset links and is reported to you by e-mail.',
  example: { timezone: 'Europe/Copenhagen' },
  access: 'human',
  ownAccount: true,
  effect: 'manual',
  audited: { whenGiven: 'new_password' },
  scope: { loginFor: ['email', 'new_password'] },
  limitedBy: { rule: 'own-password', password: 'new_password' },
  params: {
    full_name: optional(text(), 'Display name, 2 to 100 characters.'),
    email: optional(
      text(1_000),
      'New real e-mail address. It changes when you open the link in the e-mail to it. At most 2 e-mails per hour, 5 per day.',
    ),
    timezone: optional(text(100), 'IANA time zone, such as Europe/Copenhagen; empty: unknown.'),
    email_address_visibility: emailVisibilityParam,
    ...personalSettingParams,
    old_password: optional(text(MAX_PASSWORD_LENGTH), 'Your current password, if any. Required with new_password.'),
    new_password: optional(
      text(MAX_PASSWORD_LENGTH),
      `New password: at least ${MIN_PASSWORD_LENGTH} characters, and not your name or e-mail address. An empty string changes nothing.`,
    ),
    code: optional(
      confirmationCode.wrapped,
      'Code of your authenticator app, or a recovery code. Required with `email` if your role is above member and needs a second factor.',
    ),
  },
  errors: [FieldLocked, PasswordTooWeak, RateLimitHit],
  mayNeedCode: true,
  async run(context, { email, old_password, new_password, code: _, ...given }) {
    const password = await planOwnPassword(context, { old_password, new_password });
    await context.transact('write', async (change) => {
      await applySettings(change, given);
      if (email !== undefined) await requestEmailChange(change, email);
      if (password) await applyOwnPassword(change, password);
    });
  },
});

type SettingsParams = Omit<ValuesOf<typeof editSettings.params>, 'email' | 'old_password' | 'new_password' | 'code'>;

async function applySettings(context: AccountContext, given: SettingsParams): Promise<void> {
  const { tx, actor, organization, emit } = context;
  const { full_name, email_address_visibility, ...wanted } = given;
  const { timezone: zone, ...preferences } = checkedSettings(wanted);
  const changed = Object.entries(preferences).filter(
    ([key, value]) =>
      value !==
      (actor.settings[key] ??
        (key === 'twenty_four_hour_time' ? null : PERSONAL_SETTING_DEFAULTS[key as PersonalSetting])),
  );
  const timezone = zone === actor.timezone ? undefined : zone;
  const name = full_name === undefined ? undefined : await planName(context, full_name);
  const email_visibility = email_address_visibility === actor.email_visibility ? undefined : email_address_visibility;
  if (changed.length === 0 && (name ?? timezone ?? email_visibility) === undefined) return;
  await tx.users.update(actor.id, {
    ...(changed.length > 0 ? { settings: { ...actor.settings, ...Object.fromEntries(changed) } } : {}),
    ...(timezone === undefined ? {} : { timezone }),
    ...(name === undefined ? {} : { full_name: name }),
  });
  const emitSetting = (property: string, value: unknown) => {
    for (const event of settingEvents(apiEmail(actor, organization), property, value))
      emit({ users: [actor.id] }, event);
  };
  for (const [key, value] of changed) emitSetting(key, value);
  await followPreferences(context, Object.fromEntries(changed));
  if (name !== undefined) await emitAccountUpdated(context, actor, { full_name: name });
  if (timezone !== undefined) {
    emitSetting('timezone', timezone);
    await emitAccountUpdated(context, actor, { email: apiEmail(actor, organization), timezone });
  }
  if (email_visibility !== undefined) {
    emitSetting('email_address_visibility', email_visibility);
    await changeAddress(context, actor, { email_visibility });
  }
}

/** The new name; undefined if it is the present one. @throws BadRequest, FieldLocked */
async function planName(context: AccountContext, given: string): Promise<string | undefined> {
  const { actor, organization } = context;
  const name = fullName(given);
  if (name === actor.full_name) return undefined;
  if (organizationSetting(organization, 'name_changes_disabled') && !isAdministrator(actor))
    throw new BadRequest('Only administrators can change names in this organization.');
  checkUnlocked(context, 'name', [actor]);
  await checkNameIsFree(context, name, actor.id);
  return name;
}

/** What follows from changed preferences besides their events. */
async function followPreferences(context: AccountContext, changed: Readonly<Record<string, unknown>>): Promise<void> {
  const { tx, actor, emit } = context;
  // No events, because clients keep their own copies.
  if (changed.enable_drafts_synchronization === false) await tx.drafts.removeAll(actor.id);
  const consented = changed.allow_private_data_export;
  if (typeof consented === 'boolean')
    emit({ users: await administratorIds(context) }, exportConsentChanged({ user_id: actor.id, consented }));
  const isShown = changed.presence_enabled;
  if (isShown === undefined) return;
  const event = userStatusChanged({ user_id: actor.id, away: !isShown });
  emit(await accountAudience(context, actor), event);
  await showPresence(context, actor, { isOnline: isShown === true });
}

/**
 * Checks the new password of the caller and the current password, if any. Both need a slow hash, so this runs outside
 * transactions. An empty string means no change: clients send all fields of their form.
 * @throws WrongPassword, PasswordTooWeak, BadRequest
 */
async function planOwnPassword(
  { transact, isDryRun }: Pick<ManualContext<'human'>, 'transact' | 'isDryRun'>,
  { old_password = '', new_password = '' }: { old_password?: string | undefined; new_password?: string | undefined },
) {
  if (new_password === '') return undefined;
  const {
    password_hash: former_hash,
    delivery_email: email,
    full_name,
  } = await transact('read', async ({ actor, organization, isConfirmed }) => {
    // Dry runs are not rate-limited, so they would allow guessing the current password.
    if (isDryRun) throw new BadRequest('new_password cannot be used in a dry run.');
    if (!organizationSetting(organization, 'password_login'))
      throw new BadRequest('Password login is disabled in this organization.');
    // With a password, a stolen API key could set up the second factor of the account.
    if (actor.password_hash === null && !isConfirmed && isGuarded(organization, actor.role))
      throw new BadRequest(
        'Your role needs a second factor. Request a link by e-mail to choose your first password: "Forgot your password?" on the login page.',
      );
    return actor;
  });
  if (former_hash !== null && !(await passwordMatches(old_password, former_hash))) throw new WrongPassword();
  checkPassword(new_password, { email, full_name });
  return { password_hash: await hashPassword(new_password), former_hash };
}

/** Stores the new password, unless another request has changed it since. Keeps the API key. */
async function applyOwnPassword(
  context: AccountContext,
  { password_hash, former_hash }: NonNullable<Awaited<ReturnType<typeof planOwnPassword>>>,
): Promise<void> {
  const { tx, actor } = context;
  if (actor.password_hash !== former_hash)
    throw new BadRequest('Another request has just changed the password. Try again.');
  await tx.users.update(actor.id, { password_hash, sign_in_unlocks: actor.sign_in_unlocks + 1 });
  enqueuePasswordChanged(context, actor, 'You changed it in your settings.');
}
