import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Chat, openChat, sqlite } from '../../lib/index.ts';
import { serve } from '../../server/index.ts';
import { type CompiledChatctl, compileChatctl } from './compiled-chatctl.ts';

const DRIVER = fileURLToPath(new URL('./answer-questions.py', import.meta.url));
const PASSWORD = 'correct horse battery';

interface Outcome {
  shown: string;
  echo: boolean;
  canonical: boolean;
  exit: number;
}

type Step = [text: string, keys: string];

/** Ctrl-C, as the keyboard sends it. */
const INTERRUPT = '\u0003';
/** Ctrl-D. */
const END_OF_INPUT = '\u0004';

describe('chatctl prompts at a terminal', () => {
  let chatctl: CompiledChatctl;
  let folder: string;
  let chat: Chat;
  let server: Awaited<ReturnType<typeof serve>>;
  let key: string;
  before(async () => {
    chatctl = await compileChatctl();
    folder = await mkdtemp(join(tmpdir(), 'asked-'));
    chat = await openChat({ storage: sqlite(join(folder, 'chat.db')) });
    const owner = { email: 'ada@example.com', full_name: 'Ada', password: PASSWORD };
    ({ api_key: key } = await chat.createOrganization({ name: 'Example', owner }));
    server = await serve(chat, { port: 0 });
  });
  after(async () => {
    await server.close();
    await chat.close();
    await chatctl.remove();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs a command with these variables, and types keys when their text appears. */
  async function answered(args: string[], ...given: (Step | Record<string, string>)[]): Promise<Outcome> {
    const steps = given.filter((each) => Array.isArray(each));
    const env = Object.assign({}, ...given.filter((each) => !Array.isArray(each)));
    const child = spawn('python3', [DRIVER, 'chatctl', ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {
        PATH: `${chatctl.bin}:${process.env.PATH}`,
        HOME: folder,
        TERM: 'xterm',
        LANG: 'C.UTF-8',
        NO_COLOR: '1',
        ...env,
      },
    });
    child.stdin.end(JSON.stringify(steps));
    let printed = '';
    for await (const piece of child.stdout) printed += piece;
    return JSON.parse(printed);
  }

  const login = (...more: string[]) => ['auth', 'login', '--site', server.url, '--user', 'ada@example.com', ...more];
  const isSane = ({ echo, canonical }: Outcome) => assert.deepEqual([echo, canonical], [true, true]);

  it('login accepts an API key without echo and saves it', async () => {
    const outcome = await answered(login('--profile', 'key'), ['[p]', 'k\r'], ['API key?', `${key}\r`]);
    assert.match(outcome.shown, /Logged in to .* as Ada/);
    assert.doesNotMatch(outcome.shown, new RegExp(key));
    assert.match(await readFile(join(folder, '.config/chatctl/key.zuliprc'), 'utf8'), new RegExp(`^key=${key}$`, 'm'));
    assert.equal(outcome.exit, 0);
    isSane(outcome);
  });

  it('login accepts a password without echo', async () => {
    const outcome = await answered(login('--profile', 'word'), ['[p]', '\r'], ['Password?', `${PASSWORD}\r`]);
    assert.match(outcome.shown, /Logged in to/);
    assert.doesNotMatch(outcome.shown, /horse/);
    isSane(outcome);
  });

  it('a wrong API key or password is refused with advice and not saved', async () => {
    const wrong = await answered(login('--profile', 'no'), ['[p]', 'k\r'], ['API key?', `${'a'.repeat(32)}\r`]);
    assert.match(wrong.shown, /does not belong[\s\S]*Copy the API key from your account settings/);
    assert.equal(wrong.exit, 4);
    const forgotten = await answered(login('--profile', 'no'), ['[p]', 'p\r'], ['Password?', 'a guess\r']);
    assert.match(forgotten.shown, /password is wrong[\s\S]*chatctl passwords request-reset/);
    assert.equal(forgotten.exit, 4);
    await assert.rejects(readFile(join(folder, '.config/chatctl/no.zuliprc')), { code: 'ENOENT' });
  });

  it('Ctrl-C at a password prompt exits with 130 and restores the terminal', async () => {
    const outcome = await answered(login(), ['[p]', '\r'], ['Password?', `half a wo${INTERRUPT}`]);
    assert.doesNotMatch(outcome.shown, /half/);
    assert.equal(outcome.exit, 130);
    isSane(outcome);
  });

  it('Ctrl-D at a prompt prints an error on its own line', async () => {
    const outcome = await answered(login(), ['[p]', END_OF_INPUT]);
    assert.match(outcome.shown, /^chatctl: No answer was given\.\r?$/m);
    assert.equal(outcome.exit, 2);
    isSane(outcome);
  });

  it('a login that cannot be saved is refused before any prompt', async () => {
    await writeFile(join(folder, 'a-file'), '');
    const outcome = await answered(login(), { XDG_CONFIG_HOME: join(folder, 'a-file') });
    assert.match(
      outcome.shown,
      /Cannot save the login in .*a-file\/chatctl: there is no such file or folder\.\s+Choose another folder/,
    );
    assert.equal(outcome.exit, 1);
    // /proc refuses new folders with ENOENT.
    const nowhere = await answered(login(), { XDG_CONFIG_HOME: '/proc/nowhere/config' });
    assert.match(
      nowhere.shown,
      /Cannot save the login in \/proc\/nowhere\/config\/chatctl: [a-z ]+\.\s+Choose another/,
    );
    assert.equal(nowhere.exit, 1);
  });

  it('answering no to auth logout keeps the login', async () => {
    const kept = await answered(['auth', 'logout', 'key'], ['[y/N]', 'n\r']);
    assert.match(kept.shown, /Delete the login key \(ada@example\.com at .*\)\? \[y\/N\][\s\S]*Nothing was changed/);
    assert.equal(kept.exit, 1);
    assert.equal((await answered(['auth', 'logout', 'key'], ['[y/N]', 'y\r'])).exit, 0);
  });

  it('users erase shows what it removes before it asks, and changes nothing without a yes', async () => {
    const { user_id } = await chat.system().users.create({ email: 'cyd@example.com', full_name: 'Cyd Moss' });
    await chat.as(user_id).messages.send({ type: 'direct', to: [user_id], content: 'A note' });
    const args = ['users', 'erase', 'cyd@example.com', '--messages', 'delete', '--db', join(folder, 'chat.db')];
    const kept = await answered(args, ['[y/N]', 'n\r']);
    assert.match(kept.shown, /Messages deleted: 1\s[\s\S]*Erase Cyd Moss <cyd@example\.com> permanently\? \[y\/N\]/);
    assert.equal(kept.exit, 1);
    assert.equal((await chat.system().users.get({ user_id })).user.full_name, 'Cyd Moss');
    const erased = await answered(args, ['[y/N]', 'y\r']);
    assert.match(erased.shown, /Erased Cyd Moss <cyd@example\.com>, now "Deleted user \d+"/);
    assert.equal(erased.exit, 0);
    assert.equal((await chat.system().users.get({ user_id })).user.full_name, `Deleted user ${user_id}`);
  });

  it('an import shows its progress on one line, and Ctrl-C says how to continue', async () => {
    const lines = Array.from({ length: 3_000 }, (_, at) => `p${at}@example.com,Person ${at}`);
    const file = join(folder, 'people.csv');
    await writeFile(file, ['email,full_name', ...lines].join('\n'));
    const results = join(folder, 'results.csv');
    const args = ['users', 'import', file, '--db', join(folder, 'chat.db'), '--results', results];
    const stopped = await answered(args, ['1,000 of 3,000 accounts', INTERRUPT]);
    assert.match(stopped.shown, /Run the same command again to continue\./);
    assert.equal(stopped.exit, 130);
    const done = await answered(args);
    assert.match(done.shown, /Created \d+, \d+ existed, 0 failed\./);
    assert.equal(done.exit, 0);
  });
});
