import type { Snapshot, StatePart } from '../../../kernel/initial-state.ts';
import {
  channelsState,
  defaultChannelsState,
  foldersState,
  subscriptionsState,
} from '../../channels/channels/initial-state.ts';
import {
  newestMessageState,
  recentDirectState,
  starredState,
  unreadState,
} from '../../messages/flags/initial-state.ts';
import { customEmojiView } from '../../organization/custom-emoji/view.ts';
import { linkifiersState } from '../../organization/linkifiers/initial-state.ts';
import { playgroundView } from '../../organization/playgrounds/view.ts';
import { organizationState } from '../../organization/settings/initial-state.ts';
import { botsState, groupsState, peopleState } from '../../users/accounts/initial-state.ts';
import { settingsState } from '../../users/settings/initial-state.ts';

/** A part that has nothing in it until its feature exists; clients cannot start without the key. */
const nothing =
  (fields: Record<string, unknown>): StatePart =>
  async () =>
    fields;

/** Fetch types of POST /register and what each adds to the answer (reference 7.1). */
const PARTS: Readonly<Record<string, StatePart>> = {
  realm: organizationState,
  realm_user: peopleState,
  realm_bot: botsState,
  realm_user_groups: groupsState,
  subscription: subscriptionsState,
  stream: channelsState,
  default_streams: defaultChannelsState,
  channel_folders: foldersState,
  message: newestMessageState,
  update_message_flags: unreadState,
  recent_private_conversations: recentDirectState,
  starred_messages: starredState,
  user_settings: settingsState,
  alert_words: nothing({ alert_words: [] }),
  custom_profile_fields: nothing({ custom_profile_fields: [], custom_profile_field_types: {} }),
  drafts: nothing({ drafts: [] }),
  muted_topics: nothing({ muted_topics: [] }),
  muted_users: nothing({ muted_users: [] }),
  navigation_views: nothing({ navigation_views: [] }),
  onboarding_steps: nothing({ onboarding_steps: [] }),
  presence: nothing({ presences: {} }),
  push_device: nothing({ push_devices: {} }),
  realm_domains: nothing({ realm_domains: [] }),
  realm_emoji: async ({ context: { tx, engine } }) => ({
    realm_emoji: customEmojiView(await tx.customEmoji.all(), engine.options.baseUrl),
  }),
  // Its form could not tell of URL templates: clients that know nothing newer find it empty.
  realm_filters: nothing({ realm_filters: [] }),
  realm_linkifiers: linkifiersState,
  realm_playgrounds: async ({ context }) => ({
    realm_playgrounds: (await context.tx.playgrounds.all()).map(playgroundView),
  }),
  reminders: nothing({ reminders: [] }),
  saved_snippets: nothing({ saved_snippets: [] }),
  scheduled_messages: nothing({ scheduled_messages: [] }),
  user_status: nothing({ user_status: {} }),
  user_topic: nothing({ user_topics: [] }),
};

/** The state a client starts from, for the fetch types it asked for. */
export async function initialState(snapshot: Snapshot): Promise<Record<string, unknown>> {
  const state: Record<string, unknown> = {};
  for (const [type, part] of Object.entries(PARTS)) {
    if (snapshot.wants(type)) Object.assign(state, await part(snapshot));
  }
  return state;
}
