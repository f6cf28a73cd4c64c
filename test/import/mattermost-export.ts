const START_MS = 1_714_640_400_000;
const minute = (count: number) => START_MS + 60_000 * count;

const post = (channel: string, user: string, at: number, message: string, more: object = {}) => ({
  type: 'post',
  post: { team: 'kitchen', channel, user, message, create_at: minute(at), ...more },
});

/** Lines of a bulk export. Messages are in no order. */
export const MATTERMOST_LINES: readonly (object | string)[] = [
  { type: 'version', version: 1 },
  { type: 'emoji', emoji: { name: 'soup', image: 'emoji/soup.png' } },
  { type: 'team', team: { name: 'kitchen', display_name: 'Kitchen' } },
  { type: 'team', team: { name: 'garden', display_name: 'Garden' } },
  {
    type: 'channel',
    channel: {
      team: 'kitchen',
      name: 'town-square',
      display_name: 'Town Square',
      type: 'O',
      header: 'News',
      purpose: '',
    },
  },
  { type: 'channel', channel: { team: 'garden', name: 'town-square', display_name: 'Town Square', type: 'O' } },
  { type: 'channel', channel: { team: 'kitchen', name: 'secret', display_name: 'Secret', type: 'P' } },
  {
    type: 'user',
    user: {
      username: 'ada',
      email: 'ada@example.com',
      first_name: 'Ada',
      roles: 'system_user system_admin',
      teams: [{ name: 'kitchen', channels: [{ name: 'town-square' }, { name: 'secret' }] }, { name: 'garden' }],
    },
  },
  {
    type: 'user',
    user: {
      username: 'ben.ngo',
      email: 'ben@example.com',
      first_name: 'Ben',
      last_name: 'Ngo',
      roles: 'system_user',
      teams: [{ name: 'kitchen', channels: [{ name: 'town-square' }] }],
    },
  },
  { type: 'user', user: { username: 'cleo', email: 'cleo@example.com', nickname: 'Cleo', delete_at: minute(0) } },
  { type: 'bot', bot: { username: 'weather', display_name: 'Weather' } },
  post('town-square', 'ada', 5, 'Where do we **meet**, @ben.ngo? See ~secret. `@ben.ngo`', {
    edit_at: minute(6),
    flagged_by: ['ben.ngo'],
    reactions: [
      { user: 'ben.ngo', emoji_name: 'soup', create_at: minute(6) },
      { user: 'ben.ngo', emoji_name: 'thumbsup', create_at: minute(6) },
    ],
    replies: [
      { user: 'ben.ngo', message: 'At noon.', create_at: minute(9), attachments: [{ path: '2024/menu.txt' }] },
      { user: 'cleo', message: 'Later', create_at: minute(7) },
      { user: 'ada', message: 'When?' },
    ],
  }),
  post('town-square', 'weather', 8, '', { props: { attachments: [{ title: 'Rain', text: 'All day' }] } }),
  post('town-square', 'ada', 1, 'First', { is_pinned: true }),
  post('town-square', 'ada', 1, 'At the same time', { attachments: [{ path: '../../etc/passwd' }] }),
  post('town-square', 'ada', 2, 'ada joined', { type: 'system_join_channel' }),
  post('town-square', 'hook', 3, 'Built', { props: { from_webhook: 'true' } }),
  post('nowhere', 'ada', 4, 'Lost'),
  { type: 'direct_channel', direct_channel: { members: ['ada', 'ben.ngo'] } },
  {
    type: 'direct_post',
    direct_post: {
      channel_members: ['ada', 'ben.ngo'],
      user: 'ben.ngo',
      message: 'Hello',
      create_at: minute(2),
      replies: [{ user: 'ada', message: 'Hi', create_at: minute(3) }],
    },
  },
  { type: 'post', post: { team: 'kitchen', channel: 'town-square', user: 'ada', message: 'no time' } },
  'no JSON',
];

export const jsonLines = (lines: readonly (object | string)[]) =>
  Buffer.from(`${lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')}\n`);
