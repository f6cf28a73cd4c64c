import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import { RESTRICTED } from '../../../world/fixture.ts';
import { assertMatches, isSince } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';

const reporting = (given: object, message: keyof World['messages'] = 'ghost'): Case['call'] => [
  'messages.report',
  ({ messages }) => ({ message_id: messages[message], ...given }),
];

/** Reports are posted in the private channel of Mona, which Hamlet has left. */
const toModerators = async (world: World) => {
  await world.as('hamlet').subscriptions.remove({ subscriptions: ['Council'] });
  await toCouncil(world);
};

const toCouncil = ({ storage, channels }: World) =>
  storage.write(async (tx) => {
    const { settings = {} } = (await tx.organization.get()) ?? {};
    await tx.organization.update({ settings: { ...settings, moderation_request_channel_id: channels.shared } });
  });

const refused = (name: string, given: object, says: RegExp, more: Partial<Case> = {}): Case => ({
  name: `B11: ${name}`,
  as: 'cordelia',
  given: toModerators,
  call: reporting(given),
  refuses: { code: 'BAD_REQUEST', says },
  ...more,
});

const open = async ({ as }: World) => (await as('owner').reports.list()).reports;

/** Cordelia's report is stored, and the bot posts nothing. */
const unposted = (name: string, given: Case['given'] & object): Case => ({
  name,
  as: 'cordelia',
  given,
  call: reporting(SPAM),
  events: () => ({ moderator: [] }),
  state: async (world) => assertMatches(await open(world), [{ report_type: 'spam' }]),
});

const SPAM = { report_type: 'spam' };

export const reportMessageCases = cases('messages.report', [
  {
    name: 'B11: a report is posted in the channel of the moderators',
    as: 'cordelia',
    given: toModerators,
    // The open fence must not swallow the message.
    call: reporting({ report_type: 'norms', description: 'Rude.\n````' }),
    events: ({ users, channels, messages }) => {
      const content = (text: unknown) => {
        assert.match(String(text), new RegExp(`^@_\\*\\*Cordelia\\|${users.cordelia}\\*\\* reported a message`));
        assert.ok(String(text).includes(`@_**Hamlet|${users.hamlet}**`));
        assert.ok(String(text).includes('\n> **Violates community norms**. Rude.\n> ````\n\n'));
        assert.ok(String(text).includes(`: #**Denmark>ghosts@${messages.ghost}**\n`));
        assert.match(String(text), /```spoiler Message\nSomething is \*\*rotten\*\* here\.\n```$/);
        return true;
      };
      const message = { stream_id: channels.shared, subject: 'Hamlet moderation', content };
      return { moderator: [{ type: 'message', message }], cordelia: [], owner: [] };
    },
  },
  ...(
    [
      ['direct', 'cordelia', 'a direct message'],
      ['council', 'moderator', 'a message in a private channel'],
    ] as const
  ).map(
    ([message, as, place]): Case => ({
      name: `B11: the report of ${place} shows moderators no channel, topic or participant`,
      as,
      given: toModerators,
      call: reporting(SPAM, message),
      events: ({ messages }) => {
        const content = (text: unknown) => {
          assert.ok(String(text).includes(`: ${place} (ID ${messages[message]})\n`), String(text));
          return true;
        };
        return { moderator: [{ type: 'message', message: { content } }] };
      },
    }),
  ),
  refused('a report of another reason needs a description', { report_type: 'other' }, /Describe/),
  refused('an unknown reason is refused', { report_type: 'boring' }, /report_type/),
  refused('a long description is refused', { ...SPAM, description: 'x'.repeat(1_001) }, /too long/),
  refused('a message that the reporter cannot read is refused as missing', SPAM, /no message with ID/, {
    call: reporting(SPAM, 'council'),
  }),
  unposted('a report without a channel for it is only stored', async () => {}),
  unposted('a report is only stored if the channel has become public', async (world) => {
    await toModerators(world);
    await world.storage.write((tx) => tx.channels.update(world.channels.shared, { invite_only: false }));
  }),
  unposted('a report is only stored if the sender can read the channel', toCouncil),
  unposted('a report is only stored after the channel was archived', async (world) => {
    await toModerators(world);
    await world.as('owner').channels.archive({ stream_id: world.channels.shared });
  }),
  {
    name: 'a message that the user has reported and that is not resolved is not reported twice',
    as: 'cordelia',
    given: async (world) => {
      await toModerators(world);
      await world.as('cordelia').messages.report({ message_id: world.messages.ghost, report_type: 'norms' });
    },
    call: reporting(SPAM),
    events: () => ({ moderator: [] }),
    state: async (world) => assertMatches(await open(world), [{ report_type: 'norms' }]),
  },
  {
    name: 'a resolved report can be made again',
    as: 'cordelia',
    given: async ({ as, messages }) => {
      await as('cordelia').messages.report({ message_id: messages.ghost, report_type: 'norms' });
      const { reports } = await as('moderator').reports.list();
      await as('moderator').reports.resolve({ report_id: reports[0]?.id ?? 0, outcome: 'Nothing to do.' });
    },
    call: reporting(SPAM),
    state: async (world) => assertMatches(await open(world), [{ report_type: 'spam' }]),
  },
  {
    name: 'a restricted guest reports a message of a member',
    as: 'guest',
    given: ({ settings }) => settings(RESTRICTED),
    call: reporting({ report_type: 'harassment', description: 'Threats.' }, 'harbour'),
    state: async (world) => {
      const { users, messages } = world;
      assertMatches(await open(world), [
        { message_id: messages.harbour, sender_id: users.hamlet, reporter_id: users.guest, description: 'Threats.' },
      ]);
    },
  },
  refused('more than 50 reports of a user in 24 hours are refused', SPAM, /at most 50/, {
    given: ({ storage, users, clock }) =>
      storage.write(async (tx) => {
        const given = { sender_id: users.hamlet, reporter_id: users.cordelia, report_type: 'spam', description: '' };
        for (let message_id = 1_001; message_id <= 1_050; message_id++) {
          const timestamp = Math.floor(clock.now() / 1000) - 3_600;
          await tx.reports.create({ ...given, message_id, content: 'x', timestamp });
        }
      }),
  }),
]);

const reported = ({ as, messages }: World) =>
  as('cordelia').messages.report({ message_id: messages.ghost, report_type: 'norms', description: 'Rude.' });

/** Cordelia reports a message of a bot of the moderator. */
const reportedBot = async ({ as, users }: World) => {
  await as('owner').bots.edit({ bot_id: users.bot, bot_owner_id: users.moderator });
  const { id } = await as('bot').messages.send({ type: 'direct', to: [users.cordelia], content: 'Psst' });
  await as('cordelia').messages.report({ message_id: id, report_type: 'spam' });
};

export const listReportsCases = cases('reports.list', [
  {
    name: 'a moderator reads what was reported, also of a direct message that has been edited and deleted since',
    as: 'moderator',
    given: async ({ as, users, storage }) => {
      const message = { type: 'direct', to: [users.cordelia], content: 'A foul word' } as const;
      const { id: message_id } = await as('hamlet').messages.send(message);
      await as('cordelia').messages.report({ message_id, report_type: 'norms', description: 'Rude.' });
      await as('hamlet').messages.edit({ message_id, content: 'Nothing' });
      await as('owner').users.deactivate({ user_id: users.hamlet });
      await storage.write((tx) => tx.messages.remove([message_id]));
    },
    call: ['reports.list'],
    returns: ({ users, clock }) => ({
      reports: [
        {
          ...{ sender_id: users.hamlet, reporter_id: users.cordelia },
          ...{ report_type: 'norms', description: 'Rude.', content: 'A foul word', timestamp: isSince(clock) },
          ...{ resolved_timestamp: null, resolver_id: null, outcome: null },
        },
      ],
      found_oldest: true,
    }),
  },
  {
    name: 'a moderator does not see reports of their own messages',
    as: 'moderator',
    given: async (world) => {
      const { id } = await world
        .as('moderator')
        .messages.send({ type: 'direct', to: [world.users.cordelia], content: 'Psst' });
      await world.as('cordelia').messages.report({ message_id: id, report_type: 'spam' });
      assert.equal((await world.as('owner').reports.list()).reports.length, 1);
    },
    call: ['reports.list'],
    returns: () => ({ reports: [], found_oldest: true }),
  },
  {
    name: 'a moderator does not see reports of messages of their bots',
    as: 'moderator',
    given: async (world) => {
      await reportedBot(world);
      assert.equal((await world.as('owner').reports.list()).reports.length, 1);
    },
    call: ['reports.list'],
    returns: () => ({ reports: [], found_oldest: true }),
  },
  {
    name: 'of 10,000 open reports, a page has the newest 100',
    as: 'administrator',
    given: ({ storage, users }) =>
      storage.write(async (tx) => {
        const given = { sender_id: users.hamlet, reporter_id: users.cordelia, report_type: 'spam', description: '' };
        for (let message_id = 1; message_id <= 10_000; message_id++)
          await tx.reports.create({ ...given, message_id, content: 'x', timestamp: 1 });
      }),
    call: ['reports.list', { before_id: 9_001 }],
    returns: () => ({ found_oldest: false }),
    state: async (_, { reports }) => {
      assert.deepEqual([reports.length, reports[0].id, reports[99].id], [100, 9_000, 8_901]);
    },
  },
  {
    name: 'a member cannot list reports',
    as: 'hamlet',
    given: reported,
    call: ['reports.list'],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL', says: /moderator/ },
  },
]);

const unknown = (name: string, as: 'moderator' | 'administrator', given: Case['given'], report_id = 1): Case => ({
  name,
  as,
  ...(given ? { given } : {}),
  call: ['reports.resolve', { report_id, outcome: 'Deleted the message.' }],
  refuses: { code: 'BAD_REQUEST', says: new RegExp(`no report with ID ${report_id}`) },
});

export const resolveReportCases = cases('reports.resolve', [
  {
    name: 'a resolved report leaves the open ones, keeps its outcome and is in the audit log',
    as: 'moderator',
    given: reported,
    call: ['reports.resolve', { report_id: 1, outcome: 'Deleted the message.' }],
    events: () => ({ cordelia: [], hamlet: [], moderator: [] }),
    state: async (world) => {
      const { as, users, storage, clock } = world;
      assert.deepEqual(await open(world), []);
      const { reports } = await as('owner').reports.list({ status: 'resolved' });
      assertMatches(reports, [
        { id: 1, outcome: 'Deleted the message.', resolver_id: users.moderator, resolved_timestamp: isSince(clock) },
      ]);
      const entries = await storage.read((tx) => tx.audit.list({ since: 0, action: 'reports.resolve', limit: 9 }));
      assertMatches(entries, [{ status: 200, details: { report_id: 1 } }]);
    },
  },
  {
    name: 'a report cannot be resolved twice',
    as: 'moderator',
    given: async (world) => {
      await reported(world);
      await world.as('owner').reports.resolve({ report_id: 1, outcome: 'Nothing to do.' });
    },
    call: ['reports.resolve', { report_id: 1, outcome: 'Deleted the message.' }],
    refuses: { code: 'BAD_REQUEST', says: /already resolved/ },
  },
  unknown('an unknown report is refused', 'administrator', undefined, 9_999),
  unknown('a report of an own message is refused as unknown', 'moderator', async (world) => {
    const { id } = await world
      .as('moderator')
      .messages.send({ type: 'direct', to: [world.users.cordelia], content: 'Psst' });
    await world.as('cordelia').messages.report({ message_id: id, report_type: 'spam' });
  }),
  unknown('a report of a message of an own bot is refused as unknown', 'moderator', reportedBot),
  {
    name: 'a member cannot resolve a report',
    as: 'cordelia',
    given: reported,
    call: ['reports.resolve', { report_id: 1, outcome: 'Mine.' }],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL', says: /moderator/ },
  },
]);
