import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Chat, check, importChat, type Keepable, openChat, type Storage } from '../../lib/index.ts';
import { groupBy, transportOf } from '../../lib/internal.ts';
import { exportIn } from '../import/export-in.ts';
import { largeExport } from '../import/large-export.ts';
import { largeMattermost, largeZulip } from '../import/large-exports-of-others.ts';
import { zipFile } from '../import/zip-file.ts';
import type { ImporterOptions } from './importer.ts';
import { ENGINES, killedProgram, type Place } from './victims.ts';

const MESSAGES = 1_500;
const KILLS = 3;

/** The ending and the content of an export, by its chat. */
const EXPORTS = {
  Slack: ['.zip', () => zipFile(largeExport(MESSAGES, { users: 20, channels: 6 }))],
  Mattermost: ['.jsonl', () => largeMattermost(MESSAGES)],
  Zulip: ['.tar.gz', () => largeZulip(MESSAGES)],
} satisfies Readonly<Record<string, readonly [ending: string, content: () => Uint8Array | Promise<Uint8Array>]>>;

/** Kills imports of these products. */
export function killImports(products: readonly (keyof typeof EXPORTS)[], engines = ENGINES): void {
  describe('a process that imports is killed', () => {
    let folder: string;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'import-kills-'));
    });
    after(() => rm(folder, { recursive: true, force: true }));

    /** Kills the process some milliseconds after it has reported `parts` parts. @returns whether it was killed */
    async function killed(options: ImporterOptions, parts: number): Promise<boolean> {
      const child = spawn(process.execPath, [await killedProgram('importer'), JSON.stringify(options)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const end = once(child, 'close');
      let told = '';
      for await (const text of child.stdout) {
        told += String(text);
        if (told.split('+').length > parts) setTimeout(() => child.kill('SIGKILL'), Math.random() * 20);
      }
      await end;
      return !told.includes('=');
    }

    /** Everything that an import writes. IDs of messages and conversations may have gaps after a kill. */
    async function contentOf(chat: Chat): Promise<unknown> {
      return transportOf(chat).engine.options.storage.read(async (tx) => {
        const ids = Array.from({ length: 2 * MESSAGES }, (_, at) => at + 1);
        const stored = await tx.messages.byIds(ids);
        const reactions = groupBy(await tx.reactions.of(ids), ({ message_id }) => message_id);
        const directs = await tx.conversations.byIds([...new Set(stored.map((message) => message.conversation_id))]);
        const participants = new Map(directs.map((direct) => [direct.id, direct.participants.join()]));
        const messages = stored.map((message) => ({
          place: `${message.channel_id} ${message.topic} ${participants.get(message.conversation_id)}`,
          text: `${message.timestamp} ${message.sender_id} ${message.rendered_content}`,
          reactions: (reactions.get(message.id) ?? []).map(({ user_id, emoji_code }) => `${user_id} ${emoji_code}`),
        }));
        const users = (await tx.users.changedSince(0)).map(({ full_name, is_active }) => [full_name, is_active]);
        const channels = (await tx.channels.all()).map(({ name, subscriber_count, last_active_day }) => [
          ...[name, subscriber_count, last_active_day],
        ]);
        const unread = [];
        for (const { id } of await tx.users.changedSince(0)) unread.push((await tx.readState.unread(id, 10)).length);
        return { messages, users, channels, unread };
      });
    }

    async function founded(place: Place): Promise<Chat> {
      const chat = await openChat({ storage: place.storage() });
      await chat.createOrganization({ name: 'Kills', owner: { email: 'ada@example.com', full_name: 'Ada' } });
      return chat;
    }

    for (const { name, place: makePlace, skip } of engines)
      for (const product of products)
        test(`repeated imports of ${product} after kills have the result of one import, on ${name}`, {
          ...(skip ? { skip } : {}),
          timeout: 240_000,
        }, async (t) => {
          const [ending, content] = EXPORTS[product];
          const file = join(folder, `export${ending}`);
          await writeFile(file, await content());
          const whole = await makePlace();
          t.after(() => whole.remove());
          const undisturbed = await founded(whole);
          await importChat(undisturbed, exportIn(file));
          const expected = await contentOf(undisturbed);
          await undisturbed.close();
          const place = await makePlace();
          t.after(() => place.remove());
          await (await founded(place)).close();
          let kills = 0;
          for (let parts = 1; parts <= KILLS; parts++) if (await killed({ ...place.options, file }, 2 * parts)) kills++;
          assert.ok(kills > 1, `${kills} kills in the middle`);
          const chat = await openChat({ storage: place.storage() });
          const { imported, present } = await importChat(chat, exportIn(file));
          assert.ok(present.message > 0);
          assert.equal(imported.message + present.message, MESSAGES);
          assert.deepEqual(await contentOf(chat), expected);
          await chat.close();
          const storage = place.storage() as Storage & Keepable;
          assert.deepEqual((await check(storage)).findings, []);
          await storage.close();
        });
  });
}
