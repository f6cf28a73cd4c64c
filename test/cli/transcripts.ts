import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type CompiledChatctl, compileChatctl } from './compiled-chatctl.ts';
import { InProcessShell } from './in-process-shell.ts';
import { parseTranscript, playTranscript } from './transcript.ts';

export const FOLDER = fileURLToPath(new URL('../transcripts', import.meta.url));

/** Every transcript but those of deployments. */
export const TRANSCRIPTS = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.txt'))
  .map((file) => file.replace('.txt', ''))
  .sort();

/** Transcripts that `npm test` runs in its own process, up to the first command that needs a real shell or a server. */
export const IN_PROCESS = [
  ...['accounts', 'audit', 'bots', 'drafts', 'help', 'invites', 'json', 'linkifiers', 'messages', 'passwords'],
  ...['people-and-channels', 'playgrounds', 'presence', 'reactions-and-flags', 'scheduled-messages', 'settings'],
  ...['slips', 'status-and-alerts', 'uploads', 'usage', 'user-groups', 'user-topics', 'users-import'],
];

/**
 * Only `npm run test:nightly` runs them. Most of their commands need a process of their own, and other tests look at
 * the same features: completion in each shell, and the options of a server.
 */
export const NIGHTLY = ['completion', 'f8-full-and-closed-outputs', 'operators-day', 'serving'];

/** Whether `npm test` runs it completely. */
export function isWholeInProcess(name: string): boolean {
  if (!IN_PROCESS.includes(name)) return false;
  const steps = parseTranscript(readFileSync(join(FOLDER, `${name}.txt`), 'utf8'));
  return steps.every(({ command }) => InProcessShell.takes(command) && !InProcessShell.skips(command));
}

/** @param options.inProcess runs commands in this process if they need no shell or process */
export function testTranscripts(names: readonly string[], { inProcess }: { inProcess: boolean }): void {
  describe('chatctl prints what the transcripts show', { concurrency: inProcess ? 1 : 2 }, () => {
    let chatctl: CompiledChatctl;
    before(async () => {
      chatctl = await compileChatctl();
    });
    after(() => chatctl.remove());
    for (const name of names) {
      it(name.replaceAll('-', ' '), () =>
        playTranscript(relative(process.cwd(), join(FOLDER, `${name}.txt`)), chatctl.bin, { inProcess }),
      );
    }
  });
}
