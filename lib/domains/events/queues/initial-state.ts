import type { StatePart } from '../../../kernel/context.ts';

/** Clients cannot start without these keys, though the features behind them are not here yet. */
export const missingFeatures = {
  alert_words: async () => ({ alert_words: [] }),
  custom_profile_fields: async () => ({ custom_profile_fields: [], custom_profile_field_types: {} }),
  drafts: async () => ({ drafts: [] }),
  muted_topics: async () => ({ muted_topics: [] }),
  muted_users: async () => ({ muted_users: [] }),
  navigation_views: async () => ({ navigation_views: [] }),
  onboarding_steps: async () => ({ onboarding_steps: [] }),
  push_device: async () => ({ push_devices: {} }),
  realm_domains: async () => ({ realm_domains: [] }),
  // Its form could not tell of URL templates: clients that know nothing newer find it empty.
  realm_filters: async () => ({ realm_filters: [] }),
  reminders: async () => ({ reminders: [] }),
  saved_snippets: async () => ({ saved_snippets: [] }),
  scheduled_messages: async () => ({ scheduled_messages: [] }),
  user_status: async () => ({ user_status: {} }),
  user_topic: async () => ({ user_topics: [] }),
} satisfies Record<string, StatePart>;
