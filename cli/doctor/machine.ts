import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { uploadFolder } from '../database.ts';
import { fileSize } from '../output/progress.ts';
import { isFile } from './database.ts';
import type { Problem, Subject } from './report.ts';

const MEBIBYTE = 1024 * 1024;
const MIN_FREE_MEBIBYTES = 1024;
const DEFAULT_MAX_UPLOAD = 100;

/** Disk space and the limit of open files. */
export async function examineMachine(subject: Subject): Promise<void> {
  await examineDisk(subject);
  const limit = openFileLimit();
  if (limit === undefined) subject.report.skip('open files', 'This system does not show the limit.');
  else await subject.report.check('open files', () => openFileProblems(limit, subject.settings.maxConnections));
}

async function examineDisk(subject: Subject): Promise<void> {
  const { report, settings, database, options } = subject;
  const folder = uploadFolder(database.location, options.uploads);
  const places = [
    ...(isFile(subject) ? [{ what: 'the database', path: dirname(resolve(database.location)), least: 0 }] : []),
    ...(folder === undefined
      ? []
      : [{ what: 'uploads', path: resolve(folder), least: settings.maxUpload ?? DEFAULT_MAX_UPLOAD }]),
  ];
  if (!isFile(subject)) report.skip('disk space of the database', 'The database is on a PostgreSQL server.');
  if (folder === undefined) report.skip('disk space of uploads', 'There is no upload folder on this machine.');
  for (const { what, path, least } of places)
    await report.check(`disk space of ${what}`, () =>
      spaceProblems(what, path, Math.max(least, MIN_FREE_MEBIBYTES) * MEBIBYTE),
    );
}

async function spaceProblems(what: string, path: string, least: number): Promise<Problem[]> {
  const { bavail, bsize } = await statfs(existing(path));
  const free = bavail * bsize;
  if (free >= least) return [];
  return [
    {
      says: `Only ${fileSize(free)} are free on the disk of ${what}. It should be ${fileSize(least)}.`,
      advice:
        what === 'uploads'
          ? 'Free some space, choose another disk with --uploads (PARLANCE_UPLOADS), or set a smaller --max-upload.'
          : 'Free some space, or move the database: `chatctl backup`, then `chatctl restore --db` on another disk.',
    },
  ];
}

/** The folder, or the nearest one above it that exists. */
export function existing(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : existing(dirname(path));
}

/** Files besides connections: the database, libraries, uploads and calls. */
const OTHER_FILES = 200;
const MIN_OPEN_FILES = 4096;

/** Of this process. Infinity: unlimited. */
function openFileLimit(): number | undefined {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: unknown } } };
  const soft = userLimits?.open_files?.soft;
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : typeof soft === 'number' ? soft : undefined;
}

function openFileProblems(limit: number, maxConnections: number | undefined): Problem[] {
  const least = maxConnections === undefined ? MIN_OPEN_FILES : maxConnections + OTHER_FILES;
  if (limit >= least) return [];
  return [
    {
      says: `This process may open ${limit} files, and a server needs ${least}: one for each connection.`,
      advice: 'Raise the limit (`ulimit -n`, LimitNOFILE in the systemd unit), or set --max-connections.',
    },
  ];
}
