import { type Chat, localFiles, openChat, sqlite } from 'parlance-chat';

const OWNER = { email: 'ada@example.com', full_name: 'Ada' };

/** Next loads a module several times. `globalThis` keeps one chat per process. */
const held = globalThis as { applicationChat?: Promise<Chat> };

/** Opens the chat on the first call, not on import: `next build` imports this module in every worker. */
export function theChat(): Promise<Chat> {
  held.applicationChat ??= open().catch((error) => {
    held.applicationChat = undefined;
    throw error;
  });
  return held.applicationChat;
}

async function open(): Promise<Chat> {
  const database = process.env.DATABASE ?? 'application.db';
  const chat = await openChat({
    storage: sqlite(database),
    files: localFiles(`${database}-uploads`),
    baseUrl: `${process.env.SITE ?? 'http://localhost:3000'}/chat`,
  });
  const { user_id, is_new } = await chat.ensureOrganization({ name: 'The application', owner: OWNER });
  if (is_new) await chat.as(user_id).channels.create({ name: 'team', subscribers: [user_id] });
  chat.start();
  // Next waits for all requests before it exits. Closing the chat ends the waiting polls.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void chat.close());
  return chat;
}
