import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { type Chat, type ImportOptions, localFiles, slackExport } from '../../lib/index.ts';
import { engines, testOn } from '../support/engines.ts';
import {
  chatOf,
  importedInto as importedFrom,
  messagesOf,
  newFolder,
  shown,
  written as writtenFile,
} from './imports.ts';
import { SLACK_EXPORT, tsOf } from './slack-export.ts';
import { type ZipEntry, zipFile } from './zip-file.ts';

const written = (entries: readonly ZipEntry[]) => writtenFile(zipFile(entries), '.zip');

const importedInto = (chat: Chat, path: string, options?: ImportOptions) =>
  importedFrom(chat, slackExport(path), options);

for (const engine of engines)
  describe(`an import of Slack on ${engine.name}`, () => {
    const onEngine = testOn(engine);

    onEngine('messages keep authors, times, topics, mentions and formatting', async (t) => {
      const chat = await chatOf(t, engine);
      const path = await written(SLACK_EXPORT);
      const { imported, rejected, losses, conflicts } = await importedInto(chat, path);
      assert.deepEqual(
        rejected.map(({ at }) => at),
        [
          'users.json, row 7',
          'unknown/2024-05-02.json',
          'general/2024-05-02.json, message 13',
          'general/2024-05-02.json, message 14',
          'secret/2024-05-03.json',
        ],
      );
      assert.deepEqual(losses, {
        'memberships of users that the export lacks': 1,
        'notices of Slack (channel_join)': 1,
        'messages that only one user saw': 1,
        'notices of Slack (huddle_thread)': 1,
        'files that Slack has deleted': 1,
        'files linked, not downloaded': 1,
        'reactions with unknown emoji, such as :party-parrot:': 1,
      });
      assert.deepEqual(conflicts, [
        'The account with ID 4 has the address "ada@example.com". The import uses it for "Ada".',
        'A channel with the name "General" exists. The imported channel gets the name "General 2".',
      ]);
      // Ada exists. Emil, the weather bot and the unknown author are not in the list of users.
      assert.deepEqual(imported, { user: 8, group: 1, channel: 4, emoji: 0, message: 17, reaction: 2, file: 0 });
      const ada = chat.as('ada@example.com');
      const general = await messagesOf(ada, [['channel', 'general']]);
      const ben = await chat.as('ben@example.com').users.me();
      const cleo = await chat.as('cleo@example.com').users.me();
      assert.deepEqual(shown(general), [
        `general > Ada: Hello @**Ben|${ben.user_id}** and @*cooks*, see #**old-plans** & **plan**`,
        'Where shall we meet for lunch on 2024-05-02? > Ben: Where shall we **meet** for lunch on <time:2024-05-02T09:00:00Z>?',
        `general > Ada: Thread: [here](/#narrow/channel/1-general/topic/Where.20shall.20we.20meet.20for.20lunch.20on.202024-05-02.3F/near/${general[1]?.id})`,
        'I agree > Cleo: I agree',
        'general > Weather: Rain',
        'general > Unknown user: By whom? [+49 30 1234](tel:+49301234), [ben@x.example](mailto:ben@x.example)',
        'general > Emil: I left',
        'general > Ada: [menu 1 .txt](https://files.example/F1/menu.txt)\n(deleted file: F2)',
        `general > Ada: Bring@**Cleo|${cleo.user_id}**\n* **bread**\n* :smile:\n\n\`\`\`\na :thumbsup: b\n\`\`\``,
        'Where shall we meet for lunch on 2024-05-02? > Ada: At noon',
        'Where shall we meet for lunch on 2024-05-02? (2024-05-03) > Ada: Where shall we meet for lunch on 2024-05-02?',
        'general > Ada: userslack/U2x \n```\n<@U2> code\n```',
      ]);
      assert.equal(general[0]?.timestamp, Number.parseInt(tsOf(0), 10));
      assert.equal(general[0]?.last_edit_timestamp, Number.parseInt(tsOf(1), 10));
      assert.deepEqual(
        general[0]?.reactions.map(({ emoji_name, user_id }) => `${emoji_name} ${user_id}`),
        [`+1 ${ben.user_id}`, `+1 ${cleo.user_id}`],
      );
    });

    onEngine('everything is read, or unread from a day on, and search finds it', async (t) => {
      const chat = await chatOf(t, engine);
      const path = await written(SLACK_EXPORT);
      const unreadOf = async (address: string) => {
        const { unread_msgs } = await chat
          .as(address)
          .register({ fetch_event_types: ['message', 'update_message_flags'] });
        return unread_msgs;
      };
      await importedInto(chat, path);
      assert.equal((await unreadOf('ben@example.com'))?.count, 0);
      const other = await chatOf(t, engine);
      await importedInto(other, path, { unreadSince: Date.UTC(2024, 4, 3) });
      const { unread_msgs } = await other
        .as('ben@example.com')
        .register({ fetch_event_types: ['message', 'update_message_flags'] });
      assert.equal(unread_msgs?.count, 3);
      const ben = chat.as('ben@example.com');
      assert.deepEqual(shown(await messagesOf(ben, [['search', 'noon']])).length, 1);
      assert.deepEqual(
        (await messagesOf(ben, [['is', 'mentioned']])).map(({ flags }) => flags),
        [['read', 'starred', 'mentioned']],
      );
      // Received, so not historical, and in the list of all messages.
      assert.ok((await messagesOf(ben)).every(({ flags }) => flags?.includes('read') && !flags.includes('historical')));
      assert.deepEqual(
        (await messagesOf(chat.as('cleo@example.com'), [['is', 'dm']])).map(({ content }) => content),
        ['All three'],
      );
      assert.equal((await messagesOf(chat.as('ada@example.com'), [['channel', 'old-plans']])).length, 1);
    });

    onEngine('what users write between two imports stays unread, and what these import is read', async (t) => {
      const chat = await chatOf(t, engine);
      const ben = () => chat.as('ben@example.com');
      const unread = async () => (await messagesOf(ben(), [['is', 'unread']])).map(({ content }) => content);
      await importedInto(chat, await written(SLACK_EXPORT.filter(({ name }) => !/05-03/.test(String(name)))));
      const ada = chat.as('ada@example.com');
      const topics = ['general', 'I agree', 'new'];
      for (const topic of topics) await ada.messages.send({ type: 'channel', to: 'general', topic, content: topic });
      await ada.messages.send({ type: 'direct', to: ['ben@example.com'], content: 'directly' });
      const read = await ada.messages.send({ type: 'channel', to: 'general', topic: 'new', content: 'read' });
      await ben().messages.updateFlags({ messages: [read.id], op: 'add', flag: 'read' });
      const { imported } = await importedInto(chat, await written(SLACK_EXPORT));
      assert.equal(imported.message, 3);
      assert.deepEqual(await unread(), [...topics, 'directly']);
    });

    onEngine('a repeated import adds only what is new', async (t) => {
      const chat = await chatOf(t, engine);
      const first = await importedInto(
        chat,
        await written(SLACK_EXPORT.filter(({ name }) => !/05-03/.test(String(name)))),
      );
      const again = await importedInto(chat, await written(SLACK_EXPORT));
      assert.equal(first.imported.message + again.imported.message, 17);
      assert.deepEqual(
        { ...again.imported, ...again.present, ...again.losses },
        {
          ...again.imported,
          user: 6,
          group: 1,
          channel: 4,
          emoji: 0,
          message: 14,
          reaction: 0,
          file: 0,
          ...again.losses,
        },
      );
      assert.equal(again.imported.user, 0);
      const third = await importedInto(chat, await written(SLACK_EXPORT));
      assert.equal(third.imported.message, 0);
      const general = await messagesOf(chat.as('ada@example.com'), [['channel', 'general']]);
      assert.equal(general.length, 12);
      assert.equal(
        general.filter(({ subject }) => subject === 'Where shall we meet for lunch on 2024-05-02?').length,
        2,
      );
    });
  });

test('a dry run changes nothing and counts as the import does', async (t) => {
  const chat = await chatOf(t);
  const path = await written(SLACK_EXPORT);
  const planned = await importedInto(chat, path, { dryRun: true });
  const { user_id } = await chat.as('ada@example.com').users.me();
  assert.equal((await chat.as(user_id).users.list()).members.filter(({ is_bot }) => !is_bot).length, 1);
  const done = await importedInto(chat, path);
  assert.deepEqual(planned.imported, done.imported);
  assert.deepEqual(planned.losses, done.losses);
  assert.deepEqual(planned.rejected, done.rejected);
  assert.deepEqual(planned.conflicts, done.conflicts);
});

test('an import invites each new account once, and sends no e-mail about messages', async (t) => {
  const emails: { to: string }[] = [];
  const mail = { send: async (email: { to: string }) => void emails.push(email), close: async () => undefined };
  const chat = await chatOf(t, engines[0], { mail });
  const path = await written(SLACK_EXPORT);
  assert.equal((await importedInto(chat, path, { invite: true })).invited, 2);
  assert.equal((await importedInto(chat, path, { invite: true })).invited, 0);
  await chat.runDue();
  assert.deepEqual(emails.map(({ to }) => to).sort(), ['ben@example.com', 'cleo@example.com']);
});

test('clients load their data again after an import', async (t) => {
  const chat = await chatOf(t);
  const ada = chat.as('ada@example.com');
  const { queue_id } = await ada.register();
  await importedInto(chat, await written(SLACK_EXPORT));
  await assert.rejects(ada.events.list({ queue_id, last_event_id: -1, dont_block: true }), {
    code: 'BAD_EVENT_QUEUE_ID',
  });
});

test('files are downloaded on request, and readers of the message can read them', async (t) => {
  const server = createServer((request, response) => {
    const isAllowed = request.url?.includes('?t=secret');
    response.writeHead(isAllowed ? 200 : 302, { location: '/login' }).end(isAllowed ? 'soup' : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as { port: number };
  const file = (id: string, query: string) => ({
    id,
    name: `${id}.txt`,
    mimetype: 'text/plain',
    url_private: `http://127.0.0.1:${port}/${id}${query}`,
  });
  const entries = [
    ...SLACK_EXPORT.filter(({ name }) => name !== 'D1/2024-05-02.json'),
    {
      name: 'D1/2024-05-02.json',
      content: JSON.stringify([
        { user: 'U2', ts: tsOf(3), text: 'Menu', files: [file('F8', '?t=secret'), file('F9', '?t=expired')] },
      ]),
    },
  ];
  const path = await written(entries);
  const isolated = await chatOf(t, engines[0], { files: localFiles(await newFolder()) });
  const refused = await importedInto(isolated, path, { download: true });
  assert.equal(refused.losses['files that could not be downloaded. The address is in a private network.'], 2);
  const options = {
    files: localFiles(await newFolder()),
    outgoingWebhooks: { allowPrivateAddresses: ['127.0.0.1'] },
  };
  const chat = await chatOf(t, engines[0], options);
  const { imported, losses } = await importedInto(chat, path, { download: true });
  assert.equal(imported.file, 1);
  assert.equal(losses['files that could not be downloaded. The server answered with status 302.'], 1);
  const [message] = await messagesOf(chat.as('ada@example.com'), [['dm', 'ben@example.com']]);
  const [, address = ''] =
    /\[F8\.txt\]\(\/user_uploads\/(.+?)\)/.exec(message?.content ?? '') ?? assert.fail(message?.content);
  const { content } = await chat.as('ada@example.com').download(`/user_uploads/${address}`);
  assert.equal(await text(content), 'soup');
  await assert.rejects(chat.as('cleo@example.com').download(`/user_uploads/${address}`));
});

describe('an archive is refused with the name of the entry', () => {
  const users = { name: 'users.json', content: '[]' };
  const CASES: Record<string, [entry: ZipEntry, message: RegExp]> = {
    'a path that leads out': [{ name: '../../etc/passwd' }, /"..\/..\/etc\/passwd" has a path outside/],
    'an absolute path': [{ name: '/etc/passwd' }, /"\/etc\/passwd" has a path outside/],
    'a path of Windows': [{ name: 'C:\\x\\y.json' }, /has a path outside/],
    'a symbolic link': [{ name: 'link.json', content: '/etc/passwd', mode: 0o120777 }, /"link.json" is a link/],
    'a name that is not UTF-8': [{ name: Buffer.from([0x67, 0xe9, 0x2e]) }, /"gé." is not UTF-8/],
    'an encrypted entry': [{ name: 'a.json', isEncrypted: true }, /"a.json" is encrypted/],
    'a declared size over the limit': [
      { name: 'channels.json', declaredSize: 2 ** 31 },
      /"channels.json" is too large/,
    ],
    'more bytes than declared': [
      { name: 'channels.json', content: '[]'.padEnd(1_000_000), declaredSize: 10 },
      /"channels.json" is damaged: too many bytes/,
    ],
    'content that is not UTF-8': [
      { name: 'channels.json', content: Buffer.from([0x5b, 0xff]) },
      /"channels.json" is not UTF-8/,
    ],
  };
  for (const [name, [entry, message]] of Object.entries(CASES))
    test(name, async (t) => {
      const chat = await chatOf(t);
      await assert.rejects(importedInto(chat, await written([users, entry])), { name: 'BadExport', message });
    });
});

test('an account with an unverified address reads no messages of the imported user with this address', async (t) => {
  const chat = await chatOf(t);
  const { invite_link } = await chat.as('ada@example.com').invites.createMultiuse({ stream_ids: [] });
  const key = invite_link.split('/').at(-2) ?? '';
  await chat
    .anonymous()
    .invites.accept({ key, email: 'ben@example.com', full_name: 'Mallory', password: 'of Mallory' });
  const { conflicts } = await importedInto(chat, await written(SLACK_EXPORT));
  assert.match(conflicts.join('\n'), /"ben@example.com", but it is not verified .* "Ben" gets a new account/);
  assert.deepEqual(await messagesOf(chat.as('ben@example.com')), []);
  const direct = await messagesOf(chat.as('ada@example.com'), [['is', 'dm']]);
  assert.equal(direct.find(({ content }) => content === 'Are you coming?')?.sender_full_name, 'Ben');
});
