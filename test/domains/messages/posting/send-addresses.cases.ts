import assert from 'node:assert/strict';
import { cases } from '../../../world/case.ts';
import { found, posting, refused, sent, stores, writing } from './sending.ts';

/** `to` and `type`. Older clients send `stream` for `channel` and `private` for `direct`. */
export const sendAddressCases = cases('messages.send', [
  {
    name: 'a channel is addressed by its external ID',
    as: 'hamlet',
    given: ({ storage, channels }) => storage.write((tx) => tx.channels.update(channels.public, { external_id: 'd1' })),
    call: ['messages.send', { type: 'channel', to: 'external:d1', topic: 'ghosts', content: 'Who is there?' }],
    returns: { id: Number },
    events: ({ channels }) => ({ hamlet: [{ type: 'message', message: { stream_id: channels.public } }] }),
  },
  stores('a channel is addressed by its ID', posting('public'), {
    type: 'stream',
    display_recipient: 'Denmark',
    subject: 'ghosts',
  }),
  stores(
    'a channel is addressed by its name, without regard to case',
    ['messages.send', { type: 'channel', to: 'dENMARK', topic: 'x', content: 'y' }],
    {
      display_recipient: 'Denmark',
    },
  ),
  stores(
    'a channel is addressed by a list of one, as older clients do',
    ['messages.send', { type: 'stream', to: ['Denmark'], topic: 'x', content: 'y' }],
    {
      display_recipient: 'Denmark',
    },
  ),
  refused(
    'a channel message to two channels is refused',
    'hamlet',
    ['messages.send', { type: 'stream', to: ['Denmark', 'Norway'], topic: 'x', content: 'y' }],
    /exactly one/,
  ),
  {
    name: 'a channel that does not exist by ID is STREAM_DOES_NOT_EXIST with stream_id',
    as: 'hamlet',
    call: ['messages.send', { type: 'channel', to: 9999, topic: 'x', content: 'y' }],
    refuses: { code: 'STREAM_DOES_NOT_EXIST', data: { stream_id: 9999 } },
  },
  {
    name: 'a channel that does not exist by name is STREAM_DOES_NOT_EXIST with stream',
    as: 'hamlet',
    call: ['messages.send', { type: 'channel', to: 'Elba', topic: 'x', content: 'y' }],
    refuses: { code: 'STREAM_DOES_NOT_EXIST', data: { stream: 'Elba' } },
  },
  {
    name: 'recipients of a direct message are addressed by ID, in any order and with repetitions',
    as: 'hamlet',
    call: [
      'messages.send',
      ({ users }) => ({
        type: 'direct',
        to: [users.moderator, users.cordelia, users.cordelia, users.hamlet],
        content: 'y',
      }),
    ],
    state: async (world, { id }) => {
      const { users } = world;
      const { display_recipient, type } = await found(world, id);
      assert.equal(type, 'private');
      const ids = (display_recipient as { id: number }[]).map((one) => one.id);
      assert.deepEqual(ids, [users.moderator, users.hamlet, users.cordelia]);
    },
  },
  {
    name: 'recipients of a direct message are addressed by e-mail addresses separated by commas',
    as: 'hamlet',
    call: ['messages.send', { type: 'private', to: 'cordelia@example.com, moderator@example.com', content: 'y' }],
    returns: sent,
    events: () => ({ moderator: [{ type: 'message' }], cordelia: [{ type: 'message' }], newcomer: [] }),
  },
  {
    name: 'a hidden real address is refused as unknown',
    as: 'hamlet',
    given: (world) => world.storage.write((tx) => tx.users.update(world.users.cordelia, { email_visibility: 3 })),
    call: ['messages.send', { type: 'direct', to: ['cordelia@example.com'], content: 'y' }],
    refuses: { code: 'BAD_REQUEST', says: /cordelia/ },
  },
  {
    name: 'a user can send a direct message to themselves',
    as: 'hamlet',
    call: writing(['hamlet']),
    events: () => ({ hamlet: [{ type: 'message', message: { type: 'private' } }] }),
  },
  refused(
    'a direct message without a recipient is refused',
    'hamlet',
    ['messages.send', { type: 'direct', to: [], content: 'y' }],
    /recipient/,
  ),
  refused(
    'an unknown recipient is refused',
    'hamlet',
    ['messages.send', { type: 'direct', to: [9999], content: 'y' }],
    /9999/,
  ),
  refused('a deactivated recipient is refused', 'hamlet', writing(['deactivated']), /deactivated/),
  refused('an unknown type is refused', 'hamlet', posting('public', { type: 'letter' }), /type/),
  ...(['channel', 'stream'] as const).map((type) =>
    stores(`the type ${type} sends a channel message, which is shown as stream`, posting('public', { type }), {
      type: 'stream',
      display_recipient: 'Denmark',
    }),
  ),
  ...(['direct', 'private'] as const).map((type) =>
    stores(`the type ${type} sends a direct message, which is shown as private`, writing(['cordelia'], { type }), {
      type: 'private',
      subject: '',
    }),
  ),
  stores(
    'a channel is addressed by a list of one ID',
    ['messages.send', ({ channels }) => ({ type: 'channel', to: [channels.public], topic: 'x', content: 'y' })],
    { display_recipient: 'Denmark' },
  ),
  {
    name: 'recipients of a direct message are addressed by a list of e-mail addresses',
    as: 'hamlet',
    call: ['messages.send', { type: 'direct', to: ['CORDELIA@example.com', 'guest@example.com'], content: 'y' }],
    events: () => ({ cordelia: [{ type: 'message' }], guest: [{ type: 'message' }], newcomer: [] }),
  },
  {
    name: 'a placeholder address reaches its user',
    as: 'hamlet',
    given: (world) => world.storage.write((tx) => tx.users.update(world.users.cordelia, { email_visibility: 3 })),
    call: [
      'messages.send',
      ({ users }) => ({ type: 'direct', to: [`user${users.cordelia}@chat.example.com`], content: 'y' }),
    ],
    events: () => ({ cordelia: [{ type: 'message' }] }),
  },
  refused(
    'an unknown address is refused',
    'hamlet',
    ['messages.send', { type: 'direct', to: ['horatio@example.com'], content: 'y' }],
    /horatio/,
  ),
  refused(
    'one unknown recipient of several is refused, and the message is not sent',
    'hamlet',
    ['messages.send', ({ users }) => ({ type: 'direct', to: [users.cordelia, 9999], content: 'y' })],
    /9999/,
  ),
  {
    name: 'the same participants have one conversation, whatever the sender',
    as: 'moderator',
    call: writing(['cordelia', 'hamlet']),
    state: async (world, { id }) => {
      const [mine, theirs] = [await found(world, id), await found(world, world.messages.group)];
      assert.equal(mine.recipient_id, theirs.recipient_id);
    },
  },
]);
