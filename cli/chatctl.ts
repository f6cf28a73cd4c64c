#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { exitOnOutputErrors } from './output/terminal.ts';

const args = process.argv.slice(2);
exitOnOutputErrors();
// Node would open a debugger at SIGUSR1, and end at SIGUSR2, cutting running requests.
for (const signal of ['SIGUSR1', 'SIGUSR2']) process.on(signal, () => undefined);

if (args[0] === '--version' || args[0] === '-V') {
  // Nothing else is loaded: scripts ask for the version often.
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  process.stdout.write(`${(JSON.parse(manifest) as { version: string }).version}\n`);
} else {
  // Node 22 caches compiled code between runs. Node 20 cannot.
  (nodeModule as { enableCompileCache?: () => void }).enableCompileCache?.();
  const { main } = await import('./program.ts');
  process.exitCode = await main(args);
}
