import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { catalogue, type Operation } from '../../lib/index.ts';
import type { OperationName, Params } from '../world/case.ts';
import { sqliteEngine } from '../world/copies.ts';
import type { UserName } from '../world/fixture.ts';
import { CHANNELS, PASSWORD } from '../world/fixture.ts';
import { png } from '../world/pictures.ts';
import { httpTransport } from '../world/transports.ts';
import type { World } from '../world/world.ts';

/** One plain call of each operation; the table says what becomes of it for each kind of caller. */
const CALLS: Partial<Record<OperationName, (world: World) => Params>> = {
  fetchApiKey: () => ({ username: 'hamlet@example.com', password: PASSWORD }),
  devFetchApiKey: () => ({ username: 'hamlet@example.com' }),
  'events.list': () => ({ queue_id: 'another', last_event_id: -1 }),
  'events.delete': () => ({ queue_id: 'another' }),
  'messages.send': ({ channels }) => ({ type: 'channel', to: channels.default, topic: 'x', content: 'y' }),
  'messages.list': () => ({ anchor: 'newest', num_before: 1 }),
  'messages.get': ({ messages }) => ({ message_id: messages.harbour }),
  'messages.updateFlags': ({ messages }) => ({ messages: [messages.harbour], op: 'add', flag: 'starred' }),
  'messages.edit': ({ messages }) => ({ message_id: messages.harbour, topic: 'boats' }),
  'messages.delete': ({ messages }) => ({ message_id: messages.harbour }),
  'messages.history': ({ messages }) => ({ message_id: messages.harbour }),
  'messages.updateFlagsNarrow': () => ({
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow: [],
    op: 'add',
    flag: 'starred',
  }),
  'messages.markChannelRead': ({ channels }) => ({ stream_id: channels.webPublic }),
  'messages.markTopicRead': ({ channels }) => ({ stream_id: channels.webPublic, topic_name: 'ships' }),
  'messages.readReceipts': ({ messages }) => ({ message_id: messages.harbour }),
  'messages.addReaction': ({ messages }) => ({ message_id: messages.harbour, emoji_name: 'tada' }),
  'messages.removeReaction': ({ messages }) => ({ message_id: messages.harbour, emoji_name: 'tada' }),
  'messages.render': () => ({ content: '*word*' }),
  'customEmoji.upload': () => ({ emoji_name: 'gruel', file: png }),
  'customEmoji.deactivate': () => ({ emoji_name: 'yorick' }),
  'channels.get': ({ channels }) => ({ stream_id: channels.webPublic }),
  'channels.getId': () => ({ stream: CHANNELS.webPublic }),
  'channels.create': () => ({ name: 'New', subscribers: [] }),
  'channels.edit': ({ channels }) => ({ stream_id: channels.webPublic, description: 'new' }),
  'channels.archive': ({ channels }) => ({ stream_id: channels.webPublic }),
  'channels.subscribers': ({ channels }) => ({ stream_id: channels.webPublic }),
  'topics.list': ({ channels }) => ({ stream_id: channels.webPublic }),
  'channelFolders.create': () => ({ name: 'Comedies' }),
  'defaultChannels.add': ({ channels }) => ({ stream_id: channels.quiet }),
  'defaultChannels.remove': ({ channels }) => ({ stream_id: channels.default }),
  'subscriptions.add': () => ({ subscriptions: [{ name: CHANNELS.webPublic }] }),
  'subscriptions.remove': () => ({ subscriptions: [CHANNELS.webPublic] }),
  'subscriptions.updateProperties': () => ({ subscription_data: [] }),
  'users.get': ({ users }) => ({ user_id: users.cordelia }),
  'users.getByEmail': ({ emails }) => ({ email: emails.cordelia }),
  'users.create': () => ({ email: 'new@example.com', full_name: 'New' }),
  'users.deactivate': ({ users }) => ({ user_id: users.cordelia }),
  'users.reactivate': ({ users }) => ({ user_id: users.deactivated }),
  'playgrounds.create': () => ({ name: 'a', pygments_language: 'b', url_template: 'https://a.example/{code}' }),
  'playgrounds.remove': () => ({ playground_id: 99 }),
  'linkifiers.create': () => ({ pattern: 'a', url_template: 'https://a.example' }),
  'linkifiers.edit': () => ({ filter_id: 99, pattern: 'a', url_template: 'https://a.example' }),
  'linkifiers.remove': () => ({ filter_id: 99 }),
  'linkifiers.reorder': () => ({ ordered_linkifier_ids: [] }),
  'settings.edit': () => ({ enter_sends: true }),
  'bots.create': () => ({ full_name: 'Clock', short_name: 'clock' }),
  'bots.getApiKey': ({ users }) => ({ bot_id: users.bot }),
  'bots.regenerateApiKey': ({ users }) => ({ bot_id: users.bot }),
  'bots.deactivate': ({ users }) => ({ bot_id: users.bot }),
  'organization.edit': () => ({ name: 'Kronborg' }),
};

const CALLERS: readonly (UserName | 'nobody')[] = [
  'owner',
  'administrator',
  'moderator',
  'cordelia',
  'hamlet',
  'guest',
  'bot',
  'webhook',
  'deactivated',
  'nobody',
];

const HEADINGS: Partial<Record<UserName | 'nobody', string>> = {
  cordelia: 'member',
  hamlet: "bots' owner",
  nobody: 'anonymous',
};

const FILE = new URL('./matrix.txt', import.meta.url);

test('who may call which operation is as the table says', async () => {
  const table = await matrix();
  assert.ok(!table.includes('REQUEST_VARIABLE_MISSING'), 'an operation that needs parameters needs a call here');
  if (process.env.PARLANCE_REWRITE_MATRIX) await writeFile(FILE, table);
  const committed = await readFile(FILE, 'utf8');
  assert.deepEqual(table.split('\n'), committed.split('\n'));
});

async function matrix(): Promise<string> {
  const rows = [['operation', ...CALLERS.map((caller) => HEADINGS[caller] ?? caller)]];
  for (const operation of catalogue as readonly Operation[]) {
    const row = [operation.name];
    for (const caller of CALLERS) row.push(await outcome(operation, caller));
    rows.push(row);
  }
  const widths = (rows[0] as string[]).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return `${rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] as number))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')}\n`;
}

async function outcome(operation: Operation, caller: UserName | 'nobody'): Promise<string> {
  const world = await sqliteEngine.world();
  try {
    const params = CALLS[operation.name as OperationName]?.(world) ?? {};
    const result = await httpTransport.call(world, caller, operation, params);
    return 'answer' in result ? 'yes' : String(result.refusal.code);
  } finally {
    await world.close();
  }
}
