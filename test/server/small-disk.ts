import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  path: string;
  /** Leaves no free byte. */
  fill(): void;
  makeRoom(): void;
}

function whyNot(program: string, ...args: string[]): string | undefined {
  const { status, error, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  return status === 0 ? undefined : `${program} does not work here: ${error?.message ?? stderr.trim()}`;
}

function tryMount(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'parlance-mount-'));
  try {
    const reason = whyNot('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder);
    if (reason === undefined) execFileSync('umount', [folder]);
    return reason;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Why this machine cannot mount a file system of a few megabytes. */
export const withoutMount = tryMount();

/** Why this machine cannot limit the file size of a process. */
export const withoutLimit = whyNot('prlimit', '--pid', String(process.pid), '--fsize');

/** Prevents files of that process from growing. */
export function limitFiles(pid: number, bytes: number | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`]);
}

/** A separate disk for a test. */
export function smallDisk(t: { after(done: () => void): void }, megabytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'parlance-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]);
  t.after(() => {
    execFileSync('umount', ['--lazy', path]);
    rmSync(path, { recursive: true, force: true });
  });
  const filler = join(path, 'filler');
  return {
    path,
    fill() {
      for (const size of [65_536, 4_096, 1]) {
        try {
          for (;;) appendFileSync(filler, Buffer.alloc(size));
        } catch (error) {
          assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
        }
      }
    },
    makeRoom: () => truncateSync(filler),
  };
}
