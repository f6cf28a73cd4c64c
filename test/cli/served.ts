import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { openChat, sqlite } from '../../lib/index.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { type Answer, basic, send as sendTo } from '../server/running.ts';
import { until } from '../support/until.ts';

export interface Line {
  level: number;
  msg: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of the response
  [field: string]: any;
}

/** `chatctl serve` in a separate process, with its output and endpoints. */
export class Served {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown[]>;
  #printed = '';
  #logged = '';
  #auth = '';
  /** IDs of acknowledged messages, and their contents. */
  readonly acknowledged = new Map<number, string>();
  /** Statuses of the other messages. */
  readonly refused: number[] = [];

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#ended = once(child, 'exit');
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#printed += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#logged += text;
    });
  }

  /** Creates an organization. Returns its owner. */
  static async make(db: string): Promise<{ user_id: number; api_key: string }> {
    const chat = await openChat({ storage: db.startsWith('postgres:') ? postgres(db) : sqlite(db) });
    const owner = { email: 'ada@example.com', full_name: 'Ada' };
    return chat.createOrganization({ name: 'N', owner }).finally(() => chat.close());
  }

  /** An organization that is created there and served until the test ends. */
  static async start(t: TestContext, program: string, db: string): Promise<Served> {
    const { user_id, api_key } = await Served.make(db);
    const served = await Served.open(t, program, db);
    served.#auth = basic('ada@example.com', api_key);
    await served.send('POST', '/api/v1/channels/create', { name: 'log', subscribers: `[${user_id}]` });
    return served;
  }

  /** An existing organization, served until the test ends. */
  static async open(t: TestContext, program: string, db: string): Promise<Served> {
    const ports = ['--port', '0', '--metrics', '127.0.0.1:0'];
    const child = spawn(process.execPath, [program, 'serve', '--db', db, ...ports, '--rate-limit', 'off', '--json'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_NO_WARNINGS: '1' },
    });
    const served = new Served(child);
    t.after(() => served.stop('SIGKILL'));
    await until('the server listens', () => {
      assert.equal(child.exitCode, null, served.#logged);
      return served.#printed.includes('\n');
    });
    return served;
  }

  get url(): string {
    return this.#printedFacts().url;
  }

  /** Everything on stderr. */
  get logged(): string {
    return this.#logged;
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  #printedFacts(): { url: string; metrics: string } {
    return JSON.parse(this.#printed.slice(0, this.#printed.indexOf('\n')));
  }

  send(method: string, path: string, form?: Record<string, string>): Promise<Answer> {
    const port = Number(new URL(this.#printedFacts().url).port);
    return sendTo(port, method, path, { auth: this.#auth, ...(form ? { form } : {}) });
  }

  async say(content: string): Promise<Answer> {
    const answer = await this.send('POST', '/api/v1/messages', { type: 'channel', to: 'log', topic: 'x', content });
    if (answer.status === 200) this.acknowledged.set(answer.body.id, content);
    else this.refused.push(answer.status);
    return answer;
  }

  /** Status of `/ready`, and the part that is not ready. */
  async ready(): Promise<[status: number, storage: string]> {
    const answer = await fetch(this.#printedFacts().metrics.replace(/metrics$/, 'ready'));
    const { parts } = (await answer.json()) as { parts: { storage: string } };
    return [answer.status, parts.storage];
  }

  async metric(name: string): Promise<number> {
    const text = await (await fetch(this.#printedFacts().metrics)).text();
    return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
  }

  /** Lines of the log, except requests. */
  lines(): Line[] {
    const whole = this.#logged.slice(0, this.#logged.lastIndexOf('\n') + 1);
    return whole
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]))
      .filter(({ msg }) => msg !== 'request');
  }

  line(msg: string | RegExp): Promise<Line> {
    const isIt = (line: Line) => (typeof msg === 'string' ? line.msg === msg : msg.test(line.msg));
    return until(`the log has a line ${msg}`, () => this.lines().find(isIt));
  }

  /** Throws unless every acknowledged message is stored and has one event. */
  async checkNothingLost(queue_id: string): Promise<void> {
    const narrow = JSON.stringify([
      ['channel', 'log'],
      ['topic', 'x'],
    ]);
    const query = new URLSearchParams({ anchor: 'newest', num_before: '5000', num_after: '0', narrow });
    const { body } = await this.send('GET', `/api/v1/messages?${query}&apply_markdown=false`);
    const there = new Map(body.messages.map(({ id, content }: { id: number; content: string }) => [id, content]));
    for (const [id, content] of this.acknowledged) assert.equal(there.get(id), content);
    const told: number[] = [];
    for (let last = -1; ; ) {
      const { events } = (
        await this.send('GET', `/api/v1/events?queue_id=${queue_id}&last_event_id=${last}&dont_block=true`)
      ).body;
      if (events.length === 0) break;
      for (const event of events) if (event.type === 'message') told.push(event.message.id);
      last = events.at(-1).id;
    }
    assert.deepEqual(
      told,
      [...there.keys()].sort((one, other) => Number(one) - Number(other)),
      'each has its event, once',
    );
  }

  /** Exit code and signal. */
  async stop(signal: NodeJS.Signals): Promise<unknown[]> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill(signal);
    return this.#ended;
  }
}
