import { BadRequest } from '../../../base/errors.ts';
import { forPrograms, optional, text, type ValuesOf } from '../../../base/schemas.ts';
import type { User } from '../../../model/users.ts';
import type { AccountContext, WriteContext } from '../../../viewer/context.ts';
import { apiEmail, NO_EMOJI, NO_STATUS, userStatusChanged } from '../../../views/user-view.ts';
import { checkEmoji, emojiGiven } from '../../messages/reactions/reaction.ts';
import { accountAudience } from '../accounts/events.ts';
import { showPresence } from '../presence/presence.ts';
import { settingEvents } from '../settings/personal-settings.ts';

/** In code points. */
const MAX_STATUS_LENGTH = 60;

export const statusParams = {
  status_text: optional(text(MAX_STATUS_LENGTH), 'At most 60 characters, one line. Empty: removes the text.'),
  emoji_name: optional(text(100), 'Name without colons, such as tada. Empty: removes the emoji.'),
  emoji_code: optional(forPrograms(text(200)), 'Code of the emoji within its `reaction_type`. Default: found by name.'),
  reaction_type: optional(
    forPrograms(text(60)),
    'unicode_emoji, realm_emoji or zulip_extra_emoji. Default: found by name.',
  ),
};

type StatusChange = ValuesOf<typeof statusParams>;

/** A deactivated emoji stays in existing statuses but cannot be set. */
export async function changeStatus(
  context: AccountContext,
  user: User,
  given: StatusChange & { away?: boolean | undefined },
): Promise<void> {
  const { tx, emit, organization } = context;
  const { away, ...others } = given;
  const status_text = given.status_text?.trim();
  if (away === undefined && status_text === undefined && given.emoji_name === undefined) {
    throw new BadRequest('Nothing to change. Give status_text, emoji_name or both.');
  }
  if (status_text !== undefined && /[\r\n]/.test(status_text)) {
    throw new BadRequest('The text of a status must be a single line.');
  }
  const emoji = await wantedEmoji(context, others);
  const change = { ...(status_text === undefined ? {} : { status_text }), ...emoji };
  if (Object.keys(change).length > 0) {
    const [present] = await tx.userStatuses.of([user.id]);
    await tx.userStatuses.set({ user_id: user.id, ...NO_STATUS, ...present, ...change });
  }
  const isPresenceChanged = away !== undefined && away === (user.settings.presence_enabled ?? true);
  if (isPresenceChanged) {
    await tx.users.update(user.id, { settings: { ...user.settings, presence_enabled: !away } });
    for (const event of settingEvents(apiEmail(user, organization), 'presence_enabled', !away))
      emit({ users: [user.id] }, event);
  }
  const event = { user_id: user.id, ...(away === undefined ? {} : { away }), ...change };
  emit(await accountAudience(context, user), userStatusChanged(event));
  if (isPresenceChanged) await showPresence(context, user, { isOnline: !away });
}

async function wantedEmoji(context: WriteContext, given: StatusChange): Promise<Partial<typeof NO_EMOJI>> {
  const { emoji_name, emoji_code, reaction_type } = given;
  if (emoji_name === '') return NO_EMOJI;
  if (emoji_name === undefined) {
    if (emoji_code === undefined && reaction_type === undefined) return {};
    throw new BadRequest('emoji_code and reaction_type require emoji_name.');
  }
  const emoji = await emojiGiven(context, { emoji_name, emoji_code, reaction_type });
  await checkEmoji(context, emoji);
  return emoji;
}
