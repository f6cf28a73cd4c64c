import { type Case, cases } from '../../../world/case.ts';
import { CHANNELS, type ChannelName, type UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';

const linksTo = (
  name: string,
  as: UserName,
  channel: ChannelName,
  topic: string,
  newest?: keyof World['messages'],
  given?: Case['given'],
): Case => ({
  name,
  as,
  ...(given ? { given } : {}),
  call: ['messages.render', { content: `#**${CHANNELS[channel]}>${topic}**` }],
  returns: ({ channels, messages }) => {
    const id = channels[channel];
    const place = `/#narrow/channel/${id}-${CHANNELS[channel]}/topic/${topic}`;
    const href = newest === undefined ? place : `${place}/with/${messages[newest]}`;
    const shown = `#${CHANNELS[channel]} &gt; ${topic}`;
    return { rendered: `<p><a class="stream-topic" data-stream-id="${id}" href="${href}">${shown}</a></p>` };
  },
});

export const renderMessageCases = cases('messages.render', [
  {
    name: 'Markdown is rendered like a message, and no event is sent',
    as: 'hamlet',
    call: ['messages.render', { content: 'Ay, *there* is the rub, @**Cordelia**' }],
    returns: ({ users }) => ({
      rendered: `<p>Ay, <em>there</em> is the rub, <span class="user-mention" data-user-id="${users.cordelia}">@Cordelia</span></p>`,
    }),
    events: () => ({ cordelia: [], hamlet: [] }),
  },
  {
    name: 'a link to a channel the caller cannot see stays text',
    as: 'hamlet',
    call: ['messages.render', { content: '#**Vault**' }],
    returns: { rendered: '<p>#<strong>Vault</strong></p>' },
  },
  linksTo('a link to a topic leads to its newest message', 'hamlet', 'public', 'GHOSTS', 'ghostReply'),
  linksTo('a topic without messages also has a link', 'hamlet', 'public', 'nothing'),
  linksTo('a topic link does not lead to a message the caller cannot read', 'owner', 'shared', 'plans'),
  linksTo(
    'in protected history, a topic link leads to the newest message received',
    'guest',
    'protected',
    'gold',
    'vaultAfter',
  ),
  linksTo(
    'in protected history, a topic link leads to no message from before the subscription',
    'newcomer',
    'protected',
    'gold',
    undefined,
    ({ as, users }) =>
      as('cordelia').subscriptions.add({ subscriptions: [{ name: CHANNELS.protected }], principals: [users.newcomer] }),
  ),
  {
    name: 'white space at the end of the content is kept within its block',
    as: 'hamlet',
    call: ['messages.render', { content: '\n\n- rub\n\nAy, there  \n\n' }],
    returns: { rendered: '<ul>\n<li>rub</li>\n</ul>\n<p>Ay, there  </p>' },
  },
  {
    name: 'blank content is rendered as an empty text',
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
