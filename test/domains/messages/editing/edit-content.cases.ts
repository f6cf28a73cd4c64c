import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type Case, cases } from '../../../world/case.ts';
import { CHANNELS } from '../../../world/fixture.ts';
import { ABSENT } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';
import { editing, said } from './said.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const refused = (name: string, given: object, more: Partial<Case> = {}): Case => ({
  name,
  as: 'hamlet',
  given: said,
  call: editing(given),
  refuses: { code: 'BAD_REQUEST' },
  ...more,
});

const raw = async ({ as, kept }: World) =>
  (await as('hamlet').messages.get({ message_id: kept.id as number, apply_markdown: false })).message;

const leaves = (name: string, given: object, content: string, more: Partial<Case> = {}): Case => ({
  name,
  as: 'hamlet',
  given: said,
  call: editing(given),
  state: async (world) => assert.equal((await raw(world)).content, content),
  ...more,
});

const later = (seconds: number) => async (world: World) => {
  await said(world);
  world.clock.advance({ seconds });
};

/** Permissions and time limits for edits of content, and their results. */
export const editContentCases = cases('messages.edit', [
  refused("an owner cannot edit the content of another user's message", { content: 'two' }, { as: 'owner' }),
  refused("a recipient cannot edit the content of another user's message", { content: 'two' }, { as: 'cordelia' }),
  refused(
    "a user cannot edit the content of their bot's message",
    { content: 'two' },
    {
      given: async (world) => {
        const to = world.channels.public;
        world.kept.id = (
          await world.as('bot').messages.send({ type: 'channel', to, topic: 'acts', content: 'one' })
        ).id;
      },
    },
  ),
  leaves('content can be edited for ten minutes', { content: 'two' }, 'two', { given: later(600) }),
  refused('content cannot be edited 20 seconds after the ten minutes', { content: 'two' }, { given: later(621) }),
  leaves('without a limit content can be edited at any time', { content: 'two' }, 'two', {
    given: async (world) => {
      await world.settings({ message_content_edit_limit_seconds: null });
      await later(86_400)(world);
    },
  }),
  refused(
    'content cannot be edited when the organization does not allow message editing',
    { content: 'two' },
    {
      given: async (world) => {
        await said(world);
        await world.settings({ allow_message_editing: false });
      },
    },
  ),
  leaves('empty content leaves "(deleted)"', { content: ' \n ' }, '(deleted)'),
  leaves('trailing white space and leading newlines of the content are removed', { content: '\n \n  two \n' }, '  two'),
  leaves(
    'content that is too long is cut with truncate',
    { content: 'x'.repeat(10_001), truncate: true },
    `${'x'.repeat(9_980)}\n[message truncated]`,
  ),
  leaves(
    'content that is too long is cut between code points',
    { content: '🎭'.repeat(10_001), truncate: true },
    `${'🎭'.repeat(9_980)}\n[message truncated]`,
  ),
  leaves('the length of content is counted in code points', { content: '🎭'.repeat(10_000) }, '🎭'.repeat(10_000)),
  refused('content that is too long is refused without truncate', { content: 'x'.repeat(10_001), truncate: false }),
  refused('content with NUL is refused', { content: 'a\0b' }),
  {
    name: 'last_edit_timestamp says when the content was edited',
    as: 'hamlet',
    given: later(60),
    call: editing({ content: 'two' }),
    state: async (world) => {
      const message = await raw(world);
      assert.equal(message.last_edit_timestamp, Math.floor(world.clock.now() / 1000));
      assert.equal(message.last_moved_timestamp, undefined);
    },
  },
  leaves(
    'content is edited when prev_content_sha256 matches the present content',
    { content: 'two', prev_content_sha256: sha256('one') },
    'two',
  ),
  refused(
    'an edit with another prev_content_sha256 is refused with EXPECTATION_MISMATCH',
    { content: 'two', prev_content_sha256: sha256('x') },
    { refuses: { code: 'EXPECTATION_MISMATCH' } },
  ),
  {
    name: 'H5: each reader gets the name of the channel and their own flags in the edit event',
    as: 'hamlet',
    given: async (world) => {
      await said(world);
      for (const flag of ['read', 'starred'] as const) {
        await world.as('cordelia').messages.updateFlags({ messages: [world.kept.id as number], op: 'add', flag });
      }
    },
    call: editing({ content: 'two' }),
    events: () => ({
      cordelia: [{ type: 'update_message', flags: ['read', 'starred'], stream_name: CHANNELS.public }],
      administrator: [{ type: 'update_message', flags: [] }],
    }),
  },
  {
    name: 'an edit removes the mentioned flag from users no longer mentioned and adds it to new ones',
    as: 'hamlet',
    given: async (world) => {
      const to = world.channels.public;
      const content = '@**Cordelia**';
      world.kept.id = (await world.as('hamlet').messages.send({ type: 'channel', to, topic: 'acts', content })).id;
    },
    call: editing({ content: '@**Adam Administrator**' }),
    events: () => ({
      cordelia: [{ type: 'update_message', flags: [] }],
      administrator: [{ type: 'update_message', flags: ['mentioned'] }],
    }),
  },
  refused('an edit that mentions a group without the permission is refused', { content: '@*role:members*' }),
  {
    name: 'the content of a direct message is edited, and its participants get the event',
    as: 'hamlet',
    given: async (world) => {
      const to = [world.users.cordelia];
      world.kept.id = (await world.as('hamlet').messages.send({ type: 'direct', to, content: 'dear' })).id;
    },
    call: editing({ content: 'dearest' }),
    events: () => ({ cordelia: [{ type: 'update_message', content: 'dearest', stream_name: ABSENT }], owner: [] }),
  },
]);
