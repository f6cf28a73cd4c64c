import { defineFeature } from '../../../kernel/feature.ts';
import { editSettings } from './edit.ts';
import { settingsUpdated } from './events.ts';
import { settingsState } from './initial-state.ts';

/** What each user has chosen for themselves. Most are preferences that clients keep here and act on. */
export const userSettings = defineFeature({
  operations: [editSettings],
  events: [settingsUpdated],
  initialState: { user_settings: settingsState },
});
