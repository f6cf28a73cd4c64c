import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import { CHANNELS, type UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';
import { found, sent } from '../posting/sending.ts';
import { issueEvent } from './samples.ts';

type Given = Record<string, unknown>;

const call = (payload: unknown, more: Given | ((world: World) => Given) = {}): Case['call'] => [
  'webhooks.receive',
  (world) => ({
    format: 'slack_incoming',
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    ...(typeof more === 'function' ? more(world) : more),
  }),
];

const inDenmark = { channel: CHANNELS.public, topic: 'alerts' };

const stores = (name: string, params: Case['call'], fields: Given, reader: UserName = 'hamlet'): Case => ({
  name,
  as: 'webhook',
  call: params,
  returns: { ok: true, ...sent },
  state: async (world, { id }) => {
    const message = (await found(world, id, reader)) as unknown as Given;
    for (const [key, value] of Object.entries(fields)) assert.deepEqual(message[key], value, key);
  },
});

const refused = (name: string, params: Case['call'], says: RegExp, as: UserName = 'webhook'): Case => ({
  name,
  as,
  call: params,
  refuses: { code: 'BAD_REQUEST', says },
});

const sendsNothing = (name: string, params: Case['call']): Case => ({
  name,
  as: 'webhook',
  call: params,
  returns: { ok: true, id: undefined },
  events: () => ({ hamlet: [], cordelia: [] }),
});

const issue = (more: Given = {}) =>
  call(issueEvent('opened'), { ...inDenmark, format: 'github', event: 'issues', ...more });

export const receiveCases = cases('webhooks.receive', [
  stores('a webhook posts to a channel by its name', call({ text: 'Disk *full*' }, inDenmark), {
    subject: 'alerts',
    content: 'Disk **full**',
    sender_full_name: 'Hook',
  }),
  stores(
    'a webhook posts to a channel by its ID in the old parameter stream',
    call({ text: 'x' }, ({ channels }) => ({ stream: channels.public, topic: 'alerts' })),
    { display_recipient: CHANNELS.public },
  ),
  stores('without a channel, the owner of the bot gets a direct message', call({ text: 'x' }), { type: 'private' }),
  stores(
    'without a topic, the name that the program gives itself is the topic',
    call({ text: 'x', username: 'Build\nserver\u0007' }, { channel: CHANNELS.public }),
    { subject: 'Build server' },
  ),
  stores(
    'without any topic, the name of the bot is the topic',
    call('[1]', { channel: CHANNELS.public, format: 'json' }),
    {
      subject: 'Hook',
      content: '```json\n[\n  1\n]\n```',
    },
  ),
  stores(
    'a long topic is cut to 60 characters',
    call({ text: 'x' }, { channel: CHANNELS.public, topic: 't'.repeat(80) }),
    { subject: `${'t'.repeat(57)}...` },
  ),
  {
    ...stores(
      'mentions in the text of a webhook are silent',
      call({ text: '@**all** @*kitchen* @*all* @**Cordelia** <!channel> @\u0002**all** @\u0000**all**' }, inDenmark),
      { content: '@_**all** @_**kitchen** @_**all** @_**Cordelia** @channel @_**all** @\ufffd**all**' },
    ),
    events: () => ({
      hamlet: [{ type: 'message', flags: [] }],
      cordelia: [{ type: 'message', flags: [] }],
    }),
  },
  stores('characters that cannot be stored are replaced', call('{"text": "a\\u0000b\\ud800c"}', inDenmark), {
    content: 'a\ufffdb\ufffdc',
  }),
  {
    ...stores(
      'a text that is too long is cut to 10,000 characters',
      call('["x"]', { ...inDenmark, format: 'json' }),
      {},
    ),
    call: call({ text: '🧱'.repeat(20_000) }, inDenmark),
    state: async (world, { id }) => {
      const { content } = await found(world, id);
      assert.ok([...content].length <= 10_000, `${[...content].length} characters`);
    },
  },
  stores('an event of GitHub that a pattern names is sent', issue({ only_events: ['push', 'issue*'] }), {
    subject: 'alerts',
  }),
  stores(
    'a pattern may name the action of an event',
    issue({ only_events: ['*.opened'], exclude_events: ['*.[!o]*'] }),
    {
      subject: 'alerts',
    },
  ),
  sendsNothing('an event of GitHub that no pattern of only_events names is not sent', issue({ only_events: ['push'] })),
  sendsNothing(
    'an event of GitHub that exclude_events names is not sent',
    issue({ exclude_events: ['issues.open??'] }),
  ),
  sendsNothing('an unknown event of GitHub is not sent', issue({ event: 'star' })),
  refused('GitHub must name its event', issue({ event: undefined }), /X-GitHub-Event/),
  refused('a payload that is not JSON is refused', call('text=hello', inDenmark), /^payload must be JSON/),
  refused('a payload of another type is refused', call([1], inDenmark), /^payload must be a JSON object/),
  refused('a payload without text is refused', call({ text: ' ' }, inDenmark), /^payload needs a text/),
  refused(
    'a wrong field of a payload is named',
    call({ blocks: [{ type: 'divider' }, { type: 'section', text: { text: [] } }] }, inDenmark),
    /^payload\["blocks"\]\[1\]\["text"\]\["text"\] must be a text/,
  ),
  refused(
    'more blocks than Slack allows are refused',
    call({ blocks: Array.from({ length: 51 }, () => ({ type: 'divider' })) }, inDenmark),
    /^payload\["blocks"\] has too many elements \(limit: 50\)/,
  ),
  refused(
    'an unknown format is refused',
    call({ text: 'x' }, { ...inDenmark, format: 'xml' }),
    /^format must be one of/,
  ),
  refused('a topic that shows nothing is refused', call({ text: 'x' }, { ...inDenmark, topic: ' \u2800 ' }), /topic/),
  refused('a member cannot use a webhook', call({ text: 'x' }, inDenmark), /^Only an incoming-webhook bot/, 'hamlet'),
  refused('an owner cannot use a webhook', call({ text: 'x' }, inDenmark), /^Only an incoming-webhook bot/, 'owner'),
  refused('a generic bot cannot use a webhook', call({ text: 'x' }, inDenmark), /^Only an incoming-webhook bot/, 'bot'),
  {
    name: 'a channel by its ID and its old name at once is refused',
    as: 'webhook',
    call: call({ text: 'x' }, { channel: CHANNELS.public, stream: CHANNELS.public }),
    refuses: { code: 'REQUEST_CONFUSING_VAR', data: { var_name1: 'channel', var_name2: 'stream' } },
  },
  {
    name: 'the owner of the bot gets a notice of an unknown channel',
    as: 'webhook',
    call: call({ text: 'x' }, { channel: 'Elsewhere' }),
    refuses: { code: 'STREAM_DOES_NOT_EXIST', did: 'a part', data: { stream: 'Elsewhere' } },
    events: () => ({
      hamlet: [{ type: 'message', message: { sender_email: 'notification-bot@zulip.com' } }],
    }),
  },
  {
    name: 'a private channel without the bot and its owner is missing',
    as: 'webhook',
    call: call({ text: 'x' }, { channel: CHANNELS.protected }),
    refuses: { code: 'STREAM_DOES_NOT_EXIST', did: 'a part', data: { stream: CHANNELS.protected } },
  },
]);
