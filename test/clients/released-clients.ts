/**
 * `npm run test:clients`: released clients of Zulip start against a server, read, send and receive. They are installed
 * from PyPI and npm. Without Python, its tests are skipped by name.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { until } from '../support/until.ts';
import { FormClient } from './form-client.ts';
import { missing, nodePackages, PROGRAMS, pythonPackages, run } from './installed.ts';
import { ServerProcess } from './server-process.ts';

const ZULIP = 'zulip==0.9.1';
const ZULIP_BOTS = 'zulip-bots==0.9.1';
const ZULIP_TERM = 'zulip-term==0.7.0';
const ZULIP_JS = 'zulip-js@2.1.0';

const server = await ServerProcess.start({ after });
const folder = await mkdtemp(join(tmpdir(), 'parlance-released-'));
after(() => rm(folder, { recursive: true, force: true }));

const as = (name: string) => new FormClient({ url: server.url, ...server.account(name) });

async function zuliprc(name: string, { email, api_key }: { email: string; api_key: string }): Promise<string> {
  const file = join(folder, `${name}.zuliprc`);
  await writeFile(file, `[api]\nemail=${email}\nkey=${api_key}\nsite=${server.url}\n`, { mode: 0o600 });
  return file;
}

const skip = missing('python3');

test(`${ZULIP} from PyPI reads, sends, uploads and receives`, { skip }, async () => {
  const bin = await pythonPackages('zulip', ZULIP, ZULIP_BOTS);
  const config = await zuliprc('hamlet', server.account('hamlet'));
  await run(join(bin, 'python'), [join(PROGRAMS, 'zulip-client.py'), config]);
  await run(join(bin, 'zulip-send'), [
    '--config-file',
    config,
    '--stream',
    'Verona',
    '--subject',
    'shell',
    '-m',
    'Sent',
  ]);
  const { messages } = await as('iago').get('messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow: [] });
  assert.equal(messages.at(-1).content, '<p>Sent</p>');
});

test(`${ZULIP_BOTS} from PyPI runs a bot that responds`, { skip }, async (t) => {
  const bin = await pythonPackages('zulip', ZULIP, ZULIP_BOTS);
  const hamlet = as('hamlet');
  await hamlet.post('bots', { full_name: 'Greeter', short_name: 'greeter', bot_type: 1 });
  const { bots } = await hamlet.get('bots');
  const bot = bots.find(({ full_name }: { full_name: string }) => full_name === 'Greeter');
  const config = await zuliprc('greeter', { email: bot.username, api_key: bot.api_key });
  const running = spawn(join(bin, 'zulip-run-bot'), ['helloworld', '--config-file', config], { stdio: 'pipe' });
  const gone = once(running, 'exit');
  t.after(async () => {
    running.kill('SIGKILL');
    await gone;
  });
  let said = '';
  for (const stream of [running.stdout, running.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  await until('the bot listens', () => /starting message handling/.test(said) || running.exitCode !== null);
  assert.equal(running.exitCode, null, said);
  const answers = async () => {
    const narrow = [['dm', [bot.user_id]]];
    const { messages } = await hamlet.get('messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow });
    return messages.filter((message: { sender_id: number }) => message.sender_id === bot.user_id);
  };
  // It prints that it listens before it registers a queue, so the first message can be too early.
  const greet = async () => {
    await hamlet.post('messages', { type: 'direct', to: [bot.user_id], content: 'hi' });
    return (await answers()).length > 0;
  };
  await until('the bot has answered', greet, { every: 1_000 });
  assert.match((await answers())[0].content, /beep boop/);
});

test(`${ZULIP_TERM} from PyPI starts in a terminal, sends a message and shows a received one`, {
  skip,
}, async () => {
  const bin = await pythonPackages('zulip-term', ZULIP_TERM, 'pyte==0.8.2');
  const [own, other] = [await zuliprc('iago', server.account('iago')), await zuliprc('zoe', server.account('zoe'))];
  await run(join(bin, 'python'), [join(PROGRAMS, 'zulip-term.py'), join(bin, 'zulip-term'), own, other], {
    cwd: folder,
  });
});

test(`${ZULIP_JS} from npm reads, sends and receives`, async () => {
  const installed = await nodePackages('zulip-js', ZULIP_JS);
  const program = join(PROGRAMS, 'zulip-js.mjs');
  await run(process.execPath, [program, installed, await zuliprc('zoe', server.account('zoe'))]);
});
