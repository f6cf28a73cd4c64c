import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Runs work with only these variables and a new home folder with these files, which is also the current folder. */
export function inEnvironment<T>(variables: Record<string, string>, files: Record<string, string>, work: () => T): T {
  const [outside, folder] = [{ ...process.env }, process.cwd()];
  const home = mkdtempSync(join(tmpdir(), 'home-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(home, dirname(path)), { recursive: true });
      writeFileSync(join(home, path), text);
    }
    setVariables({ ...variables, HOME: home });
    process.chdir(home);
    return work();
  } finally {
    setVariables(outside);
    process.chdir(folder);
    rmSync(home, { recursive: true, force: true });
  }
}

/** `os.homedir()` reads the variables of the process, so they are set one by one. */
function setVariables(variables: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, variables);
}
