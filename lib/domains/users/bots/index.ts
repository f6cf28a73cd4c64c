import { defineFeature } from '../../../kernel/feature.ts';
import { createBot } from './create.ts';
import { deactivateBot } from './deactivate.ts';
import { botCreated, botUpdated } from './events.ts';
import { getBotApiKey } from './get-api-key.ts';
import { botsState } from './initial-state.ts';
import { listBots } from './list.ts';
import { regenerateBotApiKey } from './regenerate-api-key.ts';

/** Bots: accounts that a person owns, for programs. */
export const bots = defineFeature({
  operations: [listBots, createBot, getBotApiKey, regenerateBotApiKey, deactivateBot],
  events: [botCreated, botUpdated],
  initialState: { realm_bot: botsState },
});
