import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, type TestContext } from 'node:test';
import {
  type Chat,
  type ImportOptions,
  type ImportSource,
  importChat,
  type LocalSession,
  openChat,
  type RejectedRow,
} from '../../lib/index.ts';
import { type Engine, engines } from '../support/engines.ts';
import { memoryFolder } from '../support/memory-folder.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(memoryFolder(), 'import-'));
});
after(() => rm(folder, { recursive: true, force: true }));

let files = 0;

/** The path of a new file with this content. */
export async function written(content: Uint8Array, ending: string): Promise<string> {
  const path = join(folder, `export-${files++}${ending}`);
  await writeFile(path, content);
  return path;
}

export const newFolder = () => mkdtemp(join(folder, 'files-'));

/** A chat that Ada owns. */
export async function chatOf(t: TestContext, engine = engines[0] as Engine, options: object = {}): Promise<Chat> {
  const place = await engine.open();
  const chat = await openChat({ storage: place.storage, ...options });
  t.after(async () => {
    await chat.close();
    await place.dispose();
  });
  await chat.createOrganization({ name: 'Test', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  return chat;
}

export async function importedInto(chat: Chat, source: ImportSource, options: ImportOptions = {}) {
  const rejected: RejectedRow[] = [];
  const result = await importChat(chat, source, { onReject: (row) => void rejected.push(row), ...options });
  return { ...result, rejected };
}

const RANGE = { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false } as const;

/** Messages that the user received, or those of a narrow. */
export async function messagesOf(session: LocalSession, narrow: [string, string][] = []) {
  return (await session.messages.list({ narrow, ...RANGE })).messages;
}

/** `topic > author: content` of each message. */
export const shown = (messages: Awaited<ReturnType<typeof messagesOf>>) =>
  messages.map(({ subject, sender_full_name, content }) => `${subject} > ${sender_full_name}: ${content}`);
