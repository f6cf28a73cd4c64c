import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { DemoAccount } from '../../lib/chat/demo.ts';
import { compileChatctl } from '../cli/compiled-chatctl.ts';
import { freePort } from '../support/free-port.ts';

/** A database file, served by `chatctl serve --demo --dev` in a separate process. */
export class ServerProcess {
  #child: ChildProcess | undefined;
  /** The stderr of all processes on the file. */
  errors = '';
  accounts = new Map<string, DemoAccount>();

  private constructor(
    readonly program: string,
    readonly file: string,
    readonly port: number,
  ) {}

  /** Running until the test ends. */
  static async start(t: { after(done: () => Promise<void>): void }): Promise<ServerProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'parlance-clients-'));
    const { program, remove } = await compileChatctl();
    const server = new ServerProcess(program, join(folder, 'chat.db'), await freePort());
    t.after(async () => {
      await server.stop('SIGKILL');
      await remove();
      await rm(folder, { recursive: true, force: true });
    });
    const { accounts } = await server.run();
    for (const account of accounts ?? []) server.accounts.set(account.email.toLowerCase(), account);
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  account(name: string): DemoAccount {
    const account = this.accounts.get(`${name}@zulip.com`);
    if (!account) throw new Error(`The demo has no user called ${name}.`);
    return account;
  }

  /** Starts the process on the file, and waits until it listens. */
  async run(): Promise<{ url: string; accounts?: DemoAccount[] }> {
    const words = ['serve', '--db', this.file, '--port', String(this.port), '--base-url', this.url];
    const child = spawn(
      process.execPath,
      [this.program, ...words, '--demo', '--dev', '--rate-limit', 'off', '--json'],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    this.#child = child;
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.errors += text;
    });
    // Also if a hook of another file fails, so that `stop` is never called.
    process.once('exit', () => child.kill('SIGKILL'));
    for await (const line of createInterface({ input: child.stdout })) {
      child.unref();
      for (const stream of [child.stdout, child.stderr]) (stream as Socket).unref();
      return JSON.parse(line);
    }
    throw new Error(`The server did not start:\n${this.errors}`);
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }
}
