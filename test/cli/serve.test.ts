import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXIT } from '../../cli/failure.ts';
import { runCommand } from '../../cli/program.ts';
import { basic, send } from '../server/running.ts';
import { openMailbox } from '../support/mailbox.ts';
import { until } from '../support/until.ts';
import { organization } from './organization.ts';
import { terminal } from './terminals.ts';

/** The signals that `chatctl serve` handles. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

test('chatctl serve passes its options to the server and the chat, mails missed messages, and stops on SIGTERM', async (t) => {
  const { path } = await organization(t);
  const box = await openMailbox(t);
  const before = SIGNALS.flatMap((signal) => process.listeners(signal));
  /**
   * Signal handlers of the command. Browsers and servers of other tests in this process must not receive the signal.
   */
  const listeners = (signal: NodeJS.Signals) =>
    process.listeners(signal).filter((listener) => !before.includes(listener));
  let isStopped = false;
  const stop = () => {
    // A second signal would end this process.
    if (!isStopped) for (const listener of listeners('SIGTERM')) listener('SIGTERM');
    isStopped = true;
    return ended;
  };
  t.after(async () => {
    await stop();
    for (const signal of SIGNALS) for (const listener of listeners(signal)) process.off(signal, listener);
  });
  const printed: string[] = [];
  const options = [
    ...['--db', path, '--port', '0', '--prefix', '/chat', '--no-web', '--dev', '--rate-limit', 'off'],
    ...['--max-upload', '3', '--upload-quota', '7', '--trusted-origin', 'https://app.example.com'],
    ...['--no-link-previews', '--log-level', 'warn', '--json', '--smtp', box.url, '--mail-from', 'chat@example.com'],
  ];
  const ended = runCommand(['serve', ...options], { ...terminal(), out: (text) => printed.push(text) });
  const facts = await until('the server listens', () => printed.find((line) => line.startsWith('{"url"')));
  const { pathname, port } = new URL(JSON.parse(facts).url);
  assert.equal(pathname, '/chat');

  const { body } = await send(Number(port), 'POST', '/chat/api/v1/dev_fetch_api_key', {
    form: { username: 'ada@example.com' },
  });
  const { status, headers, ...registered } = await send(Number(port), 'POST', '/chat/api/v1/register', {
    auth: basic('ada@example.com', body.api_key),
    headers: { origin: 'https://app.example.com' },
    form: { fetch_event_types: '["realm"]' },
  });
  assert.equal(status, 200, registered.text);
  const { max_file_upload_size_mib, realm_upload_quota_mib, server_inline_url_embed_preview } = registered.body;
  assert.deepEqual([max_file_upload_size_mib, realm_upload_quota_mib], [3, 7]);
  assert.equal(server_inline_url_embed_preview, false);
  assert.equal(headers['access-control-allow-origin'], 'https://app.example.com');
  assert.equal(headers['x-ratelimit-limit'], undefined);
  assert.equal((await send(Number(port), 'GET', '/chat/')).status, 200, 'the start page, not the login page');

  const as = async (email: string) => {
    const form = { username: email };
    const { body } = await send(Number(port), 'POST', '/chat/api/v1/dev_fetch_api_key', { form });
    return (method: string, route: string, form: Record<string, string>) =>
      send(Number(port), method, `/chat/api/v1${route}`, { auth: basic(email, body.api_key), form });
  };
  const ada = await as('ada@example.com');
  const person = { email: 'dee@example.com', full_name: 'Dee' };
  const { user_id } = (await ada('POST', '/users', person)).body;
  const dee = await as(person.email);
  await dee('PATCH', '/settings', { email_notifications_batching_period_seconds: '1' });
  await ada('POST', '/messages', { type: 'direct', to: `[${user_id}]`, content: 'Are you there?' });
  const letter = await until('the e-mail about the missed message', () => box.letters[0]);
  assert.deepEqual([letter.to?.[0]?.address, letter.from?.name], [person.email, 'Ada']);
  assert.match(letter.text ?? '', /Are you there\?/);
  assert.equal(await stop(), EXIT.done);
});
