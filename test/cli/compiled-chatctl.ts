import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundle } from '../support/bundle.ts';

export interface CompiledChatctl {
  /** To be put first on the PATH. */
  bin: string;
  program: string;
  remove(): Promise<void>;
}

/** Compiles the command line once: through tsx every command would start half a second later. */
export async function compileChatctl(): Promise<CompiledChatctl> {
  const { folder, program, remove } = await bundle('chatctl-', { chatctl: 'cli/chatctl.ts' });
  const chatctl = program('chatctl');
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'chatctl'), `#!/bin/sh\nexec '${process.execPath}' '${chatctl}' "$@"\n`);
  await chmod(join(bin, 'chatctl'), 0o755);
  return { bin, program: chatctl, remove };
}
