import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { EXIT } from '../../cli/failure.ts';
import { organization } from './organization.ts';

const USERS = ['ben@example.com', 'cleo@example.com'];

async function staff(t: Parameters<typeof organization>[0]) {
  const { folder, run } = await organization(t);
  await run('users', 'create', 'ben@example.com', 'Ben, Ngo');
  await run('users', 'create', 'cleo@example.com', 'Cleo');
  const file = join(folder, 'users.txt');
  await writeFile(file, `${USERS.join('\n')}\n`);
  return { run, file };
}

test('F12: a dry run of a change of several users checks each and changes none', async (t) => {
  const { run, file } = await staff(t);
  const edit = ['users', 'edit', `@${file}`, '--role', 'moderator', '--dry-run'];
  const shown = await run(...edit);
  assert.equal(shown.exitCode, EXIT.done, shown.err);
  assert.match(shown.out, /^Dry run: nothing was changed\. The command would work for 2 of 2 users, and send:$/m);
  const { done, refused, events } = JSON.parse((await run(...edit, '--json')).out);
  assert.deepEqual([done, refused], [2, []]);
  const people = (events as { type: string; event: { person?: { user_id: number; role?: number } } }[]).flatMap(
    ({ type, event }) => (type === 'realm_user' && event.person?.role === 300 ? event.person.user_id : []),
  );
  assert.equal(new Set(people).size, 2);
  assert.deepEqual(JSON.parse((await run('users', 'list', '--role', 'moderator', '--json')).out).members, []);
});

test('F12: a dry run of several users names the users that would be refused', async (t) => {
  const { run } = await staff(t);
  const words = ['users', 'deactivate', 'ben@example.com', 'ada@example.com', '--dry-run'];
  const { exitCode, out, err } = await run(...words);
  assert.equal(exitCode, EXIT.refused);
  assert.match(err, /Ada <ada@example\.com>: .*owner/);
  assert.match(err, /1 of 2 would be refused/);
  assert.match(out, /would work for 1 of 2 users/);
  assert.equal(JSON.parse((await run('users', 'list', '--active', '--json')).out).members.length, 3);
});

test('F12: subscriptions remove prints which users left', async (t) => {
  const { run } = await staff(t);
  await run('channels', 'create', 'general', '--users', USERS.join(), '--no-announce');
  const remove = async (...words: string[]) => (await run('subscriptions', 'remove', 'general', ...words)).out.trim();
  assert.equal(await remove('--users', 'ben@example.com'), 'Unsubscribed Ben, Ngo from "general".');
  assert.equal(await remove('--users', 'ben@example.com'), 'Ben, Ngo was not subscribed to "general".');
  const both = 'Unsubscribed Ben, Ngo, Cleo from "general".\nNot all were subscribed to "general".';
  assert.equal(await remove('--users', USERS.join()), both);
  assert.equal(await remove(), 'Not subscribed to "general".');
});

test('F6: an empty required value is reported before a missing --yes, without the advice to omit it', async (t) => {
  const { run } = await staff(t);
  for (const words of [
    ['users', 'deactivate', ''],
    ['subscriptions', 'add', ''],
    ['subscriptions', 'remove', ' '],
    ['user-groups', 'members', 'add', 'staff', ''],
  ]) {
    const { exitCode, err } = await run(...words);
    assert.equal(exitCode, EXIT.usage, words.join(' '));
    assert.match(err, /^chatctl: (USER|CHANNEL|ADD) is empty\.\nGive at least one value\.$/m, words.join(' '));
  }
  const { err } = await run('messages', 'mark-read', '--message-ids', '');
  assert.doesNotMatch(err, /Omit it/);
});
