import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Body } from './form-client.ts';
import type { ZulipJsConfig } from './zulip-js.ts';

/** A process that listens with callOnEachEvent until the test ends. */
export class Listening {
  readonly events: Body[] = [];

  constructor(t: { after(done: () => void): void }, config: ZulipJsConfig, types: string[]) {
    const program = fileURLToPath(new URL('./zulip-js-listener.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import', 'tsx', program, JSON.stringify(config), JSON.stringify(types)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('event ')) this.events.push(JSON.parse(line.slice('event '.length)));
    });
    t.after(() => child.kill('SIGKILL'));
  }

  /**
   * Waits for an event.
   *
   * @throws Error when it does not arrive
   */
  async until(isWanted: (event: Body) => boolean, milliseconds = 20_000): Promise<Body> {
    const end = Date.now() + milliseconds;
    for (;;) {
      const found = this.events.find(isWanted);
      if (found) return found;
      if (Date.now() > end) throw new Error(`The event did not arrive. Received:\n${JSON.stringify(this.events)}`);
      await sleep(50);
    }
  }
}
