import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';

const reacted = ({ as, messages }: World) =>
  as('cordelia').messages.addReaction({ message_id: messages.ghost, emoji_name: 'yorick' });

const deactivates = (name: string, as: UserName): Case => ({
  name,
  as,
  given: reacted,
  call: ['customEmoji.deactivate', { emoji_name: 'yorick' }],
  returns: {},
  events: () => {
    const event = { type: 'realm_emoji', op: 'update', realm_emoji: { 1: { name: 'yorick', deactivated: true } } };
    return { hamlet: [event], guest: [event] };
  },
  state: async ({ as, messages }) => {
    const { rendered } = await as('hamlet').messages.render({ content: ':yorick:' });
    assert.equal(rendered, '<p>:yorick:</p>');
    const reaction = { message_id: messages.ghost, emoji_name: 'yorick' };
    await assert.rejects(as('hamlet').messages.addReaction(reaction), { code: 'BAD_REQUEST' });
    // A user who sees the emoji below the message can still add it.
    await as('hamlet').messages.addReaction({ ...reaction, emoji_code: '1', reaction_type: 'realm_emoji' });
  },
});

export const deactivateCustomEmojiCases = cases('customEmoji.deactivate', [
  deactivates('a user deactivates an emoji they added', 'hamlet'),
  deactivates('an administrator deactivates an emoji of another user', 'administrator'),
  {
    name: 'a member cannot deactivate an emoji of another user',
    as: 'moderator',
    call: ['customEmoji.deactivate', { emoji_name: 'yorick' }],
    refuses: { code: 'BAD_REQUEST', says: /administrators/ },
    events: () => ({ guest: [] }),
  },
  {
    name: 'an unknown emoji is refused',
    as: 'administrator',
    call: ['customEmoji.deactivate', { emoji_name: 'tada' }],
    refuses: { code: 'BAD_REQUEST', status: 404 },
  },
  {
    name: 'a deactivated emoji is refused',
    as: 'hamlet',
    call: ['customEmoji.deactivate', { emoji_name: 'jester' }],
    refuses: { code: 'BAD_REQUEST', status: 404 },
  },
]);
