import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { memoryFolder } from '../support/memory-folder.ts';
import { InProcessShell } from './in-process-shell.ts';
import { matcher, NAMES, parseTranscript, remember } from './transcript.ts';
import { FOLDER, IN_PROCESS } from './transcripts.ts';

describe('chatctl in this process prints what the transcripts show', () => {
  for (const file of IN_PROCESS) {
    it(file.replaceAll('-', ' '), async (t) => {
      const folder = await mkdtemp(join(memoryFolder(), 'transcript-'));
      t.after(() => rm(folder, { recursive: true, force: true }));
      const found = new Map<string, string>();
      const shell = new InProcessShell(folder);
      for (const step of parseTranscript(await readFile(join(FOLDER, `${file}.txt`), 'utf8'))) {
        const command = step.command.replace(NAMES, (name) => found.get(name) ?? name);
        if (InProcessShell.skips(command)) continue;
        if (!InProcessShell.takes(command)) break;
        const { output, exitCode } = await shell.run(command);
        const match = matcher(step.expected).exec(output.trimEnd());
        const where = `${file}.txt:${step.line}: $ ${command}`;
        if (!match) assert.equal(output, step.expected.join('\n'), where);
        assert.equal(exitCode, step.exitCode, where);
        remember(step.expected, match as RegExpExecArray, found);
      }
    });
  }
});
