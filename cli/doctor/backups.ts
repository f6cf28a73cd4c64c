import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '../../lib/index.ts';
import { type Examination, errorOf, shellWord } from '../../lib/internal.ts';
import { counted, oneLine } from '../output/text.ts';
import { type Problem, placeOptions, type Subject } from './report.ts';

const HOUR_MS = 3_600_000;
/** At 36 hours, one nightly backup has failed. */
const MAX_AGE_HOURS = 36;

/** The newest backup of this organization in the folder must be recent. */
export async function examineBackups(
  { report, database: { place }, options: { backups, uploads } }: Subject,
  found: Examination | undefined,
): Promise<void> {
  if (backups === undefined) return report.skip('backups', 'Set --backups to their folder.');
  const { manifestOf } = await import('../../lib/index.ts');
  const command = `\`chatctl backup ${shellWord(join(backups, 'FILE.backup'))} ${placeOptions(place, uploads)}\``;
  const advice = `Run ${command}, and check the timer that makes backups (\`systemctl list-timers\`).`;
  await report.check('backups', () => {
    if (!existsSync(backups)) return [{ says: `There is no folder ${backups}.`, advice: 'Correct --backups.' }];
    const newest = newestIn(backups, (path) => manifestOf(path), found?.organization.name);
    const of = found === undefined ? '' : ` of "${oneLine(found.organization.name)}"`;
    if (newest === undefined) return [{ says: `There is no backup${of} in ${backups}.`, advice }];
    if ('says' in newest) return [newest];
    const hours = Math.floor((Date.now() - newest.made_ms) / HOUR_MS);
    if (hours <= MAX_AGE_HOURS) return [];
    return [{ says: `The newest backup${of} in ${backups} is ${age(hours)} old.`, advice }];
  });
}

const age = (hours: number) => (hours < 72 ? counted(hours, 'hour') : counted(Math.floor(hours / 24), 'day'));

/** Reads manifests from the newest file on. Returns the problem of a newer file that is not readable. */
function newestIn(
  folder: string,
  read: (path: string) => Manifest,
  organization: string | undefined,
): Manifest | Problem | undefined {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.backup'))
    .map((name) => join(folder, name))
    .sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
  for (const path of files) {
    try {
      const manifest = read(path);
      if (organization === undefined || manifest.organization === organization) return manifest;
    } catch (error) {
      return {
        says: `The newest backup is not readable: ${errorOf(error).message}`,
        advice: `Run \`rm ${shellWord(path)}\`, and make another backup.`,
      };
    }
  }
  return undefined;
}
