import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type CompiledChatctl, compileChatctl } from './compiled-chatctl.ts';
import { playTranscript } from './transcript.ts';

const FOLDER = fileURLToPath(new URL('../transcripts', import.meta.url));

describe('chatctl prints what the transcripts show', { concurrency: 2 }, () => {
  let chatctl: CompiledChatctl;
  before(async () => {
    chatctl = await compileChatctl();
  });
  after(() => chatctl.remove());
  for (const name of readdirSync(FOLDER)
    .filter((file) => file.endsWith('.txt'))
    .sort()) {
    it(name.replace('.txt', '').replaceAll('-', ' '), () =>
      playTranscript(relative(process.cwd(), join(FOLDER, name)), chatctl.bin),
    );
  }
});
