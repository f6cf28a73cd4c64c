import { type Chat, localFiles, openChat, sqlite } from 'parlance';

/** Next loads a module once for each bundle and again after every change; a process has one chat all the same. */
const held = globalThis as { applicationChat?: Promise<Chat> };

/** Not opened where this is imported: `next build` imports it too, and would open a database in every worker. */
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
  if (!(await chat.hasOrganization())) {
    await chat.createOrganization({ name: 'The application', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  }
  chat.start();
  // Next waits for every request before it ends, so the polls that wait are let go.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void chat.close());
  return chat;
}
