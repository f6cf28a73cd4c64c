import type { KeepingStep } from '../lib/index.ts';
import { fileSize } from './output/sizes.ts';
import type { Terminal } from './output/terminal.ts';

/** As often as somebody who waits likes to be told. */
const EVERY_MS = 2_000;

/** Says on stderr how far something that takes long has come; what is quickly done passes without a word. */
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
