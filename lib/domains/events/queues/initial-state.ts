import type { StatePart } from '../../../kernel/context.ts';

/** Clients cannot start without these keys, though the features behind them are not here yet. */
export const missingFeatures = {
  onboarding_steps: async () => ({ onboarding_steps: [] }),
  // Its form could not tell of URL templates: clients that know nothing newer find it empty.
  realm_filters: async () => ({ realm_filters: [] }),
} satisfies Record<string, StatePart>;
