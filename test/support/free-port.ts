import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Systems use ports from 32768 on for outgoing connections, also one that was free a moment ago. */
const [FIRST, END] = [15_000, 32_000];
const MAX_ATTEMPTS = 100;

/** A free port of this machine, for a program that needs to know its port before it starts. */
export async function freePort(): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const port = randomInt(FIRST, END);
    const probe = createServer();
    try {
      await once(probe.listen(port, '127.0.0.1'), 'listening');
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error;
      continue;
    }
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }
}
