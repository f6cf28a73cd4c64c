import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type Case, cases } from '../../../world/case.ts';
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

/** Whose content can be edited, for how long, and what becomes of it. */
export const editContentCases = cases('messages.edit', [
  refused('content of others cannot be edited, not even by an owner', { content: 'two' }, { as: 'owner' }),
  refused('content of others cannot be edited by those who received it', { content: 'two' }, { as: 'cordelia' }),
  refused(
    "the content of one's bot cannot be edited",
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
  refused('after ten minutes the content stays', { content: 'two' }, { given: later(601) }),
  leaves('without a limit content can be edited at any time', { content: 'two' }, 'two', {
    given: async (world) => {
      await world.settings({ message_content_edit_limit_seconds: null });
      await later(86_400)(world);
    },
  }),
  refused(
    'the organization may not let messages be edited at all',
    { content: 'two' },
    {
      given: async (world) => {
        await said(world);
        await world.settings({ allow_message_editing: false });
      },
    },
  ),
  leaves('an empty content leaves "(deleted)"', { content: ' \n ' }, '(deleted)'),
  leaves('trailing white space and leading newlines go', { content: '\n \n  two \n' }, '  two'),
  leaves(
    'a content too long is cut, not refused',
    { content: 'x'.repeat(10_001) },
    `${'x'.repeat(9_980)}\n[message truncated]`,
  ),
  leaves(
    'a content too long is cut between code points',
    { content: '🎭'.repeat(10_001) },
    `${'🎭'.repeat(9_980)}\n[message truncated]`,
  ),
  leaves('length is counted in code points', { content: '🎭'.repeat(10_000) }, '🎭'.repeat(10_000)),
  refused('a content with NUL is refused', { content: 'a\0b' }),
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
    'prev_content_sha256 of the present content lets it be edited',
    { content: 'two', prev_content_sha256: sha256('one') },
    'two',
  ),
  refused(
    'prev_content_sha256 of another content is refused with EXPECTATION_MISMATCH',
    { content: 'two', prev_content_sha256: sha256('x') },
    { refuses: { code: 'EXPECTATION_MISMATCH' } },
  ),
  {
    name: 'each reader is told their own flags of the edited message',
    as: 'hamlet',
    given: async (world) => {
      await said(world);
      for (const flag of ['read', 'starred']) {
        await world.as('cordelia').messages.updateFlags({ messages: [world.kept.id as number], op: 'add', flag });
      }
    },
    call: editing({ content: 'two' }),
    events: () => ({
      cordelia: [{ type: 'update_message', flags: ['read', 'starred'] }],
      administrator: [{ type: 'update_message', flags: [] }],
    }),
  },
  {
    name: 'an edit mentions anew: who is named no more loses the flag, who is named now has it',
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
  refused('a group that one may not mention is refused in an edit too', { content: '@*role:members*' }),
  {
    name: 'the content of a direct message can be edited, and those taking part are told',
    as: 'hamlet',
    given: async (world) => {
      const to = [world.users.cordelia];
      world.kept.id = (await world.as('hamlet').messages.send({ type: 'direct', to, content: 'dear' })).id;
    },
    call: editing({ content: 'dearest' }),
    events: () => ({ cordelia: [{ type: 'update_message', content: 'dearest' }], owner: [] }),
  },
]);
