/**
 * Runs a push relay that prints its notifications:
 *
 *   npx tsx examples/push-relay/serve.ts
 *
 * It stores its keys and devices in push-relay.json, and prints the command for a server that uses it.
 */
import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { type Device, type KeyPair, newKeyPair } from './registration.ts';
import { type Delivery, startRelay } from './relay.ts';
import type { Token } from './tokens.ts';

interface State {
  keys: KeyPair;
  servers: Record<string, string>;
  devices: readonly Device[];
  tokens: readonly Token[];
}

/** Reads the state of an earlier run, or creates a relay with one server. */
async function stateIn(file: string): Promise<State> {
  try {
    return { tokens: [], ...JSON.parse(await readFile(file, 'utf8')) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return { keys: await newKeyPair(), servers: { parlance: randomBytes(24).toString('hex') }, devices: [], tokens: [] };
}

export async function serveRelay(options: { file: string; port: number; print(line: string): void }) {
  const { file, port, print } = options;
  const state = await stateIn(file);
  // Write a new file, then rename it: a crash never leaves a partial file.
  let keeping = Promise.resolve();
  const keep = (changed: Partial<State>) => {
    Object.assign(state, changed);
    keeping = keeping.then(async () => {
      await writeFile(`${file}.new`, JSON.stringify(state, null, 2), { mode: 0o600 });
      await rename(`${file}.new`, file);
    });
    return keeping;
  };
  await keep({});
  const relay = await startRelay({
    ...state,
    port,
    onRegistered: (devices) => keep({ devices }),
    onTokens: (tokens) => keep({ tokens }),
    deliver({ device, payload }: Delivery) {
      print(`To ${device.token_kind} ${device.token}: ${JSON.stringify(payload)}`);
      return true;
    },
  });
  return { relay, servers: state.servers };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const port = Number(process.env.PORT ?? 9992);
  const { relay, servers } = await serveRelay({ file: process.argv[2] ?? 'push-relay.json', port, print: console.log });
  const [[id, key] = []] = Object.entries(servers);
  console.log(`The relay runs at ${relay.url}. Its public key is ${relay.publicKey}. Start a server that uses it:`);
  console.log(`PARLANCE_PUSH_RELAY_ID=${id} PARLANCE_PUSH_RELAY_KEY=${key} chatctl serve --push-relay ${relay.url}`);
  process.once('SIGINT', () => void relay.close());
}
