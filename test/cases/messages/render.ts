import { cases } from '../../faces/case.ts';

export const renderMessageCases = cases('messages.render', [
  {
    name: 'Markdown becomes what a message would show, and nobody is told',
    as: 'hamlet',
    call: ['messages.render', { content: 'Ay, *there* is the rub, @**Cordelia**' }],
    returns: ({ users }) => ({
      rendered: `<p>Ay, <em>there</em> is the rub, <span class="user-mention" data-user-id="${users.cordelia}">@Cordelia</span></p>`,
    }),
    events: () => ({ cordelia: [], hamlet: [] }),
  },
  {
    name: 'a channel the caller may not know of stays text',
    as: 'hamlet',
    call: ['messages.render', { content: '#**Vault**' }],
    returns: { rendered: '<p>#<strong>Vault</strong></p>' },
  },
  {
    name: 'nothing is rendered as nothing',
    as: 'guest',
    call: ['messages.render', { content: ' ' }],
    returns: { rendered: '' },
  },
  {
    name: 'NUL characters are refused',
    as: 'hamlet',
    call: ['messages.render', { content: 'a\0b' }],
    refuses: { code: 'BAD_REQUEST' },
  },
]);
