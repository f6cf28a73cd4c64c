import { migrations } from '../../lib/storage/migrations/index.ts';
import type { Migration } from '../../lib/storage/migrations/migration.ts';

/** The migrations of an earlier version. */
export function upTo(version: number): readonly Migration[] {
  return migrations.filter((migration) => migration.version <= version);
}

const CONTENTS = ['plain words', 'Plain Words', 'GRÖSSE', 'größe', 'Ελλάδα ΣΊΣΥΦΟΣ', 'İstanbul', "it's 100 %", '🙂'];

/** An organization, its owner and messages to herself, in SQL that every version accepts. */
export function contentOfOlder(messages: number): string {
  const rows = Array.from({ length: messages }, (_, at) => {
    const content = `${CONTENTS[at % CONTENTS.length]} ${at}`.replaceAll("'", "''");
    return `(1, 1, '${content}', '<p>x</p>', 0, 'website', 0, 1)`;
  });
  return `
    INSERT INTO organization (id, version, users_version, name, description, host, created_ms, secret, uuid, settings)
      VALUES (1, 1, 1, 'Old', '', 'chat.example.org', 0, 'ab', 'cd', '{}');
    INSERT INTO users (delivery_email, email_key, full_name, role, is_active, is_system_bot, timezone, joined_ms,
      avatar_source, avatar_version, email_visibility, key_generation, settings, version, name_key)
      VALUES ('ada@example.org', 'ada@example.org', 'Ada', 100, 1, 0, '', 0, 'J', 1, 1, 0, '{}', 1, 'ada');
    INSERT INTO conversations (topic, direct_key) VALUES ('', '1');
    ${
      messages === 0
        ? ''
        : `INSERT INTO messages (conversation_id, sender_id, content, rendered_content, timestamp, client,
            is_me_message, read_by_sender) VALUES ${rows.join(', ')};`
    }`;
}
