/**
 * The application of examples/next, built and served by Next as by a user of the package. Needs a build; the gate runs
 * it.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { launched, NO_BROWSER, watched } from '../client/pages.ts';
import { checkMounted } from '../examples/mounted.ts';
import { freePort } from '../support/free-port.ts';
import { installPackage } from './installing.ts';

const run = promisify(execFile);

/** The newest versions that run on the oldest supported Node. */
const NEXT = ['next@16', 'react@19', 'react-dom@19', 'typescript@~5.9', '@types/node@20', '@types/react@19'];

const UNREACHABLE =
  /\b(EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ENOTCACHED|ENOTFOUND|ERR_SOCKET_TIMEOUT|ETIMEDOUT)\b/;

test('a chat in Next accepts its login, forms, JSON, files and polls, and its page shows the panel', {
  timeout: 600_000,
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'next-'));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  try {
    await installPackage(folder, ...NEXT);
  } catch (error) {
    const [code] = UNREACHABLE.exec((error as { stderr?: string }).stderr ?? '') ?? [];
    if (!code) throw error;
    return t.skip(`Next cannot be installed: the registry of packages cannot be reached (${code})`);
  }
  await cp(join(folder, 'node_modules/parlance-chat/examples/next'), folder, { recursive: true });
  const compilers = (await readdir(join(folder, 'node_modules/@next'))).filter((name) => name.startsWith('swc-'));
  assert.notDeepEqual(compilers, [], 'Next would download its compiler');
  const packages = await readFile(join(folder, 'package-lock.json'), 'utf8');

  const port = await freePort();
  const database = join(folder, 'application.db');
  const site = `http://localhost:${port}`;
  const env = { ...process.env, NODE_ENV: undefined, NEXT_TELEMETRY_DISABLED: '1', SITE: site, DATABASE: database };
  const next = join(folder, 'node_modules/next/dist/bin/next');
  await run(process.execPath, [next, 'build'], { cwd: folder, env, timeout: 300_000 }).catch((error) =>
    assert.fail(`${error.message}\n${error.stdout}\n${error.stderr}`),
  );
  await assert.rejects(access(database), 'The chat was opened by the build');
  assert.equal(await readFile(join(folder, 'package-lock.json'), 'utf8'), packages, 'Next installed packages');

  const server = spawn(process.execPath, [next, 'start', '-p', String(port)], { cwd: folder, env });
  t.after(() => server.kill('SIGKILL'));
  const ended = once(server, 'exit');
  await listening(server);
  const cookie = await logIn(site);
  await checkMounted(site, cookie);
  if (!NO_BROWSER) await checkPanel(t, site);
  // More than Next keeps of a body that is read twice.
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(12_000_000)]), 'zeros.bin');
  const upload = await fetch(`${site}/chat/api/v1/user_uploads`, { method: 'POST', headers: { cookie }, body: form });
  const { url } = (await upload.json()) as { url: string };
  const file = await fetch(site + url, { headers: { cookie } });
  assert.equal((await file.arrayBuffer()).byteLength, 12_000_000);

  const held = poll(site, cookie);
  await wait(500);
  server.kill('SIGTERM');
  assert.equal(await held, 200);
  const code = await Promise.race([
    ended.then(([status, signal]) => status ?? signal),
    wait(30_000, 'still there', { ref: false }),
  ]);
  assert.equal(code, 143);
});

/** The cookie of Ada's login. */
async function logIn(site: string): Promise<string> {
  const body = new URLSearchParams({ name: 'ada', password: 'analytical' });
  const answer = await fetch(`${site}/login`, { method: 'POST', body, redirect: 'manual' });
  assert.equal(answer.status, 303);
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** Logs in to the page of the application and sends a message with the panel. */
async function checkPanel(t: TestContext, site: string): Promise<void> {
  const { context } = await launched(t);
  const { page, complaints } = await watched(context);
  await page.goto(site);
  await page.getByRole('heading', { name: 'The application' }).waitFor();
  assert.equal(await page.locator('parlance-panel').count(), 0, 'no user is logged in');
  await page.getByLabel('Password').fill('analytical');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('textbox').fill('Soup **today**');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('article').getByText('Soup today').waitFor();
  await page.reload();
  await page.getByRole('article').getByText('Soup today').waitFor();
  assert.deepEqual(complaints, []);
}

/** @returns the status of the response to a poll without events */
async function poll(site: string, cookie: string): Promise<number> {
  const chat = `${site}/chat/api/v1`;
  const registered = await fetch(`${chat}/register`, { method: 'POST', headers: { cookie } });
  const { queue_id, last_event_id } = (await registered.json()) as { queue_id: string; last_event_id: number };
  const answer = await fetch(`${chat}/events?queue_id=${queue_id}&last_event_id=${last_event_id}`, {
    headers: { cookie },
  });
  await answer.text();
  return answer.status;
}

/** Waits until Next accepts requests. */
async function listening(server: ChildProcess): Promise<void> {
  let said = '';
  const ready = new Promise<void>((resolve, reject) => {
    for (const output of [server.stdout, server.stderr])
      output?.on('data', (text) => {
        said += text;
        if (/Ready in/.test(said)) resolve();
      });
    server.once('exit', () => reject(new Error(`Next ended:\n${said}`)));
  });
  await Promise.race([ready, wait(60_000, undefined, { ref: false }).then(() => assert.fail(`Not ready:\n${said}`))]);
}
