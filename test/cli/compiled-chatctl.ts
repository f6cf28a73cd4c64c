import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundle } from '../support/bundle.ts';

/** Most commands end before optimized code or a small heap helps. Saves a fifth of their time. */
const FLAGS = '--no-opt --min-semi-space-size=16';

export interface CompiledChatctl {
  /** Put it first on the PATH. */
  bin: string;
  program: string;
  remove(): Promise<void>;
}

/** Compiles the command line once: through tsx every command would start half a second later. */
export async function compileChatctl(): Promise<CompiledChatctl> {
  const programs = {
    chatctl: 'cli/chatctl.ts',
    'older-database': 'test/cli/older-database.ts',
    'cursors-in': 'test/cli/cursors-in.ts',
    'break-database': 'test/cli/break-database.ts',
  };
  const { folder, program, remove } = await bundle('chatctl-', programs);
  const bin = join(folder, 'bin');
  await mkdir(bin);
  for (const name of Object.keys(programs)) {
    await writeFile(join(bin, name), `#!/bin/sh\nexec '${process.execPath}' ${FLAGS} '${program(name)}' "$@"\n`);
    await chmod(join(bin, name), 0o755);
  }
  return { bin, program: program('chatctl'), remove };
}
