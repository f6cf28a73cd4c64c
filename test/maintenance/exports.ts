import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Chat, type Keepable, localFiles, openChat } from '../../lib/index.ts';
import type { Storage } from '../../lib/storage/interface/storage.ts';
import { migrations } from '../../lib/storage/migrations/index.ts';
import type { MigrationPlace } from '../storage/migration-places.ts';

export const ADA = { email: 'ada@example.com', full_name: 'Ada', password: 'correct horse battery' };
export const BEN = { email: 'ben@example.com', full_name: 'Ben <b', password: 'another long secret' };
export const EVA = { email: 'eva@example.com', full_name: 'Eva', password: 'yet another secret' };

export const quiet = { debug() {}, info() {}, warn() {}, error() {} };
export const open = (place: MigrationPlace) => place.storage(migrations) as Storage & Keepable;

export async function scratch(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-export-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function opened(t: TestContext, place: MigrationPlace, uploads: string): Promise<Chat> {
  const chat = await openChat({ storage: open(place), files: localFiles(uploads), logger: quiet });
  t.after(() => chat.close());
  return chat;
}

/** An organization with a row in most tables. */
export async function populated(chat: Chat) {
  const ada = await chat.createOrganization({ name: 'Example', owner: ADA });
  const [asAda, asBen, asEva] = [chat.as(ADA.email), chat.as(BEN.email), chat.as(EVA.email)];
  const ben = await asAda.users.create(BEN);
  const eva = await asAda.users.create(EVA);
  const both = [ada.user_id, ben.user_id];
  const general = await asAda.channels.create({ name: 'general', subscribers: [...both, eva.user_id] });
  const secret = await asAda.channels.create({ name: 'secret', subscribers: both, invite_only: true });
  const file = await asBen.uploads.send({ file: new File(['<script>alert(1)</script>'], 'page.html') });
  const said = (to: string, topic: string, content: string) => ({ type: 'channel', to, topic, content }) as const;
  const first = await asBen.messages.send(said('general', 'Ärger 🎉', `Hello <b>all</b> [page](${file.url})`));
  await asAda.messages.addReaction({ message_id: first.id, emoji_name: 'tada' });
  await asBen.messages.edit({ message_id: first.id, content: `Hello all, edited [page](${file.url})` });
  await asAda.messages.send(said('secret', 'plans', 'the secret plan of Ada \ue001user\ue001'));
  await asBen.messages.send(said('secret', 'plans', 'the secret answer of Ben'));
  await asEva.messages.send(said('general', 'lunch', 'soup of Eva'));
  await asAda.messages.send({ type: 'direct', to: [ben.user_id], content: 'direct words to Ben' });
  await asAda.messages.send({ type: 'direct', to: [eva.user_id], content: 'direct words to Eva' });
  await asBen.drafts.create({
    drafts: [{ type: 'private', to: [ada.user_id], topic: '', content: 'a draft of Ben', timestamp: 1_700_000_000 }],
  });
  await asBen.alertWords.add({ alert_words: ['Zebra', 'zoo', 'Äpfel'] });
  await asBen.settings.edit({ twenty_four_hour_time: true });
  await asBen.savedSnippets.create({ title: 'sig', content: 'Best, Ben' });
  await asAda.userGroups.create({ name: 'team', description: '', members: both });
  await asAda.linkifiers.create({ pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' });
  await asEva.mutedUsers.add({ muted_user_id: ben.user_id });
  return { ada, ben, eva, general, secret, first };
}

/** The content of all files of a folder, by path. */
export async function filesIn(folder: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) {
      const path = join(entry.parentPath, entry.name);
      files[path.slice(folder.length + 1)] = await readFile(path, 'latin1');
    }
  return files;
}
