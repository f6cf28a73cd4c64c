import type { ZipEntry } from './zip-file.ts';

const json = (name: string, content: unknown): ZipEntry => ({ name, content: JSON.stringify(content) });

/** Seconds of 2 May 2024, 09:00 UTC. */
export const START = 1_714_640_400;
export const tsOf = (minute: number) => `${START + 60 * minute}.000100`;

const person = (id: string, name: string, more: object = {}) => ({
  id,
  team_id: 'T1',
  name: name.toLowerCase().replace(' ', '.'),
  deleted: false,
  real_name: name,
  profile: { real_name: name, email: `${name.toLowerCase().replace(' ', '.')}@example.com` },
  ...more,
});

/** A small export with the odd cases that exports of real teams have. */
export const SLACK_EXPORT: readonly ZipEntry[] = [
  json('users.json', [
    person('U1', 'Ada', { is_owner: true, tz: 'Europe/Berlin' }),
    person('U2', 'Ben'),
    person('U3', 'Cleo', { is_restricted: true }),
    // Deleted accounts with equal names, and without addresses.
    person('U4', 'Dora', { deleted: true, profile: { real_name: 'Dora' } }),
    person('U5', 'Dora', { deleted: true, profile: { real_name: 'Dora' } }),
    person('U6', 'Build', { is_bot: true, profile: { real_name: 'Build' } }),
    { name: 'without an ID' },
  ]),
  json('usergroups.json', [
    { id: 'S1', handle: 'cooks', name: 'Cooks', description: 'Who cooks', users: ['U1', 'U2'] },
  ]),
  json('channels.json', [
    {
      id: 'C1',
      name: 'general',
      created: START - 86_400,
      creator: 'U1',
      is_general: true,
      members: ['U1', 'U2', 'U3', 'U4', 'UGONE'],
      topic: { value: 'News of <@U2>' },
      purpose: { value: 'For *all*' },
      pins: [{ id: tsOf(0), type: 'C', user: 'U2' }],
    },
    { id: 'C2', name: 'General', members: ['U1'] },
    { id: 'C3', name: 'old-plans', is_archived: true, members: ['U1', 'U2'] },
  ]),
  json('groups.json', [{ id: 'G1', name: 'secret', members: ['U1', 'U2'] }]),
  json('dms.json', [{ id: 'D1', members: ['U1', 'U2'] }]),
  json('mpims.json', [{ id: 'G2', name: 'mpdm-ada--ben--cleo-1', members: ['U1', 'U2', 'U3'] }]),
  json('general/2024-05-02.json', [
    {
      type: 'message',
      user: 'U1',
      ts: tsOf(0),
      text: 'Hello <@U2> and <!subteam^S1|@cooks>, see <#C3|old-plans> &amp; *plan*',
      reactions: [
        { name: 'thumbsup', users: ['U2', 'U3'], count: 2 },
        { name: 'party-parrot', users: ['U2'], count: 1 },
        { name: '+1::skin-tone-3', users: ['U2'], count: 1 },
      ],
      edited: { user: 'U1', ts: tsOf(1) },
    },
    { type: 'message', subtype: 'channel_join', user: 'U2', ts: tsOf(2), text: '<@U2> has joined the channel' },
    // A thread, with an answer a day later.
    {
      type: 'message',
      user: 'U2',
      ts: tsOf(3),
      thread_ts: tsOf(3),
      reply_count: 1,
      text: 'Where shall we *meet* for lunch on <!date^1714640400^{date}|2 May>?',
    },
    {
      type: 'message',
      user: 'U1',
      ts: tsOf(4),
      text: 'Thread: <https://x.slack.com/archives/C1/p1714640580000100|here>',
    },
    // An answer whose first message was deleted.
    { type: 'message', user: 'U3', ts: tsOf(5), thread_ts: tsOf(-500), text: 'I agree' },
    { type: 'message', subtype: 'bot_message', bot_id: 'B7', username: 'Weather', ts: tsOf(6), text: 'Rain' },
    {
      type: 'message',
      ts: tsOf(7),
      text: 'By whom? <tel:+49301234|+49 30 1234>, <mailto:ben@x.example|ben@x.example>',
    },
    { type: 'message', user: 'UGONE', ts: tsOf(8), text: 'I left', user_profile: { real_name: 'Emil' } },
    { type: 'message', user: 'U1', ts: tsOf(9), text: 'Only you see this', is_ephemeral: true },
    { type: 'message', subtype: 'huddle_thread', user: 'U1', ts: tsOf(10), text: '' },
    {
      type: 'message',
      user: 'U1',
      ts: tsOf(11),
      text: '',
      files: [
        {
          id: 'F1',
          name: 'menu[1].txt',
          mimetype: 'text/plain',
          url_private: 'https://files.example/F1/menu.txt?t=xoxe-secret',
        },
        { id: 'F2', mode: 'tombstone' },
      ],
    },
    {
      type: 'message',
      user: 'U1',
      ts: tsOf(12),
      text: 'fallback',
      blocks: [
        {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_section',
              elements: [
                { type: 'text', text: 'Bring' },
                { type: 'user', user_id: 'U3' },
              ],
            },
            {
              type: 'rich_text_list',
              style: 'bullet',
              elements: [
                { type: 'rich_text_section', elements: [{ type: 'text', text: 'bread', style: { bold: true } }] },
                { type: 'rich_text_section', elements: [{ type: 'emoji', name: 'slightly_smiling_face' }] },
              ],
            },
            { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'a :thumbsup: b' }] },
          ],
        },
      ],
    },
    { type: 'message', user: 'U1', ts: 'yesterday', text: 'When?' },
    'no object',
  ]),
  json('general/2024-05-03.json', [
    { type: 'message', user: 'U1', ts: tsOf(1440), thread_ts: tsOf(3), text: 'At noon' },
    // Another thread with the same first words.
    {
      type: 'message',
      user: 'U1',
      ts: tsOf(1441),
      thread_ts: tsOf(1441),
      text: 'Where shall we meet for lunch on 2024-05-02?',
    },
    { type: 'message', user: 'U1', ts: tsOf(1442), text: '\ue001user\ue002slack/U2\ue002x\ue001 ```<@U2> code```' },
  ]),
  json('General/2024-05-02.json', [{ type: 'message', user: 'U1', ts: tsOf(1), text: 'Alone here' }]),
  json('old-plans/2024-05-02.json', [{ type: 'message', user: 'U4', ts: tsOf(0), text: 'Done' }]),
  json('secret/2024-05-02.json', [{ type: 'message', user: 'U2', ts: tsOf(2), text: 'Quiet' }]),
  json('D1/2024-05-02.json', [{ type: 'message', user: 'U2', ts: tsOf(3), text: 'Are you coming?' }]),
  json('mpdm-ada--ben--cleo-1/2024-05-02.json', [{ type: 'message', user: 'U3', ts: tsOf(4), text: 'All three' }]),
  json('unknown/2024-05-02.json', [{ type: 'message', user: 'U3', ts: tsOf(4), text: 'Nowhere' }]),
  { name: 'secret/2024-05-03.json', content: '[{"type": "message"' },
];
