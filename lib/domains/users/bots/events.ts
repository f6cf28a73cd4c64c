import * as v from 'valibot';
import { administratorIds } from '../../../access/users.ts';
import type { WriteContext } from '../../../kernel/context.ts';
import { defineEvent } from '../../../kernel/define-event.ts';
import { isBot } from '../../../rules/roles.ts';
import type { Audience } from '../../../storage/interface/event-log.ts';
import type { User } from '../../../storage/interface/users.ts';
import { botObject, botView } from './bot.ts';

export const botCreated = defineEvent('realm_bot/add', {
  summary: 'The reader owns or administers a new bot. Never contains the API key.',
  fields: { bot: botObject },
});

export const botUpdated = defineEvent('realm_bot/update', {
  summary: 'A bot changed. Contains its ID and the changed fields.',
  fields: { bot: v.object({ ...v.partial(botObject).entries, user_id: v.number() }) },
});

export const botHidden = defineEvent('realm_bot/delete', {
  summary: 'The reader can no longer administer a bot.',
  fields: { bot: v.object({ user_id: v.number() }) },
});

/** Sends the event without the API key: events are stored, and keys must not be stored. */
export async function emitBotCreated(context: WriteContext, bot: User): Promise<void> {
  context.emit(
    botAudience(await administratorIds(context), bot),
    botCreated({ bot: botView(bot, context.organization) }),
  );
}

/** Sends the change of each bot among the accounts. */
export async function emitBotsUpdated(
  context: WriteContext,
  accounts: readonly User[],
  change: Omit<Parameters<typeof botUpdated>[0]['bot'], 'user_id'>,
): Promise<void> {
  const bots = accounts.filter(isBot);
  if (bots.length === 0) return;
  const administrators = await administratorIds(context);
  for (const bot of bots) {
    context.emit(botAudience(administrators, bot), botUpdated({ bot: { user_id: bot.id, ...change } }));
  }
}

/** The owner of a bot and the administrators. */
function botAudience(administrators: readonly number[], bot: User): Audience {
  const readers = new Set(administrators);
  if (bot.bot_owner_id !== null) readers.add(bot.bot_owner_id);
  return { users: [...readers] };
}
