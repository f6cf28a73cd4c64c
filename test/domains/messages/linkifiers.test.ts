import assert from 'node:assert/strict';
import type { World } from '../../world/world.ts';
import { inWorlds, listening, message, say } from './in-worlds.ts';

const ISSUE = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://issues.example.com/{id}' };
const link = (id: number) => `<a href="https://issues.example.com/${id}">#${id}</a>`;

const post = (world: World, content: string, topic = 'acts') =>
  say(world, 'hamlet', world.channels.public, topic, content);
const create = (world: World, given = ISSUE) => world.as('owner').linkifiers.create(given);

inWorlds(
  'a new linkifier applies to messages sent, edited or rendered after it, not to earlier ones',
  async (world) => {
    const before = await post(world, 'see #1');
    await create(world);
    const after = await post(world, 'see #2');
    assert.equal((await message(world, 'cordelia', before)).content, '<p>see #1</p>');
    assert.equal((await message(world, 'cordelia', after)).content, `<p>see ${link(2)}</p>`);
    assert.equal((await world.as('guest').messages.render({ content: '#3' })).rendered, `<p>${link(3)}</p>`);
    await world.as('hamlet').messages.edit({ message_id: before, content: 'see #4' });
    assert.equal((await message(world, 'cordelia', before)).content, `<p>see ${link(4)}</p>`);
  },
);

inWorlds('changes of linkifiers apply from the next message on', async (world) => {
  const { as } = world;
  const rendered = async () => (await as('hamlet').messages.render({ content: 'CARD-7' })).rendered;
  const { id: general } = await create(world, { pattern: '(?P<b>[A-Z]+)-7', url_template: 'https://a.example/{b}' });
  const { id: special } = await create(world, { pattern: 'CARD-(?P<n>[0-9]+)', url_template: 'https://b.example/{n}' });
  assert.equal(await rendered(), '<p><a href="https://a.example/CARD">CARD-7</a></p>');
  await as('owner').linkifiers.reorder({ ordered_linkifier_ids: [special, general] });
  assert.equal(await rendered(), '<p><a href="https://b.example/7">CARD-7</a></p>');
  await as('owner').linkifiers.edit({
    filter_id: special,
    pattern: 'CARD-(?P<n>[0-9]+)',
    url_template: 'https://c.example/{n}',
  });
  assert.equal(await rendered(), '<p><a href="https://c.example/7">CARD-7</a></p>');
  for (const filter_id of [special, general]) await as('owner').linkifiers.remove({ filter_id });
  assert.equal(await rendered(), '<p>CARD-7</p>');
});

inWorlds('linkifiers apply to descriptions of channels and folders', async (world) => {
  const { as } = world;
  await create(world);
  const { id: stream_id } = await as('owner').channels.create({
    name: 'bugs',
    description: 'like #1',
    subscribers: [],
  });
  const description = async () => (await as('owner').channels.get({ stream_id })).stream.rendered_description;
  assert.equal(await description(), `<p>like ${link(1)}</p>`);
  await as('owner').channels.edit({ stream_id, description: 'like #2' });
  assert.equal(await description(), `<p>like ${link(2)}</p>`);
  await as('owner').channelFolders.create({ name: 'work', description: 'see #3' });
  const { channel_folders } = await as('owner').channelFolders.list();
  assert.equal(channel_folders.find(({ name }) => name === 'work')?.rendered_description, `<p>see ${link(3)}</p>`);
});

inWorlds('linkifiers give topic_links in messages, message events and move events', async (world) => {
  const { as, channels } = world;
  await create(world);
  const heard = await listening(world, ['cordelia']);
  const id = await post(world, 'x', 'fix #12, see example.com/x!');
  const links = [
    { url: 'https://issues.example.com/12', text: '#12' },
    { url: 'https://example.com/x', text: 'example.com/x' },
  ];
  assert.deepEqual((await message(world, 'cordelia', id)).topic_links, links);
  await as('hamlet').messages.edit({ message_id: id, topic: 'fix #13', send_notification_to_new_thread: false });
  const moved = [{ url: 'https://issues.example.com/13', text: '#13' }];
  const [sent, edited] = await heard('cordelia');
  assert.deepEqual(sent.message.topic_links, links);
  assert.deepEqual(edited.topic_links, moved);
  const { messages } = await as('cordelia').messages.list({
    anchor: 'newest',
    num_before: 1,
    narrow: [{ operator: 'channel', operand: channels.public }],
  });
  assert.deepEqual(messages[0]?.topic_links, moved);
  const { id: direct } = await as('hamlet').messages.send({
    type: 'direct',
    to: [world.users.cordelia],
    content: '#1',
  });
  assert.deepEqual((await message(world, 'cordelia', direct)).topic_links, []);
});

inWorlds('linkifiers add no statement to sending and listing messages', async (world) => {
  const counted = world.storage as unknown as { statements: number };
  const statements = async () => {
    const id = await post(world, 'see #1', 'fix #1');
    await world.as('cordelia').messages.list({ message_ids: [id] });
    const before = counted.statements;
    const next = await post(world, 'see #2', 'fix #1');
    await world.as('cordelia').messages.list({ message_ids: [next] });
    return counted.statements - before;
  };
  const without = await statements();
  for (const pattern of ['a', 'b', ISSUE.pattern])
    await create(world, {
      ...ISSUE,
      pattern,
      url_template: pattern === ISSUE.pattern ? ISSUE.url_template : 'https://x',
    });
  assert.equal(await statements(), without);
});

inWorlds('clients without linkifier_url_template get no linkifiers from register or events', async (world) => {
  const { id } = await create(world);
  const types = ['realm_linkifiers', 'realm_filters'] as const;
  const register = (client_capabilities: Record<string, boolean>) =>
    world.as('hamlet').register({ event_types: types, client_capabilities });
  const modern = await register({ notification_settings_null: true, linkifier_url_template: true });
  const old = await register({ notification_settings_null: true });
  assert.deepEqual([modern.realm_linkifiers, modern.realm_filters], [[{ id, ...ISSUE }], []]);
  assert.deepEqual([old.realm_linkifiers, old.realm_filters], [[], []]);
  await world.as('owner').linkifiers.remove({ filter_id: id });
  const heard = async (queue_id: string) =>
    (await world.as('hamlet').events.list({ queue_id, last_event_id: -1, dont_block: true })).events.map(
      ({ type }) => type,
    );
  assert.deepEqual(await heard(modern.queue_id as string), ['realm_linkifiers']);
  assert.deepEqual(await heard(old.queue_id as string), []);
});
