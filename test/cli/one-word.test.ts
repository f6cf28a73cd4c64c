import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from 'commander';
import { EXIT } from '../../cli/failure.ts';
import { fieldAt } from '../../cli/operations/command.ts';
import { buildProgram, metadata } from '../../cli/program.ts';
import { organization } from './organization.ts';
import { terminal } from './terminals.ts';

function all(at: Command, words: readonly string[] = []): [words: string, command: Command][] {
  const below = at.commands.flatMap((child) => all(child, [...words, child.name()]));
  return [[words.join(' '), at], ...below];
}

const commands = all(buildProgram(terminal()));

/** The visible options for a role, users or channels. Prefixes distinguish several. */
const WORDS: Readonly<Record<string, RegExp>> = {
  role: /^--role$/,
  users: /^--(users|to|add|delete)$/,
  channel: /^--((to-)?channel|moderation-request-channel-id|new-stream-announcements-stream-id)$/,
  channels: /^--channels$/,
};

test('F12: options for roles, users and channels have the same name in all commands', () => {
  const wrong = commands.flatMap(([words, command]) =>
    command.options.flatMap(({ long, hidden }) => {
      const field = long && !hidden ? fieldAt(command, long) : undefined;
      const word = WORDS[field?.parser ?? ''];
      return word === undefined || word.test(long ?? '') ? [] : [`${words} ${long}`];
    }),
  );
  assert.deepEqual(wrong, []);
});

test('F12: every command that removes something accepts --yes', () => {
  const taking = new Map([...metadata].filter(([, { confirm, undo }]) => confirm !== undefined || undo !== undefined));
  assert.ok(taking.size > 20);
  const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  for (const name of taking.keys()) {
    const found = commands.find(([words]) => words === name.split('.').map(kebab).join(' '));
    assert.ok(
      found?.[1].options.some(({ long }) => long === '--yes'),
      name,
    );
  }
});

/** Each after the commands that it needs. */
const REPEATED = [
  'subscriptions add general',
  'users deactivate ben@example.com --yes',
  'users reactivate ben@example.com',
  'muted-users add ben@example.com',
  'muted-users remove ben@example.com',
  'messages add-reaction 3 tada',
  'messages remove-reaction 3 tada',
  'user-topics mute general lunch',
  'user-topics mute general lunch --op remove',
  'user-topics follow general lunch',
  'alert-words add soup',
  'alert-words remove soup',
  'user-groups members add staff ben@example.com',
  'user-groups members remove staff ben@example.com',
  'default-channels add general',
  'default-channels remove general',
  'subscriptions remove general',
  'user-groups deactivate staff --yes',
  'user-groups reactivate staff',
  'channels archive general --yes',
  'channels unarchive general',
];

test('F12: repeating a finished action succeeds', async (t) => {
  const { run } = await organization(t);
  await run('users', 'create', 'ben@example.com', 'Ben');
  await run('channels', 'create', 'general', '--users', 'ada@example.com', '--no-announce');
  await run('user-groups', 'create', 'staff', '--users', 'ada@example.com');
  const { out } = await run('messages', 'send', '--to', 'general', '--topic', 'lunch', '-m', 'Soup', '--json=id');
  const id = String(JSON.parse(out).id);
  const wrong: string[] = [];
  for (const line of REPEATED) {
    const words = line.split(' ').map((word) => (word === '3' ? id : word));
    for (const time of ['first', 'second']) {
      const { exitCode, err } = await run(...words);
      if (exitCode !== EXIT.done) wrong.push(`${time} ${line}: ${exitCode} ${err}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('F12: members add adds only the users who are not members yet', async (t) => {
  const { run } = await organization(t);
  for (const name of ['ben', 'cleo']) await run('users', 'create', `${name}@example.com`, name);
  await run('user-groups', 'create', 'staff', '--users', 'ben@example.com');
  const { exitCode } = await run('user-groups', 'members', 'add', 'staff', 'ben@example.com', 'cleo@example.com');
  assert.equal(exitCode, EXIT.done);
  assert.equal(JSON.parse((await run('user-groups', 'members', 'staff', '--json')).out).members.length, 2);
});
