import { existsSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { shellWord } from '../../lib/internal.ts';
import { uploadFolder } from '../database.ts';
import { profileNames, profilePath } from '../profiles.ts';
import { isFile } from './database.ts';
import type { Problem, Subject } from './report.ts';

const OTHERS_READ = 0o004;
const OTHERS_PASS = 0o001;

/** Files with secrets must not be readable by all users of the machine. */
export async function examinePermissions(subject: Subject): Promise<void> {
  const { report } = subject;
  if (process.platform === 'win32') return report.skip('permissions', 'Windows has access lists instead.');
  await report.check('permissions', () => secretPlaces(subject).filter(isOpenToAll).map(problemOf));
}

function secretPlaces(subject: Subject): string[] {
  const { location } = subject.database;
  const uploads = uploadFolder(location, subject.options.uploads);
  return [
    ...(isFile(subject) ? [location, `${location}-wal`] : []),
    ...(uploads === undefined ? [] : [uploads]),
    ...configFiles(),
    ...backupsIn(subject.options.backups),
  ].filter(existsSync);
}

/** Of parlance.service in examples/deploy. */
const SERVICE_SETTINGS = '/etc/parlance/environment';

function configFiles(): string[] {
  const { ZULIP_CONFIG: named } = process.env;
  const home = ['.zuliprc', 'zuliprc'].map((name) => join(homedir(), name));
  return [SERVICE_SETTINGS, ...(named ? [named] : []), ...home, ...profileNames().map(profilePath)];
}

const backupsIn = (folder: string | undefined) =>
  folder === undefined || !existsSync(folder)
    ? []
    : readdirSync(folder)
        .filter((name) => name.endsWith('.backup'))
        .map((name) => join(folder, name));

/** Others also need the right to pass each folder above. */
function isOpenToAll(path: string): boolean {
  if ((statSync(path).mode & OTHERS_READ) === 0) return false;
  for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & OTHERS_PASS) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

const problemOf = (path: string): Problem => ({
  says: `Every user of this machine can read ${path}.`,
  advice: `Run \`chmod o-rwx ${shellWord(path)}\`.`,
});
