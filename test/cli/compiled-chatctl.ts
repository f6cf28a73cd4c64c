import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface CompiledChatctl {
  /** To be put first on the PATH. */
  bin: string;
  program: string;
  remove(): Promise<void>;
}

/** Compiles the command line once: through tsx every command would start half a second later. */
export async function compileChatctl(): Promise<CompiledChatctl> {
  const cache = join(ROOT, '.cache');
  await mkdir(cache, { recursive: true });
  // Inside the project, so that its dependencies are found from there.
  const folder = await mkdtemp(join(cache, 'chatctl-'));
  const dist = join(folder, 'dist');
  await build({
    entryPoints: [join(ROOT, 'cli/chatctl.ts')],
    outdir: dist,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  });
  await cp(join(ROOT, 'server/pages'), join(dist, 'pages'), { recursive: true });
  await cp(join(ROOT, 'package.json'), join(folder, 'package.json'));
  const bin = join(folder, 'bin');
  const program = join(dist, 'chatctl.js');
  await mkdir(bin);
  await writeFile(join(bin, 'chatctl'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  await chmod(join(bin, 'chatctl'), 0o755);
  return { bin, program, remove: () => rm(folder, { recursive: true, force: true }) };
}
