import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { type CompiledChatctl, compileChatctl } from '../cli/compiled-chatctl.ts';
import { freePort } from '../support/free-port.ts';
import { blocksOf, DOCUMENTS } from './blocks.ts';

const run = promisify(execFile);

/** The lines with `chatctl` of each document, in order, as a user types them. */
const sessions = await Promise.all(
  DOCUMENTS.map(async (name) => {
    const blocks = (await blocksOf(name)).filter(({ language }) => language === 'sh');
    return {
      name,
      commands: blocks.flatMap(({ text }) => text.split('\n')).filter((line) => line.includes('chatctl ')),
    };
  }),
);

describe('the commands of the documents work in their order', () => {
  let chatctl: CompiledChatctl;
  before(async () => {
    chatctl = await compileChatctl();
  });
  after(() => chatctl.remove());
  for (const { name, commands } of sessions.filter((session) => session.commands.length > 0)) {
    it(name, () => type(commands, chatctl.bin));
  }
});

async function type(commands: readonly string[], bin: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'commands-'));
  const port = await freePort();
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: folder,
    LANG: 'C.UTF-8',
    CHATCTL_BASE_URL: `http://localhost:${port}`,
  };
  let server: ChildProcess | undefined;
  try {
    for (const line of commands) {
      const command = line.replaceAll('localhost:9991', `localhost:${port}`);
      if (!command.startsWith('chatctl serve')) await run('sh', ['-c', command], { cwd: folder, env, timeout: 20_000 });
      else {
        // One server at a time, as in one terminal.
        await stop(server);
        const [program, ...words] = command.split(' ');
        server = spawn(program as string, [...words, '--port', String(port)], { cwd: folder, env });
        await serving(server, command);
      }
    }
  } finally {
    await stop(server);
    await rm(folder, { recursive: true, force: true });
  }
}

async function serving(server: ChildProcess, command: string): Promise<void> {
  let printed = '';
  server.stderr?.on('data', (text) => {
    printed += text;
  });
  // The pipe stays open: a server with a closed stdout ends.
  for await (const text of server.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    printed += text;
    if (printed.includes('Serving ')) return void server.stdout?.resume();
  }
  assert.fail(`${command} ended without serving:\n${printed}`);
}

async function stop(server: ChildProcess | undefined): Promise<void> {
  if (!server || server.exitCode !== null || server.signalCode !== null) return;
  const exit = once(server, 'exit');
  server.kill('SIGINT');
  await exit;
}
