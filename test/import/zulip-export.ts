import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import sharp from 'sharp';

const SECONDS = 1_714_640_400;

const person = (id: number, name: string, more: object = {}) => ({
  id,
  email: `user${id}@zulip.example`,
  delivery_email: `${name.toLowerCase()}@example.com`,
  full_name: name,
  is_active: true,
  is_bot: false,
  role: 400,
  date_joined: SECONDS - 1_000.5,
  ...more,
});

const REALM = {
  zerver_realm: [{ id: 2, string_id: 'team', uuid: 'a1b2', name: 'Team' }],
  zerver_userprofile: [
    person(10, 'Ada', { role: 100, timezone: 'Europe/Berlin' }),
    person(11, 'Ben'),
    person(12, 'Cleo', { role: 600, is_active: false }),
    person(13, 'Echo', { is_bot: true, delivery_email: 'echo-bot@zulip.example' }),
    { id: 'no number', email: 'x' },
  ],
  zerver_userprofile_mirrordummy: [person(14, 'Dora', { is_mirror_dummy: true })],
  zerver_userprofile_crossrealm: [{ id: 3, email: 'notification-bot@zulip.com' }],
  zerver_stream: [
    { id: 20, name: 'general', description: 'For all', date_created: SECONDS - 900, creator: 10 },
    { id: 21, name: 'secret', invite_only: true },
    { id: 22, name: 'old', deactivated: true },
  ],
  zerver_recipient: [
    { id: 30, type: 2, type_id: 20 },
    { id: 31, type: 2, type_id: 21 },
    { id: 32, type: 1, type_id: 10 },
    { id: 33, type: 3, type_id: 40 },
  ],
  zerver_subscription: [
    ...[10, 11, 12].map((user_profile) => ({ recipient: 30, user_profile, active: true })),
    { recipient: 30, user_profile: 13, active: false },
    { recipient: 31, user_profile: 10, active: true },
    ...[10, 11, 12].map((user_profile) => ({ recipient: 33, user_profile, active: true })),
  ],
  zerver_usergroup: [
    { id: 50, name: 'cooks', description: 'Who cooks', is_system_group: false },
    { id: 51, name: 'role:members', is_system_group: true },
  ],
  zerver_usergroupmembership: [
    { user_group: 50, user_profile: 10 },
    { user_group: 50, user_profile: 11 },
  ],
  zerver_realmemoji: [
    { id: 60, name: 'soup', file_name: '60.png', deactivated: false },
    { id: 61, name: 'lost', file_name: '61.png', deactivated: false },
  ],
  zerver_reaction: [
    { message: 100, user_profile: 11, emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' },
    { message: 100, user_profile: 11, emoji_name: 'soup', emoji_code: '60', reaction_type: 'realm_emoji' },
    { message: 100, user_profile: 10, emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' },
  ],
};

const message = (
  id: number,
  sender: number,
  recipient: number,
  subject: string,
  content: string,
  more: object = {},
) => ({
  ...{ id, sender, recipient, subject, content, date_sent: SECONDS + id + 0.25, last_edit_time: null },
  ...more,
});

const LATER = {
  zerver_message: [
    message(104, 11, 32, '', 'Are you coming?'),
    message(105, 12, 33, '', 'All three'),
    message(106, 99, 30, 'plans', 'I am gone'),
    message(107, 10, 77, 'plans', 'Nowhere'),
  ],
  zerver_usermessage: [],
};

const FIRST = {
  zerver_message: [
    message(101, 11, 30, '', 'No topic'),
    message(
      100,
      10,
      30,
      '✔ plans',
      'Hello @**Ben|11** and @_**Cleo|12**, see [menu](/user_uploads/2/ab/xyz/the%20menu.txt)',
      {
        last_edit_time: SECONDS + 300,
      },
    ),
    message(102, 3, 31, 'channel events', '@_**Ada|10** created this channel.'),
    message(103, 10, 31, 'files', '[lost](/user_uploads/2/ab/lost/a.txt)'),
  ],
  zerver_usermessage: [
    { user_profile: 11, message: 100, flags_mask: 3 },
    { user_profile: 10, message: 100, flags_mask: 1 },
  ],
};

const ATTACHMENTS = {
  zerver_attachment: [
    { path_id: '2/ab/xyz/the menu.txt', file_name: 'the menu.txt', content_type: 'text/plain' },
    { path_id: '2/ab/lost/a.txt', file_name: 'a.txt', content_type: 'text/plain' },
  ],
};

export const ROOT = 'zulip-export-x';

/** A small export, in the names and the order of `manage.py export`. */
export async function zulipEntries(): Promise<Record<string, string | Uint8Array>> {
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  return {
    // In no order: messages come before what they refer to.
    [`${ROOT}/messages-000002.json`]: JSON.stringify(LATER),
    [`${ROOT}/messages-000001.json`]: JSON.stringify(FIRST),
    [`${ROOT}/messages-000003.json`]: '{"zerver_message": [',
    [`${ROOT}/uploads/2/ab/xyz/the menu.txt`]: 'soup',
    [`${ROOT}/attachment.json`]: JSON.stringify(ATTACHMENTS),
    [`${ROOT}/emoji/records.json`]: JSON.stringify([
      { name: 'soup', file_name: '60.png', path: '2/emoji/images/60.png' },
    ]),
    [`${ROOT}/emoji/2/emoji/images/60.png`]: picture,
    [`${ROOT}/realm.json`]: JSON.stringify(REALM),
  };
}

/** A tar.gz file. @param links targets of links by name */
export async function tarFile(
  entries: Record<string, string | Uint8Array>,
  links: Record<string, string> = {},
): Promise<Uint8Array> {
  const files = Object.entries(entries).map(([name, body]) => ({
    header: { name, type: 'file' as const, size: Buffer.byteLength(body) },
    body,
  }));
  const others = Object.entries(links).map(([name, linkname]) => ({
    header: { name, type: 'symlink' as const, size: 0, linkname },
  }));
  return gzipSync(await packTar([...files, ...others]));
}
