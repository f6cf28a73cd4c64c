import type { StatePart } from '../../../kernel/context.ts';

/** Clients cannot start without these keys, though the features behind them are not here yet. */
export const missingFeatures = {
  drafts: async () => ({ drafts: [] }),
  navigation_views: async () => ({ navigation_views: [] }),
  onboarding_steps: async () => ({ onboarding_steps: [] }),
  push_device: async () => ({ push_devices: {} }),
  realm_domains: async () => ({ realm_domains: [] }),
  // Its form could not tell of URL templates: clients that know nothing newer find it empty.
  realm_filters: async () => ({ realm_filters: [] }),
  saved_snippets: async () => ({ saved_snippets: [] }),
} satisfies Record<string, StatePart>;
