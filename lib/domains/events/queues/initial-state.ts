import type { StatePart } from '../../../kernel/context.ts';

/** Clients cannot start without these keys. Their features are not implemented. */
export const missingFeatures = {
  onboarding_steps: async () => ({ onboarding_steps: [] }),
  // This old format cannot represent URL templates, so it is empty.
  realm_filters: async () => ({ realm_filters: [] }),
} satisfies Record<string, StatePart>;
