#!/usr/bin/env node
import { readFileSync } from 'node:fs';

const args = process.argv.slice(2);

if (args[0] === '--version' || args[0] === '-V') {
  // Answered before anything else is loaded: scripts ask for the version often.
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  process.stdout.write(`${(JSON.parse(manifest) as { version: string }).version}\n`);
} else {
  const { main } = await import('./main.ts');
  process.exitCode = await main(args);
}
