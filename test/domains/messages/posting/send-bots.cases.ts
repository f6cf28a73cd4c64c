import { type Case, cases } from '../../../world/case.ts';
import { CHANNELS } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';
import { posting } from './sending.ts';

const to = (to: number | string | ((world: World) => number | string)): Case['call'] => [
  'messages.send',
  (world) => ({ type: 'channel', to: typeof to === 'function' ? to(world) : to, topic: 'ghosts', content: 'Boo' }),
];

const notice = (content: string | RegExp) => ({
  type: 'message',
  message: { type: 'private', sender_email: 'notification-bot@zulip.com', content },
});

const missing = (name: string, address: Parameters<typeof to>[0], says: string | RegExp): Case => ({
  name: `H10: ${name}`,
  as: 'bot',
  call: to(address),
  refuses: {
    code: 'STREAM_DOES_NOT_EXIST',
    did: 'a part',
    data: (world) => {
      const given = typeof address === 'function' ? address(world) : address;
      return typeof given === 'number' ? { stream_id: given } : { stream: given };
    },
  },
  events: () => ({ hamlet: [notice(says)], cordelia: [], bot: [] }),
});

/** Notices to the owner of a bot. */
export const sendBotCases = cases('messages.send', [
  missing(
    'the owner of a bot gets a notice of an unknown channel',
    'Elsewhere',
    /^Your bot @_\*\*Clerk\|\d+\*\* tried .*\n```text\nElsewhere\n/,
  ),
  missing(
    'the owner of a bot gets a notice of an unknown channel ID',
    999,
    /to the channel with ID 999\.\nThe channel does not/,
  ),
  missing(
    'a channel name with backticks is escaped in the notice',
    '``` @**all**',
    /\n````text\n``` @\*\*all\*\*\n````\n/,
  ),
  missing('a long channel name is cut in the notice', 'x'.repeat(5000), /\nx{59}…\n/),
  missing(
    'the notice is the same for a hidden channel as for a missing one',
    CHANNELS.protected,
    /\nVault\n```\nThe channel does not exist, or/,
  ),
  missing(
    'a private channel without the bot and its owner is missing by its ID too',
    ({ channels }) => channels.protected,
    /\nThe channel does not exist, or the bot/,
  ),
  {
    name: 'H10: after one notice, the owner gets no other for five minutes',
    as: 'bot',
    given: (world) =>
      world
        .as('bot')
        .messages.send({ type: 'channel', to: 'Nowhere', topic: 'a', content: 'b' })
        .catch(() => 0),
    call: to('Elsewhere'),
    refuses: { code: 'STREAM_DOES_NOT_EXIST', data: { stream: 'Elsewhere' } },
    events: () => ({ hamlet: [] }),
  },
  {
    name: 'H10: after five minutes, the owner gets another notice',
    as: 'bot',
    given: async (world) => {
      await world
        .as('bot')
        .messages.send({ type: 'channel', to: 'Nowhere', topic: 'a', content: 'b' })
        .catch(() => 0);
      world.clock.advance({ minutes: 5 });
    },
    call: to('Elsewhere'),
    refuses: { code: 'STREAM_DOES_NOT_EXIST', data: { stream: 'Elsewhere' }, did: 'a part' },
    events: () => ({ hamlet: [notice(/Elsewhere/)] }),
  },
  {
    name: 'H10: a message of a user to an unknown channel sends no notice',
    as: 'hamlet',
    call: to('Elsewhere'),
    refuses: { code: 'STREAM_DOES_NOT_EXIST', data: { stream: 'Elsewhere' } },
    events: () => ({ hamlet: [], bot: [] }),
  },
  {
    name: 'H10: another refusal of a bot sends no notice',
    as: 'bot',
    call: posting('archived'),
    refuses: { code: 'BAD_REQUEST' },
    events: () => ({ hamlet: [] }),
  },
  {
    name: 'H10: the owner of a bot gets a notice of a channel without subscribers',
    as: 'bot',
    given: (world) =>
      world
        .as('owner')
        .subscriptions.remove({ subscriptions: [CHANNELS.quiet] })
        .catch(() => 0),
    call: posting('quiet'),
    events: () => ({ hamlet: [notice(/sent a message to #\*\*Norway\*\*\. This channel has no subscribers\.$/)] }),
  },
  {
    name: 'H10: a channel with subscribers sends no notice',
    as: 'bot',
    call: posting('public'),
    events: () => ({ hamlet: [{ type: 'message', message: { type: 'stream' } }] }),
  },
]);
