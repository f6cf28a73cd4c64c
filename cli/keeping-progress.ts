import type { KeepingStep } from '../lib/index.ts';
import { fileSize } from './output/sizes.ts';
import type { Terminal } from './output/terminal.ts';

const EVERY_MS = 2_000;

/** Prints progress to stderr every 2 s. A fast task prints nothing. */
export function keepingProgress(doing: string, terminal: Terminal): (step: KeepingStep) => void {
  let saidMs = performance.now();
  return ({ what, done, total }) => {
    const now = performance.now();
    if (now - saidMs < EVERY_MS) return;
    saidMs = now;
    const sizes = what === 'files' ? [done, total ?? 0].map(fileSize) : [done, total];
    terminal.err(`${doing}: ${what.replaceAll('_', ' ')}${total ? `, ${sizes[0]} of ${sizes[1]}` : ''}.`);
  };
}
