import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Session } from '../../lib/index.ts';
import { testChat } from '../../lib/testing/testing.ts';

let count = 0;
/** A text of this many code points, different each time. */
const text = (length: number) => {
  const start = String(++count);
  return start + '🎭'.repeat(length - start.length);
};
const word = (length: number) => `${++count}`.padEnd(length, 'x');

/** Calls with a text of limited length. */
const LIMITS: [max: number, what: string, call: (session: Session, length: number) => Promise<unknown>][] = [
  [40, 'name of the organization', (as, length) => as.organization.edit({ name: text(length) })],
  [1_000, 'description of the organization', (as, length) => as.organization.edit({ description: text(length) })],
  [8_000, 'welcome message', (as, length) => as.organization.edit({ welcome_message_custom_text: text(length) })],
  [60, 'name of a channel', (as, length) => as.channels.create({ name: text(length), subscribers: [] })],
  [
    1_024,
    'description of a channel',
    (as, length) => as.channels.create({ name: text(9), subscribers: [], description: text(length) }),
  ],
  [60, 'name of a folder', (as, length) => as.channelFolders.create({ name: text(length) })],
  [
    1_024,
    'description of a folder',
    (as, length) => as.channelFolders.create({ name: text(9), description: text(length) }),
  ],
  [100, 'name of a group', (as, length) => as.userGroups.create({ name: text(length), description: '', members: [] })],
  [
    1_024,
    'description of a group',
    (as, length) => as.userGroups.create({ name: text(9), description: text(length), members: [] }),
  ],
  [
    100,
    'name of an account',
    (as, length) => as.users.create({ email: `${word(5)}@example.com`, full_name: word(length) }),
  ],
  [
    254,
    'address of an account',
    (as, length) =>
      as.users.create({
        email: `${word(9)}@${'a.'.repeat(116)}`.padEnd(length - 3, 'b').concat('.de'),
        full_name: 'Name',
      }),
  ],
  [60, 'status', (as, length) => as.userStatus.set({ status_text: text(length) })],
  [100, 'alert word', (as, length) => as.alertWords.add({ alert_words: [text(length)] })],
  [60, 'title of a snippet', (as, length) => as.savedSnippets.create({ title: text(length), content: 'c' })],
  [10_000, 'content of a snippet', (as, length) => as.savedSnippets.create({ title: 't', content: text(length) })],
  [40, 'name of a profile field', (as, length) => as.profileFields.create({ name: text(length), field_type: 1 })],
  [
    80,
    'hint of a profile field',
    (as, length) => as.profileFields.create({ name: text(9), hint: text(length), field_type: 1 }),
  ],
  [
    1_000,
    'URL template',
    (as, length) =>
      as.linkifiers.create({
        pattern: `${word(9)}(?P<id>[0])`,
        url_template: `https://example.com/{id}${word(length - 24)}`,
      }),
  ],
  [
    100,
    'name of a playground',
    (as, length) =>
      as.playgrounds.create({
        name: text(length),
        pygments_language: 'Python',
        url_template: 'https://example.com/{code}',
      }),
  ],
  [
    40,
    'language of a playground',
    (as, length) =>
      as.playgrounds.create({
        name: text(9),
        pygments_language: word(length),
        url_template: 'https://example.com/{code}',
      }),
  ],
  [
    1_000,
    'description of a report',
    async (as, length) =>
      as.messages.report({ message_id: await reported(as), report_type: 'other', description: text(length) }),
  ],
  [60, 'topic', (as, length) => as.messages.send({ type: 'channel', to: 'topics', topic: text(length), content: 'c' })],
  [10_000, 'content', async (as, length) => as.messages.send({ ...(await toOneself(as)), content: text(length) })],
  [
    60,
    'topic of a move',
    async (as, length) => {
      const message_id = await inTopic(as);
      return as.messages.edit({ message_id, topic: text(length) });
    },
  ],
  [
    10_000,
    'content of an edit',
    async (as, length) => as.messages.edit({ message_id: await reported(as), content: text(length) }),
  ],
  [10_000, 'content to render', (as, length) => as.messages.render({ content: text(length) })],
  [
    10_000,
    'content of a scheduled message',
    async (as, length) =>
      as.scheduledMessages.create({
        ...(await toOneself(as)),
        content: text(length),
        scheduled_delivery_timestamp: 4_102_444_800,
      }),
  ],
  [
    10_000,
    'content of an edited scheduled message',
    async (as, length) => {
      const to = await toOneself(as);
      const scheduled_delivery_timestamp = 4_102_444_800;
      const scheduled = await as.scheduledMessages.create({ ...to, content: 'c', scheduled_delivery_timestamp });
      return as.scheduledMessages.edit({ ...scheduled, content: text(length) });
    },
  ],
  [
    10_000,
    'content of a draft',
    (as, length) => as.drafts.create({ drafts: [{ type: '', to: [], topic: '', content: text(length) }] }),
  ],
  [
    10_000,
    'content of an edited draft',
    async (as, length) => {
      const draft = { type: '', to: [], topic: '', content: 'c' } as const;
      const { ids } = await as.drafts.create({ drafts: [draft] });
      return as.drafts.edit({ draft_id: ids[0] as number, draft: { ...draft, content: text(length) } });
    },
  ],
  [500, 'key of a stored text', (as, length) => as.botStorage.set({ storage: { [text(length)]: 'v' } })],
];

async function toOneself(as: Session) {
  const { user_id } = await as.users.me();
  return { type: 'direct' as const, to: [user_id] };
}

const reported = async (as: Session) => (await as.messages.send({ ...(await toOneself(as)), content: 'c' })).id;

const inTopic = async (as: Session) =>
  (await as.messages.send({ type: 'channel', to: 'topics', topic: 'old', content: 'c' })).id;

test('each text parameter has its limit in code points', async (t) => {
  const { people, close } = await testChat();
  t.after(close);
  const { ada } = people;
  const { id: moderation_request_channel_id } = await ada.channels.create({
    name: 'reports',
    invite_only: true,
    subscribers: [],
  });
  await ada.organization.edit({ moderation_request_channel_id });
  await ada.channels.create({ name: 'topics', subscribers: [] });
  const problems: string[] = [];
  for (const [max, what, call] of LIMITS) {
    await call(ada, max).catch((error: Error) => problems.push(`${what}, ${max}: ${error.message}`));
    const longer = await call(ada, max + 1).then(
      () => 'accepted',
      ({ code }) => code,
    );
    if (longer === 'accepted' || longer === undefined) problems.push(`${what}, ${max + 1}: ${longer}`);
  }
  assert.deepEqual(problems, []);
});
