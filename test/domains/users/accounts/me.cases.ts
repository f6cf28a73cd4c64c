import { cases } from '../../../world/case.ts';

export const getMeCases = cases('users.me', [
  {
    name: 'the response is the account of the caller, with the newest message they received',
    as: 'cordelia',
    call: ['users.me'],
    returns: ({ users, emails, messages }) => ({
      user_id: users.cordelia,
      email: emails.cordelia,
      delivery_email: emails.cordelia,
      full_name: 'Cordelia',
      role: 400,
      is_bot: false,
      profile_data: {},
      max_message_id: messages.group,
    }),
  },
  {
    name: 'max_message_id is -1 for a user without messages',
    as: 'bot',
    call: ['users.me'],
    returns: { is_bot: true, max_message_id: -1 },
  },
  {
    name: 'a deactivated account is refused',
    as: 'deactivated',
    call: ['users.me'],
    refuses: { code: 'UNAUTHORIZED', status: 401, data: { reason: 'deactivated' } },
  },
]);
