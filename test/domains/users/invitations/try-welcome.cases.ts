import assert from 'node:assert/strict';
import { cases } from '../../../world/case.ts';

const trying = (welcome_message_custom_text?: unknown) =>
  ['invites.tryWelcome', welcome_message_custom_text === undefined ? {} : { welcome_message_custom_text }] as const;

export const tryWelcomeCases = cases('invites.tryWelcome', [
  {
    name: 'the welcome bot sends the text to the administrator alone',
    as: 'administrator',
    call: trying(' Be **welcome**. '),
    returns: { message_id: Number.isInteger },
    events: () => ({ administrator: [{ type: 'message', flags: [] }], owner: [], hamlet: [] }),
    state: async ({ as }, { message_id }) => {
      const { message } = await as('administrator').messages.get({ message_id });
      assert.deepEqual(
        [message.sender_full_name, message.type, message.content],
        ['Welcome Bot', 'private', '<p>Be <strong>welcome</strong>.</p>'],
      );
      await assert.rejects(as('owner').messages.get({ message_id }));
    },
  },
  {
    name: 'the welcome text of the organization does not change',
    as: 'owner',
    given: ({ settings }) => settings({ welcome_message_custom_text: 'Hello!' }),
    call: trying('Be welcome.'),
    state: async ({ as }) => {
      const state = await as('owner').register({ fetch_event_types: ['realm'] });
      assert.equal(state.realm_welcome_message_custom_text, 'Hello!');
    },
  },
  {
    name: 'a blank welcome text is refused',
    as: 'owner',
    call: trying(' \n'),
    refuses: { code: 'BAD_REQUEST', says: /empty/ },
  },
  {
    name: 'a welcome text of more than 8000 characters is refused',
    as: 'owner',
    call: trying('x'.repeat(8_001)),
    refuses: { code: 'BAD_REQUEST', says: /8000/ },
  },
  {
    name: 'welcome_message_custom_text is required',
    as: 'owner',
    call: trying(),
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'welcome_message_custom_text' } },
  },
  {
    name: 'a moderator is refused',
    as: 'moderator',
    call: trying('Be welcome.'),
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
    events: () => ({ moderator: [] }),
  },
]);
