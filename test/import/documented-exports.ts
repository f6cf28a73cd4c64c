import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { largeExport } from './large-export.ts';
import { jsonLines, MATTERMOST_LINES } from './mattermost-export.ts';
import { zipFile } from './zip-file.ts';
import { tarFile } from './zulip-export.ts';

const REALM = {
  zerver_realm: [{ id: 2, string_id: 'team', uuid: 'a1b2' }],
  zerver_userprofile: [{ id: 10, email: 'ben@example.com', full_name: 'Ben', is_active: true, role: 400 }],
  zerver_stream: [{ id: 20, name: 'general' }],
  zerver_recipient: [{ id: 30, type: 2, type_id: 20 }],
};
const MESSAGES = {
  zerver_message: [{ id: 1, sender: 10, recipient: 30, subject: 'plans', content: 'Hello', date_sent: 1_714_640_400 }],
};

/** Writes exports under the names that the documents use. All of their rows are valid, so that commands end with 0. */
export async function writeExports(folder: string): Promise<void> {
  const zulip = { 'x/realm.json': JSON.stringify(REALM), 'x/messages-000001.json': JSON.stringify(MESSAGES) };
  const lines = MATTERMOST_LINES.filter((line) => /^.{9}(version|team|user|bot)"/.test(JSON.stringify(line)));
  await writeFile(join(folder, 'export.zip'), zipFile(largeExport(200)));
  await writeFile(join(folder, 'export.tar.gz'), await tarFile(zulip));
  await writeFile(join(folder, 'export.jsonl'), jsonLines(lines));
}
