import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { importTable } from '../../examples/import-table.ts';
import { type Chat, openChat, sqlite } from '../../lib/index.ts';
import { databasePath } from './folder.ts';

const SCRIPT = fileURLToPath(new URL('../../examples/import-table.ts', import.meta.url));

const ROWS = [
  'id,author,room,created_at,text',
  '1,Ben Carter,Kitchen,2021-03-01 09:00:00,Soup today',
  '2,cleo@example.com,Kitchen,2021-03-01 09:00:30,"And cake, ""large"""',
  '3,Ben Carter,office,2021-03-02T10:00:00+01:00,Printer?',
  '4,Ben Carter,Office,2021-03-02T10:00:00+01:00,Printer!',
  '5,cleo@example.com,Kitchen,1620000000,',
  '6,Ben Carter,Kitchen,1620000000,Tea',
];

async function setUp(t: TestContext) {
  const database = await databasePath(t);
  const chat = await openChat({ storage: sqlite(database) });
  await chat.createOrganization({ name: 'Club', owner: { email: 'ada@example.com', full_name: 'Ada' } });
  await chat.close();
  const csv = join(database, '..', 'rows.csv');
  const options = { csv, database, owner: 'ada@example.com', domain: 'example.com' };
  const open = async () => {
    const reopened = await openChat({ storage: sqlite(database) });
    t.after(() => reopened.close());
    return reopened;
  };
  return { options, open, write: (rows: readonly string[]) => writeFile(csv, `${rows.join('\n')}\n`) };
}

/** Time, sender, channel and content of each message, by ID. */
async function messagesOf(chat: Chat): Promise<unknown[]> {
  const { messages } = await chat.as('ada@example.com').messages.list({
    anchor: 'oldest',
    num_after: 100,
    apply_markdown: false,
    narrow: [
      ['channels', 'public'],
      ['topic', 'imported'],
    ],
  });
  return messages.map(({ timestamp, sender_email, sender_full_name, display_recipient, content }) => [
    new Date(timestamp * 1000).toISOString(),
    sender_email.replace(/^user\d+@.*/, sender_full_name),
    display_recipient,
    content,
  ]);
}

test('a chat table becomes channels and messages with their times, also after an interruption', async (t) => {
  const { options, open, write } = await setUp(t);
  await write(ROWS.slice(0, 4));
  assert.deepEqual(await importTable(options), { sent: 3, skipped: 0 });
  await write(ROWS);
  const run = promisify(execFile);
  const { csv, database, owner, domain } = options;
  const script = ['--import', import.meta.resolve('tsx'), SCRIPT, csv, database, owner, domain];
  const { stdout } = await run(process.execPath, script);
  assert.equal(stdout, '2 messages imported, 4 rows skipped.\n');
  assert.deepEqual(await importTable(options), { sent: 0, skipped: 6 });

  const chat = await open();
  assert.deepEqual(await messagesOf(chat), [
    ['2021-03-01T09:00:00.000Z', 'ben-carter@example.com', 'Kitchen', 'Soup today'],
    ['2021-03-01T09:00:30.000Z', 'cleo@example.com', 'Kitchen', 'And cake, "large"'],
    ['2021-03-02T09:00:00.000Z', 'ben-carter@example.com', 'office', 'Printer?'],
    ['2021-03-02T09:00:00.000Z', 'ben-carter@example.com', 'office', 'Printer!'],
    ['2021-05-03T00:00:00.000Z', 'ben-carter@example.com', 'Kitchen', 'Tea'],
  ]);
  const ben = chat.as('ben-carter@example.com');
  const { streams } = await ben.channels.list({ include_public: false });
  assert.deepEqual(streams.map(({ name }) => name).sort(), ['Kitchen', 'office']);
  for (const user of ['ben-carter', 'cleo']) {
    const state = await chat.as(`${user}@example.com`).register({ fetch_event_types: ['update_message_flags'] });
    assert.equal(state.unread_msgs.count, 0, user);
  }
  const { id } = await ben.messages.send({ type: 'channel', to: 'Kitchen', topic: 'imported', content: 'Now' });
  const { message } = await ben.messages.get({ message_id: id });
  assert.ok(Math.abs(message.timestamp - Date.now() / 1000) < 600, 'new messages have the present time');
});

test('rows that cannot be imported stop the script before it writes', async (t) => {
  const { options, write, open } = await setUp(t);
  for (const [row, message] of [
    ['7,Ben Carter,Kitchen,1990-01-01,Old', /Row 7 is older than the row before it/],
    ['7,Ben Carter,Kitchen,yesterday,x', /Row 7: "yesterday" is not a time/],
    ['7,,Kitchen,1700000000,x', /Each row needs id, author/],
    ['7,Ben-Carter,Kitchen,1700000000,x', /would have the same address/],
  ] as const) {
    await write([...ROWS, row]);
    await assert.rejects(importTable(options), { message });
  }
  const chat = await open();
  assert.deepEqual(await messagesOf(chat), []);
  assert.equal((await chat.as('ada@example.com').channels.list()).streams.length, 0);
});
