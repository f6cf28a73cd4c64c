import { bundle } from '../support/bundle.ts';

export interface CompiledChatctl {
  /** Put it first on the PATH. */
  bin: string;
  program: string;
  remove(): Promise<void>;
}

/** Compiles the command line once: through tsx every command would start half a second later. */
export async function compileChatctl(): Promise<CompiledChatctl> {
  const { bin, program, remove } = await bundle('chatctl', {
    chatctl: 'cli/chatctl.ts',
    'older-database': 'test/cli/older-database.ts',
    'cursors-in': 'test/cli/cursors-in.ts',
    'break-database': 'test/cli/break-database.ts',
  });
  return { bin, program: program('chatctl'), remove };
}
