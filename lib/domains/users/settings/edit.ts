import * as v from 'valibot';
import { apiEmail } from '../../../access/user-view.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, empty, text } from '../../../kernel/schemas.ts';
import { fullName } from '../../../rules/names.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { isAdministrator } from '../../../rules/roles.ts';
import { accountUpdated } from '../account-events.ts';
import { checkNameIsFree } from '../full-name.ts';
import { personalSettingParams } from './personal-setting-params.ts';
import { isTimeZone, languageName, PERSONAL_SETTING_DEFAULTS, type PersonalSetting } from './personal-settings.ts';

export const editSettings = defineOperation({
  name: 'settings.edit',
  http: ['PATCH /settings', 'PATCH /settings/display', 'PATCH /settings/notifications'],
  summary: 'Change your own name and settings',
  description: 'Most are preferences that clients keep here and act on. Everything given is applied or nothing is.',
  source: 'reference 7.1, fetch type user_settings',
  access: 'human',
  effect: 'write',
  params: v.object({
    full_name: v.optional(describe(text(), 'Of 2 to 100 characters.')),
    timezone: v.optional(describe(text(100), 'IANA time zone, such as Europe/Copenhagen; empty: not known.')),
    ...personalSettingParams,
  }),
  result: empty,
  errors: [BadRequest],
  async run(context, { full_name, timezone, ...given }) {
    const { tx, actor, organization, emit } = context;
    if (given.default_language !== undefined && languageName(given.default_language) === undefined) {
      throw new BadRequest(`There is no language with the code "${given.default_language}".`);
    }
    if (given.notification_sound !== undefined && !/^[a-z0-9][a-z0-9_-]*$/.test(given.notification_sound)) {
      throw new BadRequest(`There is no sound named "${given.notification_sound}".`);
    }
    if (timezone !== undefined && timezone !== '' && !isTimeZone(timezone)) {
      throw new BadRequest(`There is no time zone named "${timezone}".`);
    }
    const changed = Object.entries(given).filter(
      ([key, value]) => value !== (actor.settings[key] ?? PERSONAL_SETTING_DEFAULTS[key as PersonalSetting]),
    );
    const isElsewhere = timezone !== undefined && timezone !== actor.timezone;
    const name = full_name === undefined ? actor.full_name : fullName(full_name);
    const isRenamed = name !== actor.full_name;
    if (isRenamed) {
      if (organizationSetting(organization, 'name_changes_disabled') && !isAdministrator(actor))
        throw new BadRequest('In this organization administrators decide about names.');
      await checkNameIsFree(context, name, actor.id);
    }
    if (changed.length === 0 && !isElsewhere && !isRenamed) return {};
    await tx.users.update(actor.id, {
      ...(changed.length > 0 ? { settings: { ...actor.settings, ...Object.fromEntries(changed) } } : {}),
      ...(isElsewhere ? { timezone } : {}),
      ...(isRenamed ? { full_name: name } : {}),
    });
    const tell = (property: string, value: unknown, more: Record<string, unknown> = {}) =>
      emit({
        audience: { users: [actor.id] },
        event: { type: 'user_settings', op: 'update', property, value, ...more },
      });
    for (const [key, value] of changed) {
      tell(key, value, key === 'default_language' ? { language_name: languageName(value as string) } : {});
    }
    if (isRenamed) emit(accountUpdated(organization, { user_id: actor.id, full_name: name }));
    if (isElsewhere) {
      tell('timezone', timezone);
      emit(accountUpdated(organization, { user_id: actor.id, email: apiEmail(actor, organization), timezone }));
    }
    return {};
  },
});
