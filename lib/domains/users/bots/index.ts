import { defineFeature } from '../../../operation/feature.ts';
import { isAdministrator } from '../../../rules/roles.ts';
import { botCreated, botHidden, botUpdated, botView } from './bot.ts';
import { createBot } from './create.ts';
import { deactivateBot } from './deactivate.ts';
import { editBot } from './edit.ts';
import { getBotApiKey } from './get-api-key.ts';
import { listBots } from './list.ts';
import { regenerateBotApiKey } from './regenerate-api-key.ts';

/** Bots: accounts for programs. Each belongs to a person, who can read its API key and deactivate it. */
export const bots = defineFeature({
  operations: [listBots, createBot, editBot, getBotApiKey, regenerateBotApiKey, deactivateBot],
  events: [botCreated, botUpdated, botHidden],
  initialState: {
    /** The bots that the caller may administer. */
    realm_bot: async ({ context: { actor, organization, accounts } }) => {
      const administered = (await accounts())
        .all()
        .filter(
          (user) =>
            user.bot_type !== null && !user.is_system_bot && (isAdministrator(actor) || user.bot_owner_id === actor.id),
        );
      return { realm_bots: administered.map((bot) => botView(bot, organization)) };
    },
    /** No programs run inside the server, and the formats of incoming webhooks have no options to set for a bot. */
    realm_embedded_bots: async () => ({ realm_embedded_bots: [] }),
    realm_incoming_webhook_bots: async () => ({ realm_incoming_webhook_bots: [] }),
  },
});
