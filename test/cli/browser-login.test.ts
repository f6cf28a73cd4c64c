import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { EXIT } from '../../cli/failure.ts';
import { running } from '../server/running.ts';

const CHATCTL = new URL('../../cli/chatctl.ts', import.meta.url).pathname;

/** `chatctl auth login --browser`, which gets the line that `answer` makes of the address that it prints. */
async function logIn(t: TestContext, url: string, answer: (address: string) => Promise<string>) {
  const home = await mkdtemp(join(tmpdir(), 'home-'));
  t.after(() => rm(home, { recursive: true, force: true }));
  const words = ['auth', 'login', '--browser', '--site', url, '--profile', 'mine'];
  const child = spawn(process.execPath, ['--import', 'tsx', CHATCTL, ...words], {
    env: { PATH: process.env.PATH, HOME: home },
  });
  let printed = '';
  for await (const text of child.stderr.iterator({ destroyOnReturn: false })) {
    printed += text;
    const [address] = /http\S+\n/.exec(printed) ?? [];
    if (address) {
      child.stdin.end(`${await answer(address.trim())}\n`);
      break;
    }
  }
  child.stderr.on('data', (text) => {
    printed += text;
  });
  child.stdout.resume();
  const [exitCode] = await once(child, 'close');
  const file = join(home, '.config/chatctl/mine.zuliprc');
  return { exitCode, printed, zuliprc: () => readFile(file, 'utf8') };
}

test('chatctl auth login --browser saves the key that a login in a browser shows, and refuses other lines', async (t) => {
  const { send, url, owner } = await running(t);
  const done = await logIn(t, url, async (address) => {
    const form = { email: owner.email, password: 'a long password' };
    const { text } = await send('POST', address.slice(url.length), { auth: null, form });
    return (/<pre id="link">([^<]*)</.exec(text)?.[1] ?? '').replaceAll('&#38;', '&');
  });
  assert.equal(done.exitCode, EXIT.done, done.printed);
  assert.match(await done.zuliprc(), new RegExp(`key ?= ?${owner.api_key}`));
  const wrong = await logIn(t, url, async () => 'zulip://login?email=ada@example.com');
  assert.equal(wrong.exitCode, EXIT.usage, wrong.printed);
});
