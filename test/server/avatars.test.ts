import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { transportOf } from '../../lib/internal.ts';
import { identicon } from '../../lib/views/avatars.ts';
import { png } from '../world/pictures.ts';
import { basic, running } from './running.ts';

/** The bytes of a response. `send` reads it as text. */
async function pictureAt(url: string) {
  const answer = await fetch(url);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const { width, height, format } = await sharp(bytes).metadata();
  return { type: answer.headers.get('content-type'), width, height, format };
}

test('an uploaded avatar is served without login in two sizes, with immutable caching', async (t) => {
  const { send, chat, owner, url } = await running(t, { prefix: '/chat' });
  const { avatar_url } = await chat.as(owner.user_id).avatars.upload({ file: png });
  assert.match(avatar_url, /^\/chat\/user_avatars\/[0-9a-f]{40}\.png\?version=2$/);
  const { status, headers } = await send('GET', avatar_url, { auth: null });
  assert.equal(status, 200);
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.match(String(headers['cache-control']), /immutable/);
  assert.match(String(headers['content-security-policy']), /sandbox/);
  const site = new URL(url).origin;
  const small = await pictureAt(site + avatar_url);
  assert.deepEqual(small, { type: 'image/png', width: 100, height: 100, format: 'png' });
  const medium = await pictureAt(site + avatar_url.replace('.png', '-medium.png'));
  assert.deepEqual(medium, { type: 'image/png', width: 500, height: 500, format: 'png' });
  for (const other of ['/chat/user_avatars/', '/chat/user_avatars/x.png', `${avatar_url.replace('.png', '.pngx')}`]) {
    assert.equal((await send('GET', other, { auth: null })).status, 404, other);
  }
  await chat.as(owner.user_id).avatars.remove();
  assert.equal((await send('GET', avatar_url, { auth: null })).status, 404);
});

test('a generated avatar is served in two sizes, differs between users and stays the same', async (t) => {
  const { chat, owner, url } = await running(t, { prefix: '/chat' });
  const session = chat.as(owner.user_id);
  const ben = await session.users.create({ email: 'ben@example.com', full_name: 'Ben Ngo' });
  const addressOf = async (user_id: number) =>
    (await session.users.get({ user_id, client_gravatar: true })).user.avatar_url as string;
  const address = await addressOf(ben.user_id);
  assert.match(address, /^\/chat\/user_avatars\/generated\/[0-9a-f]{32}\.png\?version=1$/);
  assert.notEqual(await addressOf(owner.user_id), address);
  const site = new URL(url).origin;
  const small = await pictureAt(site + address);
  assert.deepEqual(small, { type: 'image/png', width: 100, height: 100, format: 'png' });
  const medium = await pictureAt(site + address.replace('.png', '-medium.png'));
  assert.deepEqual(medium, { type: 'image/png', width: 500, height: 500, format: 'png' });
  const bytes = async () => Buffer.from(await (await fetch(site + address)).arrayBuffer());
  assert.deepEqual(await bytes(), await bytes());
});

test('each generated avatar has two colours', async () => {
  for (const seed of ['00000000', '80001234', 'ffff0000', '0001ffff', 'a5a5a5a5']) {
    const { data, info } = await sharp(identicon(seed, 100)).raw().toBuffer({ resolveWithObject: true });
    const colours = new Set<string>();
    for (let at = 0; at < data.length; at += info.channels) colours.add(data.subarray(at, at + 3).join());
    assert.equal(colours.size, 2, seed);
  }
});

test('/avatar redirects to the avatar of a user by ID or address, in both sizes', async (t) => {
  const { send, chat, owner } = await running(t, { prefix: '/chat' });
  const { avatar_url } = await chat.as(owner.user_id).avatars.upload({ file: png });
  const medium = avatar_url.replace('.png', '-medium.png');
  const leads = async (path: string, to: string) => {
    const { status, headers } = await send('GET', `/chat/avatar/${path}`);
    assert.deepEqual([status, headers.location], [302, to], path);
  };
  await leads(String(owner.user_id), avatar_url);
  await leads(`${owner.user_id}?version=7`, avatar_url);
  await leads(`${owner.user_id}/medium`, medium);
  await leads(encodeURIComponent(owner.email), avatar_url);
  await leads(`${owner.email}/medium`, medium);
  await leads('99999', '/chat/static/unknown-user-avatar.png');
  await leads('nobody@example.com/medium', '/chat/static/unknown-user-avatar.png');
  await leads('%ff', '/chat/static/unknown-user-avatar.png');
  assert.equal((await send('GET', '/chat/avatar/')).status, 404);
  assert.equal((await send('GET', '/chat/avatar/7/large')).status, 404);
  assert.equal((await send('POST', '/chat/avatar/7')).status, 405);
});

test('/avatar redirects to Gravatar for an avatar at Gravatar', async (t) => {
  const { send, chat, owner } = await running(t);
  await chat.as(owner.user_id).organization.edit({ default_avatar_source: 'G' });
  const { user_id } = await chat.as(owner.user_id).users.create({ email: 'ben@example.com', full_name: 'Ben Ngo' });
  const { status, headers } = await send('GET', `/avatar/${user_id}/medium`);
  assert.equal(status, 302);
  assert.match(String(headers.location), /^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?.*&s=500$/);
});

test('/avatar redirects to the unknown avatar for users and addresses the caller cannot see', async (t) => {
  const { send, chat, owner } = await running(t);
  const admin = chat.as(owner.user_id);
  const { user_id } = await admin.users.create({ email: 'gus@example.com', full_name: 'Gus Guest', role: 600 });
  const guest = basic('gus@example.com', await chat.apiKeyOf(user_id));
  const { avatar_url } = await admin.avatars.upload({ file: png });
  const unknown = '/static/unknown-user-avatar.png';
  const location = async (path: string, auth: string | null) => (await send('GET', path, { auth })).headers.location;
  assert.equal(await location(`/avatar/${owner.user_id}`, guest), avatar_url);
  const groups = await admin.userGroups.list();
  const members = groups.user_groups.find(({ name }) => name === 'role:members')?.id as number;
  await admin.organization.edit({ can_access_all_users_group: { new: members } });
  assert.equal(await location(`/avatar/${owner.user_id}`, guest), unknown);
  assert.equal(await location(`/avatar/${owner.email}`, guest), unknown);
  assert.equal(await location('/avatar/99999', guest), unknown);
  assert.equal((await send('GET', `/avatar/${owner.user_id}`, { auth: null })).status, 401);
  assert.equal(
    (await send('GET', `/avatar/${owner.user_id}`, { auth: basic(owner.email, 'x'.repeat(32)) })).status,
    401,
  );
  await admin.organization.edit({ enable_spectator_access: true });
  assert.equal(await location(`/avatar/${owner.user_id}`, null), avatar_url);
  assert.equal(await location(`/avatar/${owner.email}`, null), unknown);
});

test('requests of /avatar count for the rate limit', async (t) => {
  const { send, owner } = await running(t, { rateLimits: { api_by_user: { max: 2, seconds: 60 } } });
  const statuses = [];
  for (let i = 0; i < 3; i++) statuses.push((await send('GET', `/avatar/${owner.user_id}`)).status);
  assert.deepEqual(statuses, [302, 302, 429]);
});

test('the prefix of the server is in avatar_url', async (t) => {
  const { chat, owner } = await running(t, { prefix: '/chat' });
  assert.equal(new URL(transportOf(chat).engine.options.baseUrl).pathname, '/chat');
  const { user } = await chat.as(owner.user_id).users.get({ user_id: owner.user_id });
  assert.match(String(user.avatar_url), /^\/chat\//);
});
