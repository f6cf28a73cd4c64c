import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';

const reporting = (given: object, message: keyof World['messages'] = 'ghost'): Case['call'] => [
  'messages.report',
  ({ messages }) => ({ message_id: messages[message], ...given }),
];

/** Reports are posted in the private channel of Mona and Hamlet. */
const toModerators = ({ storage, channels }: World) =>
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

const SPAM = { report_type: 'spam' };

export const reportMessageCases = cases('messages.report', [
  {
    name: 'B11: a report is posted in the channel of the moderators',
    as: 'cordelia',
    given: toModerators,
    call: reporting({ report_type: 'norms', description: 'Rude.' }),
    events: ({ users, channels, messages }) => {
      const content = (text: unknown) => {
        assert.match(String(text), new RegExp(`^@_\\*\\*Cordelia\\|${users.cordelia}\\*\\* reported a message`));
        assert.ok(String(text).includes(`@_**Hamlet|${users.hamlet}**`));
        assert.match(String(text), /```quote\n\*\*Violates community norms\*\*\. Rude\.\n```/);
        assert.ok(String(text).includes(`: #**Denmark>ghosts@${messages.ghost}**\n`));
        assert.match(String(text), /```spoiler Message\nSomething is \*\*rotten\*\* here\.\n```$/);
        return true;
      };
      const message = { stream_id: channels.shared, subject: 'Hamlet moderation', content };
      return { moderator: [{ type: 'message', message }], cordelia: [], owner: [] };
    },
  },
  {
    name: 'B11: a direct message can be reported by its recipient',
    as: 'hamlet',
    given: toModerators,
    call: reporting(SPAM, 'direct'),
    events: () => ({ moderator: [{ type: 'message' }] }),
  },
  refused('a report without a channel for it is refused', SPAM, /does not accept reports/, { given: async () => {} }),
  refused('a report of another reason needs a description', { report_type: 'other' }, /Describe/),
  refused('an unknown reason is refused', { report_type: 'boring' }, /report_type/),
  refused('a long description is refused', { ...SPAM, description: 'x'.repeat(1_001) }, /too long/),
  refused('a message that the reporter cannot read is refused as missing', SPAM, /no message with ID/, {
    call: reporting(SPAM, 'council'),
  }),
  refused('a report is refused if the channel has become public', SPAM, /does not accept reports/, {
    given: async (world) => {
      await toModerators(world);
      await world.storage.write((tx) => tx.channels.update(world.channels.shared, { invite_only: false }));
    },
  }),
  refused('a report is refused after the channel was archived', SPAM, /does not accept reports/, {
    given: async (world) => {
      await toModerators(world);
      await world.as('owner').channels.archive({ stream_id: world.channels.shared });
    },
  }),
]);
