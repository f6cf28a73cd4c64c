/** What one customer can learn of another: named leaks, each with the requests that find it. */
import assert from 'node:assert/strict';
import type { Chat } from '../../lib/index.ts';
import { png } from '../world/pictures.ts';

export type Params = Readonly<Record<string, unknown>>;

interface Answer {
  status: number;
  text: string;
  /** Where a redirect leads. */
  location?: string | undefined;
}

/** Sends a request with the login of a page. `path` begins after the site. */
export type Fetch = (method: string, path: string, form?: URLSearchParams) => Promise<Answer>;

/** A chat, and the places of two customers who must not know of each other. */
export interface Site {
  chat: Chat;
  /** The place of the victim, and of the customer who looks for it. */
  room: { channel: number; topic: string };
  own: { channel: number; topic: string };
  /** User IDs. */
  victim: number;
  curious: number;
  agent: number;
  /** A word that the victim and the staff write. No other text of the site contains it. */
  secret: string;
  /** The page of the curious customer. */
  fetch: Fetch;
}

/** What only the victim and the staff may know. */
interface Secrets {
  name: string;
  address: string;
  channelName: string;
}

/** An ID that no record has, as long as the others are. */
const MISSING = 99;

/** What has happened before the leaks are looked for. */
interface Scene extends Site, Secrets {
  messages: { room: number; direct: number };
  /** Path of the victim's file. */
  file: string;
  /** Before all of it, the curious customer registered this queue. */
  queue: string;
  ask(route: string, params?: Params): Promise<Answer & { body: Record<string, unknown> }>;
}

/** Resolves to what was learned. Empty: nothing. */
type Probe = (scene: Scene) => Promise<string[]>;

const PREFIX = '/chat/api/v1';

function asking(fetch: Fetch): Scene['ask'] {
  return async (route, params = {}) => {
    const [method = '', path = ''] = route.split(' ');
    const fields = Object.entries(params).map(([key, value]): [string, string] => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const form = new URLSearchParams(fields);
    const answer = await (method === 'GET'
      ? fetch(method, `${PREFIX}${path}?${form}`)
      : fetch(method, PREFIX + path, form));
    let body = {};
    try {
      body = JSON.parse(answer.text);
    } catch {
      // An address that the browser refuses has no JSON.
    }
    return { ...answer, body };
  };
}

/** Everything that the victim and the agent do. */
async function play(site: Site): Promise<Scene> {
  const { chat, room, own, victim, agent, curious, secret, fetch } = site;
  const { user } = await chat.system().users.get({ user_id: victim });
  const { stream } = await chat.system().channels.get({ stream_id: room.channel });
  const ask = asking(fetch);
  const registered = await ask('POST /register', { client_gravatar: false, include_subscribers: true });
  assert.equal(registered.status, 200, registered.text);
  const asVictim = chat.as(victim);
  const asAgent = chat.as(agent);
  const to = { type: 'channel', to: room.channel, topic: room.topic } as const;
  const { url: file } = await asVictim.uploads.send({ file: new File([secret], `${secret}.txt`) });
  await asVictim.avatars.upload({ file: png });
  const { id } = await asVictim.messages.send({ ...to, content: `The ${secret} is late. [file](${file})` });
  await asVictim.messages.edit({ message_id: id, content: `The ${secret} is **very** late. [file](${file})` });
  await asAgent.messages.send({ ...to, content: `@**${user.full_name}** The ${secret} comes tomorrow.` });
  await asAgent.messages.addReaction({ message_id: id, emoji_name: 'tada' });
  const direct = await asAgent.messages.send({ type: 'direct', to: [victim], content: `${secret}, in private` });
  await asVictim.messages.send({ type: 'direct', to: [agent], content: `Thanks, ${secret}` });
  await asVictim.typing.send({ op: 'start', type: 'stream', stream_id: room.channel, topic: room.topic });
  await asVictim.presence.report({ status: 'active', ping_only: false, new_user_input: true });
  await asVictim.userStatus.set({ status_text: secret });
  await asAgent.messages.send({ type: 'channel', to: own.channel, topic: own.topic, content: 'Yours is here.' });
  assert.notEqual(victim, curious);
  return {
    ...site,
    ...{ name: user.full_name, address: user.delivery_email ?? '', channelName: stream.name },
    ...{ messages: { room: id, direct: direct.id }, file, queue: String(registered.body.queue_id), ask },
  };
}

const about = (text: string, at: number) => text.slice(Math.max(0, at - 40), at + 60);

/** Words in the text that the curious customer must not learn. */
function secretsIn(scene: Scene, text: string): string[] {
  const { name, address, room, own, channelName, secret: word } = scene;
  const isShared = room.channel === own.channel;
  const secret = [word, name, address, ...(isShared ? [room.topic] : [channelName])];
  return secret.flatMap((word) => (text.includes(word) ? [`${word} in ${about(text, text.indexOf(word))}`] : []));
}

/** Answers of reads contain nothing of the victim. Lists of users and groups contain IDs, without any other data. */
const reads =
  (...calls: (readonly [string, Params?])[]): Probe =>
  async (scene) => {
    const found: string[] = [];
    for (const [route, params] of calls) {
      const { text } = await scene.ask(route, params);
      found.push(...secretsIn(scene, text).map((one) => `${route} ${JSON.stringify(params ?? {})}: ${one}`));
    }
    return found;
  };

type Call = readonly [string, Params?];

/** A call about a hidden record answers like the same call about a missing one. */
async function compare(scene: Scene, hidden: Call, missing: Call, values: readonly unknown[]): Promise<string[]> {
  // One ID may begin with another.
  const longestFirst = values.map(String).sort((a, b) => b.length - a.length);
  const asked = async ([route, params]: Call) => {
    const { status, text } = await scene.ask(route, params).catch(() => ({ status: 0, text: '' }));
    let plain = text.replaceAll(/"(server_timestamp|latency)":[\d.]+/g, '');
    for (const value of longestFirst) plain = plain.replaceAll(value, '…');
    return `${status} ${plain}`;
  };
  const [one, other] = [await asked(hidden), await asked(missing)];
  return one === other ? [] : [`${hidden[0]}: ${one.slice(0, 150)} is not ${other.slice(0, 150)}`];
}

/** The call with the hidden value and with a missing one. */
const alike =
  (call: (value: never) => Call, hidden: (scene: Scene) => unknown, missing: unknown = MISSING): Probe =>
  (scene) => {
    const value = hidden(scene);
    return compare(scene, call(value as never), call(missing as never), [value, missing]);
  };

const both =
  (...probes: Probe[]): Probe =>
  async (scene) => {
    const found: string[] = [];
    for (const probe of probes) found.push(...(await probe(scene)));
    return found;
  };

const user = ({ victim }: Scene) => victim;
const address = (scene: Scene) => scene.address;
const message = ({ messages }: Scene) => messages.room;
const direct = ({ messages }: Scene) => messages.direct;
/** A topic of the own channel is hidden as its own text, not by the ID of the channel. */
const channel = ({ room }: Scene) => room.channel;
const channelName = (scene: Scene) => scene.channelName;
const NO_NAME = 'Order 71';
const NO_ADDRESS = 'bob@example.net';

const window = { anchor: 'newest', num_before: 100, num_after: 0 };
const listing = (narrow: unknown[]): Call => ['GET /messages', { ...window, narrow }];
const sending = (to: number | string): Call => ['POST /messages', { type: 'channel', to, topic: '', content: 'x' }];
const onlyOther =
  (probe: Probe): Probe =>
  // The curious customer may use a channel that both share.
  (scene) =>
    scene.room.channel === scene.own.channel ? Promise.resolve([]) : probe(scene);

export const LEAKS: Readonly<Record<string, Probe>> = {
  'list of users': reads(['GET /users', { client_gravatar: false }], ['GET /users/search', { query: 'ben' }]),
  users: both(
    alike((id: number) => [`GET /users/${id}`], user),
    alike((one: string) => [`GET /users/${one}`], address, NO_ADDRESS),
    alike((id: number) => [`POST /users/me/muted_users/${id}`], user),
    alike((id: number) => [`POST /users/me/blocked_users/${id}`], user),
    alike((id: number) => [`DELETE /users/me/blocked_users/${id}`], user),
  ),
  addresses: async (scene) => {
    const { text } = await scene.ask('GET /users', { client_gravatar: false });
    return text.includes(scene.address) ? [scene.address] : [];
  },
  channels: onlyOther(
    both(
      reads(
        ['GET /streams', { include_all: true, include_subscribed: true }],
        ['GET /streams', { include_public: true, include_web_public: true, include_default: true }],
        ['GET /streams/search', { query: 'order' }],
        ['GET /users/me/subscriptions', { include_subscribers: true }],
      ),
      alike((id: number) => [`GET /streams/${id}`], channel),
      alike((id: number) => [`GET /streams/${id}/email_address`], channel),
      alike((stream: string) => ['GET /get_stream_id', { stream }], channelName, NO_NAME),
      alike((name: string) => ['DELETE /users/me/subscriptions', { subscriptions: [name] }], channelName, NO_NAME),
      alike((id: number) => [`DELETE /streams/${id}`], channel),
      alike((id: number) => ['POST /user_topics', { stream_id: id, topic: '', visibility_policy: 3 }], channel),
    ),
  ),
  subscribers: async (scene) => {
    const { victim, room } = scene;
    const { body, text } = await scene.ask(`GET /streams/${room.channel}/members`);
    const named = (body.subscribers as number[] | undefined)?.includes(victim);
    const about = await alike((id: number) => [`GET /users/${id}/subscriptions/${scene.own.channel}`], user)(scene);
    return [...(named ? [text] : []), ...about];
  },
  topics: async (scene) => {
    const { room, own } = scene;
    if (room.channel !== own.channel) return alike((id: number) => [`GET /users/me/${id}/topics`], channel)(scene);
    const { text } = await scene.ask(`GET /users/me/${room.channel}/topics`);
    return secretsIn(scene, text);
  },
  messages: both(
    reads(listing([])),
    alike((id: number) => [`GET /messages/${id}`], message),
    alike((id: number) => [`GET /messages/${id}`], direct),
    alike((id: number) => [`POST /messages/${id}/reactions`, { emoji_name: 'tada' }], message),
    alike((id: number) => [`PATCH /messages/${id}`, { content: 'x' }], message),
    alike((id: number) => [`DELETE /messages/${id}`], message),
    alike((id: number) => ['POST /messages/flags', { messages: [id], op: 'add', flag: 'starred' }], message),
    alike((anchor: number) => ['GET /messages', { ...window, anchor, narrow: [['id', anchor]] }], message),
    onlyOther(alike((id: number) => listing([['channel', id]]), channel)),
    onlyOther(alike((name: string) => listing([['channel', name]]), channelName, NO_NAME)),
  ),
  search: both(
    (scene) => reads(listing([['search', scene.secret]]))(scene),
    alike((id: number) => listing([['sender', id]]), user),
    async (scene) => {
      const { room, direct } = scene.messages;
      const params = { msg_ids: [room, direct], narrow: [['search', scene.secret]] };
      return secretsIn(scene, (await scene.ask('GET /messages/matches_narrow', params)).text);
    },
  ),
  mentions: async (scene) => {
    const { name, victim, channelName, room, own } = scene;
    const content = `@**${name}** @**|${victim}** #**${channelName}** #**${channelName}>**`;
    const { text } = await scene.ask('POST /messages/render', { content });
    const ids = [
      `data-user-id=\\"${victim}\\"`,
      ...(room.channel === own.channel ? [] : [`data-stream-id=\\"${room.channel}\\"`]),
    ];
    return ids.filter((id) => text.includes(id));
  },
  'direct messages': both(
    reads(listing([['is', 'dm']])),
    alike((id: number) => ['POST /messages', { type: 'direct', to: [id], content: 'x' }], user),
    alike((one: string) => ['POST /messages', { type: 'direct', to: [one], content: 'x' }], address, NO_ADDRESS),
  ),
  typing: both(
    alike((id: number) => ['POST /typing', { op: 'start', type: 'direct', to: [id] }], user),
    onlyOther(
      alike((id: number) => ['POST /typing', { op: 'start', type: 'stream', stream_id: id, topic: '' }], channel),
    ),
    alike((id: number) => [`POST /messages/${id}/typing`, { op: 'start' }], message),
  ),
  presence: both(
    reads(['GET /realm/presence']),
    alike((id: number) => [`GET /users/${id}/presence`], user),
    alike((one: string) => [`GET /users/${one}/presence`], address, NO_ADDRESS),
    alike((id: number) => [`GET /users/${id}/status`], user),
  ),
  'read receipts': alike((id: number) => [`GET /messages/${id}/read_receipts`], message),
  files: async (scene) => {
    const { file, fetch } = scene;
    const unknown = file.replace(/[^/]+\/[^/]+$/, 'm2A3MSqFnWRLUf9SaPzQ0Up_/unknown.txt');
    const [got, absent] = [await fetch('GET', file), await fetch('GET', unknown)];
    const path = file.slice(file.indexOf('/user_uploads'));
    const missing = unknown.slice(unknown.indexOf('/user_uploads'));
    const links = await compare(scene, [`GET ${path}`], [`GET ${missing}`], []);
    const list = secretsIn(scene, (await scene.ask('GET /attachments')).text);
    const isSame = got.status === absent.status && got.text === absent.text;
    return [...(isSame ? [] : [`${got.status} ${got.text} is not ${absent.status} ${absent.text}`]), ...links, ...list];
  },
  'edit history': alike((id: number) => [`GET /messages/${id}/history`], message),
  events: async (scene) => {
    const params = { queue_id: scene.queue, last_event_id: -1, dont_block: true };
    const { text } = await scene.ask('GET /events', params);
    assert.ok(text.includes('Yours is here.'), 'the curious customer gets the own messages');
    const ids = new RegExp(`"(sender_id|acting_user_id|from_user_id)":${scene.victim}\\b`).exec(text)?.[0];
    return [...secretsIn(scene, text), ...(ids ? [ids] : [])];
  },
  register: reads(
    ['POST /register', { client_gravatar: false, include_subscribers: true, fetch_event_types: [] }],
    ['POST /register', { client_gravatar: false, include_subscribers: true }],
    // Members are IDs. Guests know that accounts exist, and how many.
    ['GET /user_groups', { include_deactivated_groups: true }],
    ['GET /drafts'],
    ['GET /users/me/alert_words'],
  ),
  why: both(
    onlyOther((scene) =>
      alike((to: number) => [`POST /why/${scene.curious}/messages`, sending(to)[1]], channel)(scene),
    ),
    (scene) =>
      alike(
        (id: number) => [`POST /why/${scene.curious}/messages/${id}/reactions`, { emoji_name: 'tada' }],
        message,
      )(scene),
  ),
  'dry runs': both(
    onlyOther(alike((to: number) => ['POST /dry_run/messages', sending(to)[1]], channel)),
    alike((id: number) => ['POST /dry_run/messages', { type: 'direct', to: [id], content: 'x' }], user),
  ),
  'error texts': onlyOther(
    both(
      alike((to: number) => sending(to), channel),
      alike((to: string) => sending(to), channelName, NO_NAME),
      alike((name: string) => ['POST /users/me/subscriptions', { subscriptions: [{ name }] }], channelName, NO_NAME),
    ),
  ),
  avatars: async ({ fetch, victim }) => {
    const of = async (id: number) => {
      const { location = '', status, text } = await fetch('GET', `/chat/avatar/${id}`);
      return location === '' ? `${status} ${text}` : location.replace(/[0-9a-f]{32}|\d+/g, '…');
    };
    const [one, other] = [await of(victim), await of(MISSING)];
    return one === other ? [] : [`${one} is not ${other}`];
  },
  'links of messages': async (scene) => {
    const { room, messages } = scene;
    const content = `[x](/#narrow/channel/${room.channel}/topic/x/near/${messages.room}) [y](${scene.file})`;
    const { text } = await scene.ask('POST /messages/render', { content });
    const near = await scene.ask(...listing([['near', messages.room]]));
    const along = await scene.ask(...listing([['with', messages.room]]));
    return [...(text.includes('message_inline') ? [text] : []), ...secretsIn(scene, near.text + along.text)];
  },
  'invitations and rooms': async (scene) => {
    const found: string[] = [];
    const params = {
      ...{ invitee_emails: 'x@example.net', stream_ids: [scene.own.channel] },
      ...{ external_id: 'order-17', name: 'x', members: [scene.curious] },
    };
    const rooms = ['POST /rooms/ensure', 'POST /rooms/close', 'GET /realm/audit'];
    for (const route of ['POST /invites', 'POST /invites/multiuse', 'GET /invites', ...rooms])
      if ((await scene.ask(route, params)).status === 200) found.push(route);
    return found;
  },
};

/** The leaks that the page of the curious customer has, with what it learned. */
export async function leaksOf(site: Site): Promise<Map<string, string[]>> {
  const scene = await play(site);
  const found = new Map<string, string[]>();
  // Reads come first: a probe that is not refused may change what the others find.
  const order = Object.entries(LEAKS).sort(([one], [other]) => Number(WRITES.has(one)) - Number(WRITES.has(other)));
  for (const [name, probe] of order) {
    const learned = await probe(scene);
    if (learned.length > 0) found.set(name, learned);
  }
  return found;
}

const WRITES: ReadonlySet<string> = new Set([
  'channels',
  'messages',
  'error texts',
  'direct messages',
  'users',
  'invitations and rooms',
]);
