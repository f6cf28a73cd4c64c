import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { completionOf } from '../../cli/completion.ts';
import { EXIT } from '../../cli/failure.ts';
import { buildProgram } from '../../cli/program.ts';
import { organization, type Ran } from './organization.ts';
import { terminal } from './terminals.ts';

type Run = Awaited<ReturnType<typeof organization>>['run'];

const namesOf = async (run: Run, ...more: string[]) =>
  JSON.parse((await run('channels', 'list', '--include-all', '--json=name', ...more)).out)
    .map(({ name }: { name: string }) => name)
    .sort();

function isRefused({ exitCode, err }: Ran, message: RegExp): void {
  assert.equal(exitCode, EXIT.refused, err);
  assert.match(err, message);
}

test('F2: subscriptions add creates channels only with --create, and takes IDs', async (t) => {
  const { run } = await organization(t);
  await run('channels', 'create', 'general');
  const near = /There is no channel named "genral"\. Did you mean "general"\?\nAdd --create to create it\./;
  isRefused(await run('subscriptions', 'add', 'genral'), near);
  isRefused(await run('subscriptions', 'add', '--subscriptions', 'genral'), near);
  isRefused(await run('subscriptions', 'add', '[{"name":"genral","color":"#ff0000"}]'), near);
  isRefused(await run('subscriptions', 'add', 'genral', '--dry-run'), near);
  isRefused(await run('subscriptions', 'update', '--add', 'genral'), near);
  isRefused(await run('subscriptions', 'add', '4'), /There is no channel named "4"\.\nAdd --create/);
  assert.match((await run('subscriptions', 'add', 'genral', '--json')).err, /There is no channel named/);
  assert.deepEqual(await namesOf(run), ['general']);

  assert.equal((await run('subscriptions', 'add', '1')).out, 'Subscribed Ada to "general".\n');
  assert.equal((await run('subscriptions', 'remove', '1')).out, 'Unsubscribed from "general".\n');
  assert.equal((await run('subscriptions', 'update', '--add', '1')).out, 'Subscribed Ada to "general".\n');
  assert.equal((await run('subscriptions', 'update', '--delete', '1')).out, 'Unsubscribed from "general".\n');
  assert.equal(
    (await run('subscriptions', 'add', 'genral', '1', '--create')).out,
    'Created "genral".\nSubscribed Ada to "general", "genral".\n',
  );
  assert.deepEqual(await namesOf(run), ['general', 'genral']);
});

test('a number is the ID of a channel, or else its name', async (t) => {
  const { run } = await organization(t);
  for (const name of ['general', '2024', '1']) await run('channels', 'create', name);
  for (const channel of ['2024', '1'])
    assert.equal((await run('messages', 'send', '--to', channel, '--topic', 'lunch', '-m', 'Soup')).exitCode, 0);
  const topics = async (channel: string) => (await run('messages', 'list', '--channel', channel, '--json=content')).out;
  assert.match(await topics('2024'), /Soup/);
  assert.match(await topics('general'), /Soup/);
  assert.equal((await run('subscriptions', 'add', '2024')).out, 'Subscribed Ada to "2024".\n');
  assert.equal((await run('subscriptions', 'add', '1')).out, 'Subscribed Ada to "general".\n');
});

test('F2: channels, groups and users with a similar name are suggested for an unknown one', async (t) => {
  const { run } = await organization(t);
  await run('channels', 'create', 'general');
  await run('user-groups', 'create', 'support');
  isRefused(await run('channels', 'subscribers', 'generl'), /Did you mean "general"\?/);
  isRefused(await run('user-groups', 'members', 'suport'), /Did you mean "support"\?/);
  await run('users', 'create', 'benjamin@example.com', 'Ben');
  isRefused(await run('users', 'get', 'benjamim@example.com'), /Did you mean "benjamin@example.com"\?/);
  isRefused(await run('users', 'get', 'zoe@example.com'), /"zoe@example\.com"\.\n/);
  isRefused(await run('channels', 'subscribers', 'kitchen'), /^.*There is no channel named "kitchen"\.\n/);
});

test('F7: a private channel is managed by its name, by owners who are not in it and by its administrators', async (t) => {
  const { path, run } = await organization(t);
  await run('users', 'create', 'ben@example.com', 'Ben');
  await run('users', 'create', 'cleo@example.com', 'Cleo');
  await run('channels', 'create', 'board', '--invite-only', '--subscribers', 'ben@example.com', '--user', '5');
  const done = async (...words: string[]) => {
    const { exitCode, out, err } = await run(...words);
    assert.equal(exitCode, EXIT.done, `${words.join(' ')}: ${err}`);
    return out;
  };
  assert.equal(await done('channels', 'edit', 'board', '--description', 'x'), 'Changed "board": description.\n');
  await done('channels', 'get', 'board');
  await done('channels', 'subscribers', 'board');
  await done('subscriptions', 'get', 'ben@example.com', 'board');
  await done('channels', 'edit', 'board', '--can-administer-channel-group', 'ben@example.com');
  await done('channels', 'edit', 'board', '--description', 'y', '--user', 'ben@example.com');
  const completed = await completionOf(buildProgram(terminal()), ['--db', path, 'channels', 'get', 'bo']);
  assert.deepEqual(completed, [{ value: 'board', about: 'y' }]);
  // Hidden from other members, and not revealed by a suggestion.
  isRefused(
    await run('channels', 'get', 'bord', '--user', 'cleo@example.com'),
    /^.*There is no channel named "bord"\.\n/,
  );
  await done('channels', 'archive', 'board', '--yes');
});

test('a name of an active and an archived folder means the active one', async (t) => {
  const { run } = await organization(t);
  const edit = async (folder: string, ...change: string[]) => {
    const { exitCode, err } = await run('channel-folders', 'edit', folder, ...change);
    assert.equal(exitCode, EXIT.done, err);
  };
  const described = async () =>
    JSON.parse((await run('channel-folders', 'list', '--include-archived', '--json=id,description')).out);
  await run('channel-folders', 'create', 'Teams');
  await edit('Teams', '--is-archived');
  await run('channel-folders', 'create', 'Teams');
  await edit('Teams', '--description', 'active');
  assert.deepEqual(await described(), [
    { id: 1, description: '' },
    { id: 2, description: 'active' },
  ]);
  // The active folder comes first in the list now.
  await edit('2', '--is-archived');
  await edit('1', '--no-is-archived');
  await edit('Teams', '--description', 'back');
  assert.deepEqual(await described(), [
    { id: 1, description: 'back' },
    { id: 2, description: 'active' },
  ]);
});

test('the short name of a system group means a group of that name, if there is one', async (t) => {
  const { run } = await organization(t);
  const nameOf = async (group: string) =>
    JSON.parse((await run('user-groups', 'show', group, '--json')).out).name as string;
  assert.equal(await nameOf('moderators'), 'role:moderators');
  await run('user-groups', 'create', 'Moderators');
  assert.equal(await nameOf('moderators'), 'Moderators');
  assert.equal(await nameOf('role:moderators'), 'role:moderators');
});

test('F4: a name with a comma is accepted unquoted, in quotes and in a file', async (t) => {
  const { folder, run } = await organization(t);
  for (const name of ['sales, EMEA', 'general', 'lunch']) await run('channels', 'create', name);
  await run('user-groups', 'create', 'cooks, bakers');
  const invited = async (...channels: string[]) => {
    const link = await run('invites', 'link', ...channels.flatMap((names) => ['--channels', names]));
    assert.equal(link.exitCode, EXIT.done, link.err);
    const preview = await run('invites', 'preview', link.out.trim(), '--json=channels');
    return JSON.parse(preview.out).channels.sort();
  };
  assert.deepEqual(await invited('sales, EMEA'), ['sales, EMEA']);
  assert.deepEqual(await invited('"sales, EMEA",general'), ['general', 'sales, EMEA']);
  assert.deepEqual(await invited('general,lunch', 'sales, EMEA'), ['general', 'lunch', 'sales, EMEA']);
  assert.deepEqual(await invited('["sales, EMEA","lunch"]'), ['lunch', 'sales, EMEA']);
  await writeFile(join(folder, 'names'), '"sales, EMEA"\ngeneral\n');
  assert.deepEqual(await invited(`@${join(folder, 'names')}`), ['general', 'sales, EMEA']);
  isRefused(await run('invites', 'link', '--channels', 'sales, APAC'), /There is no channel named "sales"/);

  const group = await run('channels', 'edit', 'general', '--can-send-message-group', 'cooks, bakers');
  assert.equal(group.exitCode, EXIT.done, group.err);
  const both = await run('channels', 'edit', 'lunch', '--can-send-message-group', '"cooks, bakers",ada@example.com');
  assert.equal(both.exitCode, EXIT.done, both.err);
  const added = await run('subscriptions', 'add', '--subscriptions', 'sales, EMEA');
  assert.equal(added.out, 'Subscribed Ada to "sales, EMEA".\n');
});

test('F4: a list of known names is a list, also if a channel has the whole text as its name', async (t) => {
  const { run } = await organization(t);
  for (const name of ['general', 'lunch', 'general,lunch']) await run('channels', 'create', name);
  const link = await run('invites', 'link', '--channels', 'general,lunch');
  const { channels } = JSON.parse((await run('invites', 'preview', link.out.trim(), '--json=channels')).out);
  assert.deepEqual(channels.sort(), ['general', 'lunch']);
});
