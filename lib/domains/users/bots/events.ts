import * as v from 'valibot';
import { administratorIds } from '../../../access/users.ts';
import type { WriteContext } from '../../../kernel/context.ts';
import { defineEvent } from '../../../kernel/define-event.ts';
import { isBot } from '../../../rules/roles.ts';
import type { Audience } from '../../../storage/interface/event-log.ts';
import type { User } from '../../../storage/interface/users.ts';
import { botObject, botView } from './bot.ts';

export const botCreated = defineEvent('realm_bot/add', {
  summary: 'A bot was created that the reader owns or administers. Its key is in no event.',
  fields: { bot: botObject },
});

export const botUpdated = defineEvent('realm_bot/update', {
  summary: 'Something of a bot changed: its id and what is new.',
  fields: { bot: v.object({ ...v.partial(botObject).entries, user_id: v.number() }) },
});

export const botHidden = defineEvent('realm_bot/delete', {
  summary: 'The reader administers a bot no more.',
  fields: { bot: v.object({ user_id: v.number() }) },
});

/** Tells of a new bot. Its key is in no event: the log is stored, and keys never are. */
export async function emitBotCreated(context: WriteContext, bot: User): Promise<void> {
  context.emit(await botAudience(context, bot), botCreated({ bot: botView(bot, context.organization) }));
}

/** Tells what changed of an account, if it is a bot. */
export async function emitBotUpdated(
  context: WriteContext,
  account: User,
  change: Omit<Parameters<typeof botUpdated>[0]['bot'], 'user_id'>,
): Promise<void> {
  if (!isBot(account)) return;
  context.emit(await botAudience(context, account), botUpdated({ bot: { user_id: account.id, ...change } }));
}

/** The owner of a bot and the administrators. */
async function botAudience(context: WriteContext, bot: User): Promise<Audience> {
  const readers = new Set(await administratorIds(context));
  if (bot.bot_owner_id !== null) readers.add(bot.bot_owner_id);
  return { users: [...readers] };
}
