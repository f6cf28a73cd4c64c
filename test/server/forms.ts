import assert from 'node:assert/strict';
import type { Running } from './running.ts';

/** How the reference server reads strings in a kind of parameter: as JSON, strictly, or as raw text. */
export interface Forms {
  accepted: readonly string[];
  refused?: readonly string[];
}

export const BOOLEAN: Forms = {
  accepted: ['true', 'false'],
  refused: ['True', '1', '"true"', '', 'yes', '[]', 'null'],
};
const NO_INTEGER = ['x', '', '"5"', '5.0', '5.5', 'true', '[5]', '{}', '1e2', '05', '٥'];
const NO_LIST = ['', '5', '"5"', '{}', 'null', '[null]', '["x"]', '[5.0]', '[true]', '[[5]]', '5,6', '[5'];
export const NO_STRINGS = ['', 'general', '"general"', '{}', 'null', '[1]', '[null]', '[["general"]]'];

export const integer = (...accepted: number[]): Forms => ({ accepted: accepted.map(String), refused: NO_INTEGER });
export const list = (...accepted: number[][]): Forms => ({
  accepted: accepted.map((ids) => JSON.stringify(ids)),
  refused: NO_LIST,
});
export const raw = (...accepted: string[]): Forms => ({ accepted });
export const oneOf = (...accepted: string[]): Forms => ({ accepted, refused: ['', 'unknown', '1', 'null', '[]'] });

/** An operation of the contract: the parameters of a working request, and the forms of each. */
export interface Entry {
  route: string;
  form: Record<string, string>;
  forms: Record<string, Forms>;
  /** Parameters that must be sent together with another, because they depend on it. */
  beside?: Record<string, Record<string, string>>;
}

export type Things = Awaited<ReturnType<typeof things>>;

/** The records that the requests name. */
export async function things({ chat, owner }: Running) {
  const session = chat.as(owner.user_id);
  const { user_id: mo } = await session.users.create({
    email: 'mo@example.com',
    full_name: 'Mo',
    password: 'a long one',
  });
  const { id: channel } = await session.channels.create({ name: 'general', subscribers: [owner.user_id, mo] });
  const { id: message } = await session.messages.send({ type: 'channel', to: channel, topic: 'a', content: 'a' });
  const { user_groups } = await session.userGroups.list();
  const members = user_groups.find(({ name }) => name === 'role:members')?.id ?? assert.fail();
  const moderators = user_groups.find(({ name }) => name === 'role:moderators')?.id ?? assert.fail();
  const made = { description: 'People', members: [owner.user_id] };
  const { group_id: group } = await session.userGroups.create({ name: 'crew', ...made });
  const { group_id: other } = await session.userGroups.create({ name: 'others', ...made });
  const later = { scheduled_delivery_timestamp: 4_102_444_800 };
  const scheduled = await session.scheduledMessages.create({
    type: 'channel',
    to: channel,
    topic: 'a',
    content: 'a',
    ...later,
  });
  const { id: filter } = await session.linkifiers.create({
    pattern: '#(?P<id>[0-9]+)',
    url_template: 'https://example.com/{id}',
  });
  const { id: field } = await session.profileFields.create({ name: 'Pet', field_type: 1 });
  const { channel_folder_id: folder } = await session.channelFolders.create({ name: 'plays' });
  const { saved_snippet_id: snippet } = await session.savedSnippets.create({ title: 'a', content: 'b' });
  const { ids } = await session.drafts.create({ drafts: [{ type: '', to: [], topic: '', content: 'a' }] });
  const bot = (await session.bots.create({ full_name: 'Clerk', short_name: 'clerk' })).user_id;
  const hook = { full_name: 'Hook', short_name: 'hook', bot_type: 3, payload_url: 'https://example.com/' } as const;
  const webhook = (await session.bots.create(hook)).user_id;
  await session.navigationViews.add({ fragment: 'inbox', is_pinned: true });
  await session.allowedDomains.add({ domain: 'example.com', allow_subdomains: false });
  const further = { folder, snippet, draft: ids[0] ?? assert.fail(), bot, webhook };
  return {
    ...further,
    mo,
    me: owner.user_id,
    channel,
    message,
    members,
    moderators,
    group,
    other,
    filter,
    field,
    ...scheduled,
  };
}

/** Refusals of the form of a parameter. Other refusals mean that it was read. */
const REFUSALS: readonly unknown[] = [
  'BAD_REQUEST',
  'REQUEST_VARIABLE_MISSING',
  'STREAM_DOES_NOT_EXIST',
  'INVITATION_FAILED',
  'BAD_NARROW',
];

/** Forms that the server wrongly accepts or wrongly refuses. */
export async function differences(server: Running, entries: readonly Entry[]): Promise<string[]> {
  const found: string[] = [];
  for (const { route, form, forms, beside = {} } of entries) {
    const [method = '', path = ''] = route.split(' ');
    // A dry run, so that each request finds the same state.
    const place = path === '/dev_fetch_api_key' ? `/api/v1${path}` : `/api/v1/dry_run${path}`;
    const codeOf = async (sent: Record<string, string>) => {
      const query = method === 'GET' ? `?${new URLSearchParams(sent)}` : '';
      const { status, body } = await server.send(method, place + query, method === 'GET' ? {} : { form: sent });
      return status === 200 ? 'success' : body.code;
    };
    const plain = await codeOf(form);
    if (REFUSALS.includes(plain)) found.push(`${route}: the plain request is refused with ${plain}`);
    for (const [name, { accepted, refused = [] }] of Object.entries(forms)) {
      for (const [texts, wanted] of [
        [accepted, false],
        [refused, true],
      ] as const) {
        for (const text of texts) {
          const code = await codeOf({ ...form, ...beside[name], [name]: text });
          if (REFUSALS.includes(code) !== wanted) found.push(`${route} ${name}=${text.slice(0, 60)}: ${code}`);
        }
      }
    }
  }
  return found;
}
