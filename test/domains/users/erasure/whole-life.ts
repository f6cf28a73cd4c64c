import type { Chat, LocalSession } from '../../../../lib/index.ts';
import type { MigrationPlace } from '../../../storage/migration-places.ts';
import { png } from '../../../world/pictures.ts';

/** Texts in tables that other servers or other features fill. */
export const PLANTED = {
  subject: 'subject-of-the-walrus',
  preview: 'Homepage of the ferret',
  bounced: 'bounced.oxblood@mail.example',
  device: 'device-of-the-heron',
  request: 'request-of-the-moth',
};

interface Person {
  chat: Chat;
  place: MigrationPlace;
  owner: LocalSession;
  user_id: number;
  password: string;
}

/** Fills the tables that everyday use leaves empty. The person is an administrator. */
export async function useTheRest({ chat, place, owner, user_id, password }: Person): Promise<void> {
  const person = chat.as(user_id);
  const { user_id: other } = await owner.users.me();
  await person.customEmoji.upload({ emoji_name: 'axolotl', file: png });
  await person.avatars.upload({ file: png });
  await person.channelFolders.create({ name: 'Plans' });
  await person.channels.create({ name: 'ideas', subscribers: [user_id] });
  await person.userGroups.create({ name: 'cooks', description: '', members: [user_id] });
  await person.mutedUsers.add({ muted_user_id: other });
  await person.mutedUsers.remove({ muted_user_id: other });
  const { user_id: muted } = await owner.users.create({ email: 'muted@example.com', full_name: 'Muted' });
  await person.mutedUsers.add({ muted_user_id: muted });
  await person.presence.report({ status: 'active', last_update_id: -1 });
  await person.secondFactor.begin({ password });
  await person.invites.send({ invitee_emails: 'guest@example.com', stream_ids: [] });
  const { messages } = await person.messages.list({
    ...{ narrow: [['channel', 'general']], anchor: 'oldest', num_before: 0, num_after: 5 },
  });
  const [first] = messages;
  if (!first) throw new Error('The channel has no messages.');
  await person.messages.addReaction({ message_id: first.id, emoji_name: 'tada' });
  await person.messages.updateFlags({ messages: [first.id], op: 'add', flag: 'read' });
  await person.exports.create({ export_type: 1 });
  await chat.runDue();
  // The documents say: delete older exports too.
  for (const { id } of (await owner.exports.list()).exports) await owner.exports.remove({ export_id: id });
  const now = Date.now();
  for (const row of [
    `external_logins (issuer, subject, user_id) VALUES ('https://login.example', '${PLANTED.subject}', ${user_id})`,
    `link_previews (key, account_id, claimed_ms, expires_ms, fetched_ms, preview)
      VALUES ('k', ${user_id}, ${now}, ${now + 9e7}, ${now}, '{"title":"${PLANTED.preview}"}')`,
    `email_bounces (user_id, bounced_ms, address) VALUES (${user_id}, ${now}, '${PLANTED.bounced}')`,
    `email_counts (user_id, is_sender, since_ms, emails) VALUES (${user_id}, 0, ${now}, 1) ON CONFLICT DO NOTHING`,
    `push_devices (user_id, push_account_id, token_kind, push_public_key, registration)
      VALUES (${user_id}, 1, 'fcm', '${PLANTED.device}', 1)`,
    `push_notices (user_id, message_id, due_ms, is_withdrawn) VALUES (${user_id}, ${first.id}, ${now + 9e8}, 0)`,
    `sign_in_networks (user_id, network, last_ms) VALUES (${user_id}, '192.0.2.77', ${now})`,
    `resumable_uploads (upload_id, owner_id, size, lease_until_ms, is_asked_for)
      SELECT MAX(id), ${user_id}, 1, 0, 0 FROM uploads WHERE owner_id = ${user_id}`,
    `sent_deliveries (kind, id, user_id, sent_ms) VALUES ('scheduled', 9, ${user_id}, ${now})`,
    `audit_log (at_ms, action, user_id, status, details, client, network, request, times, is_refusal)
      VALUES (${now}, 'users.endLogins', ${user_id}, 200, '{}', 'x', '192.0.2.77', '${PLANTED.request}', 1, 0)`,
  ])
    await place.sql(`INSERT INTO ${row}`);
}
