/** Which fields of a list people want to see, by the name under which an answer carries the list. */
export const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  members: ['user_id', 'full_name', 'delivery_email', 'role', 'is_bot', 'is_active'],
  streams: ['stream_id', 'name', 'subscriber_count', 'invite_only', 'is_archived', 'description'],
  subscriptions: ['stream_id', 'name', 'is_muted', 'pin_to_top', 'description'],
  topics: ['name', 'max_id'],
  emoji: ['id', 'name', 'deactivated', 'source_url'],
  user_groups: ['id', 'name', 'members', 'deactivated', 'description'],
  scheduled_messages: [
    'scheduled_message_id',
    'type',
    'to',
    'topic',
    'scheduled_delivery_timestamp',
    'failed',
    'content',
  ],
  message_history: ['timestamp', 'user_id', 'topic', 'content'],
  invites: ['id', 'email', 'link_url', 'invited_as', 'expiry_date', 'is_multiuse'],
  linkifiers: ['id', 'pattern', 'url_template'],
  playgrounds: ['id', 'name', 'pygments_language', 'url_template'],
  attachments: ['id', 'name', 'size', 'path_id'],
  accounts: ['email', 'role', 'password'],
};

export const isKnownList = (name: string) => name === 'messages' || Object.hasOwn(COLUMNS, name);

const SPOKEN: Readonly<Record<string, string>> = {
  user_id: 'ID',
  stream_id: 'ID',
  id: 'ID',
  scheduled_message_id: 'ID',
  full_name: 'NAME',
  delivery_email: 'E-MAIL',
  email: 'E-MAIL',
  link_url: 'LINK',
  is_bot: 'BOT',
  is_active: 'ACTIVE',
  is_archived: 'ARCHIVED',
  is_muted: 'MUTED',
  is_multiuse: 'REUSABLE',
  pin_to_top: 'PINNED',
  invite_only: 'PRIVATE',
  subscriber_count: 'SUBSCRIBERS',
  scheduled_delivery_timestamp: 'WHEN',
  timestamp: 'WHEN',
  invited_as: 'ROLE',
  expiry_date: 'EXPIRES',
  max_id: 'NEWEST',
  pygments_language: 'LANGUAGE',
  source_url: 'PICTURE',
};

export function columnTitle(field: string): string {
  return SPOKEN[field] ?? field.replaceAll('_', ' ').toUpperCase();
}

const ENOUGH = 6;

/** For lists the table above does not know: the first few fields that fit into a cell. */
export function columnsOf(list: string, rows: readonly Record<string, unknown>[]): readonly string[] {
  const known = COLUMNS[list]?.filter((field) => rows.some((row) => row[field] !== undefined));
  if (known && known.length > 0) return known;
  const fits = (field: string) => rows.every((row) => typeof row[field] !== 'object' || row[field] === null);
  return [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(fits).slice(0, ENOUGH);
}
