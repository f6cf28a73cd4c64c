import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXIT } from '../../cli/failure.ts';
import { organization } from './organization.ts';

type Run = Awaited<ReturnType<typeof organization>>['run'];

async function isRefused(run: Run, words: readonly string[], message: RegExp, exitCode: number = EXIT.usage) {
  const ran = await run(...words);
  assert.match(ran.err, message, words.join(' '));
  assert.equal(ran.exitCode, exitCode, words.join(' '));
}

test('F6: an error about a value names the option or argument that was typed, and the accepted forms', async (t) => {
  const { run } = await organization(t);
  const send = ['invites', 'send', 'ben@example.com'];
  const forms = 'Accepted: minutes, or 90m, 12h, 7d, 2w, never\\.';
  await isRefused(run, [...send, '--expires', 'soon'], new RegExp(`--expires cannot be "soon"\\. ${forms}`));
  await isRefused(run, [...send, '--invite-expires-in-minutes=soon'], /: --invite-expires-in-minutes cannot be "soon"/);
  await isRefused(run, [...send, '--role', 'king'], /: --role must be one of owner, /);
  await isRefused(run, [...send, '--role', 'constructor'], /: --role must be one of owner, /);
  await isRefused(run, ['users', 'list', '--role', 'constructor'], /: --role must be one of owner, /);
  const bot = ['bots', 'create', '--full-name', 'Bot', '--short-name', 'bot', '--bot-type', 'constructor'];
  await isRefused(run, bot, /: --bot-type must be one of generic, /);
  await isRefused(run, ['messages', 'history', 'x'], /: MESSAGE_ID cannot be "x"\. Accepted: integer\./);
  await isRefused(run, ['messages', 'history', '--message-id', 'x'], /: --message-id cannot be "x"/);
  const limit = ['organization', 'edit', '--message-content-edit-limit-seconds', 'soon'];
  await isRefused(run, limit, /: --message-content-edit-limit-seconds must be a number of seconds/, EXIT.refused);
  await isRefused(run, ['messages', 'list', '--narrow', '[x'], /: --narrow cannot be "\[x"\. Accepted: /);
  await isRefused(run, ['reminders', 'create', '1', '--at', 'soon'], /: --at is not a valid time/);
  const long = ['reminders', 'create', '1', '--scheduled-delivery-timestamp', 'soon'];
  await isRefused(run, long, /: --scheduled-delivery-timestamp is not a valid time/);
  const limits = ['messages', 'list', '--num-before', `1${'x'.repeat(10_000)}`];
  await isRefused(run, limits, /--num-before cannot be "1x{58}…"/);
});

test('F6: a refusal of the operation names the option too, but not with --json', async (t) => {
  const { run } = await organization(t);
  await isRefused(
    run,
    ['messages', 'history', '--message-id=-1'],
    /: --message-id must not be negative\./,
    EXIT.refused,
  );
  const expired = ['invites', 'send', 'ben@example.com', '--expires', '0'];
  await isRefused(run, expired, /--expires/, EXIT.refused);
  const { err } = await run('messages', 'history', '--json', '--message-id=-1');
  assert.match(JSON.parse(err).msg, /^message_id must not be negative\.$/);
});

test('F10: a value after a boolean option is refused with the name of the option', async (t) => {
  const { run } = await organization(t);
  const create = ['channels', 'create', 'loud'];
  const announce = /: --announce takes no value "off"\. Use --announce for yes or --no-announce for no\./;
  await isRefused(run, [...create, '--announce', 'off'], announce);
  await isRefused(
    run,
    [...create, '--announce', '--invite-only', 'yes'],
    /: --invite-only takes no value "yes"\. Use --inv/,
  );
  await isRefused(run, ['organization', 'edit', '--allow-message-editing', 'on'], /: --allow-message-editing takes no/);
  await isRefused(run, ['subscriptions', 'add', 'general', '--announce', 'no'], /: --announce takes no value "no"/);
  await isRefused(run, [...create, '--no-announce', 'true'], /: --no-announce takes no value "true"/);
  await isRefused(
    run,
    ['channels', 'archive', 'loud', '--yes', 'yes'],
    /: --yes takes no value "yes"\. Omit the value\./,
  );
  assert.equal((await run(...create, '--announce=off', '--invite-only=on')).exitCode, EXIT.done);
  assert.equal((await run('channels', 'create', 'on')).exitCode, EXIT.done);
});

test('F10: the name of a user in --to is refused as an unknown channel, with advice', async (t) => {
  const { run } = await organization(t);
  await run('users', 'create', 'pat@example.com', "O'Brien, Pat");
  await run('channels', 'create', 'general', '--subscribers', 'ada@example.com');
  for (const words of [
    ['messages', 'send', '--to', "O'Brien, Pat", '-m', 'Hello'],
    ['messages', 'send', '--to', 'Pat', '-m', 'Hello'],
    ['scheduled-messages', 'create', '--to', "O'Brien, Pat", '--at', 'in 2 hours', '-m', 'Hello'],
    ['drafts', 'create', '--to', 'Pat', '-m', 'Hello'],
  ]) {
    await isRefused(run, words, /There is no channel named ".*Pat"\.\nFor a direct message, use e-mail/, EXIT.refused);
  }
  await isRefused(run, ['messages', 'send', '--to', 'genral', '-m', 'x'], /Did you mean "general"\?/, EXIT.refused);
});

test('F10: a scheduled direct message needs a topic to become a channel message', async (t) => {
  const { run } = await organization(t);
  await run('users', 'create', 'ben@example.com', 'Ben');
  await run('channels', 'create', 'general', '--subscribers', 'ada@example.com');
  await run('scheduled-messages', 'create', '--to', 'ben@example.com', '--at', 'in 2 hours', '-m', 'Hello');
  const edit = ['scheduled-messages', 'edit', '1', '--to', 'general'];
  await isRefused(run, edit, /This is a direct message\. To send it to a channel, also set the topic/, EXIT.refused);
  const edited = await run(...edit, '--topic', 'lunch');
  assert.match(edited.out, /^Changed scheduled message 1: to "general > lunch" on /, edited.err);
});

test('F10: commands on an archived channel say that it is archived, and push devices says what it omits', async (t) => {
  const { run } = await organization(t);
  await run('channels', 'create', 'general');
  await run('channels', 'archive', 'general', '--yes');
  assert.equal((await run('channels', 'archive', 'general', '--yes')).out, 'The channel "general" is archived.\n');
  await isRefused(
    run,
    ['subscriptions', 'get', 'ada@example.com', 'general'],
    /The channel "general" is archived\./,
    EXIT.refused,
  );
  assert.match((await run('push', 'devices')).out, /Devices added by their token are not listed\./);
});
