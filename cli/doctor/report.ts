import type { PushRelayOptions, SmtpOptions } from '../../lib/index.ts';
import { errorOf, shellWord } from '../../lib/internal.ts';
import { type ChosenDatabase, uploadFolder } from '../database.ts';
import { reportOf } from '../failure.ts';
import type { ServeSettings } from '../serve/declared-options.ts';
import type { MailFlags } from '../service-settings.ts';

/** A problem, and the command or setting that fixes it. */
export interface Problem {
  says: string;
  advice: string;
}

/** What `chatctl doctor` examines. */
export interface Subject {
  report: Report;
  /** Of `chatctl serve`. */
  settings: ServeSettings;
  database: ChosenDatabase;
  options: DoctorFlags;
  mailing: SmtpOptions | undefined;
  relay: PushRelayOptions | undefined;
}

export type DoctorFlags = MailFlags & {
  pushRelay?: string;
  uploads?: string;
  sendTo?: string;
  backups?: string;
  fix?: boolean;
};

export class Report {
  /** Names of the checks that ran. */
  readonly checks: string[] = [];
  readonly findings: ({ check: string } & Problem)[] = [];
  readonly not_checked: { check: string; reason: string }[] = [];
  readonly fixed: { check: string; says: string }[] = [];

  /** Runs a check. Its error is a finding. Returns the problems. */
  async check(
    name: string,
    run: () => Promise<readonly Problem[]> | readonly Problem[],
    adviceOnError?: string,
  ): Promise<readonly Problem[]> {
    this.checks.push(name);
    const problems = await Promise.resolve()
      .then(run)
      .catch(async (error: unknown) => [await problemOf(error, adviceOnError)]);
    this.findings.push(...problems.map(({ says, advice }) => ({ check: name, says, advice })));
    return problems;
  }

  skip(check: string, reason: string): void {
    this.not_checked.push({ check, reason });
  }
}

async function problemOf(error: unknown, adviceOnError: string | undefined): Promise<Problem> {
  // The caller knows more of the cause than the error of a library.
  if (adviceOnError !== undefined) return { says: sentence(errorOf(error).message), advice: adviceOnError };
  const { message, advice = 'Run it again with PARLANCE_DEBUG=1 to see where it failed.' } = await reportOf(error);
  return { says: sentence(message), advice };
}

export const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Options of commands for this database and its uploaded files. */
export function placeOptions(place: string, uploads: string | undefined): string {
  return `--db ${shellWord(place)}${uploads === undefined ? '' : ` --uploads ${shellWord(uploads)}`}`;
}

export const REPAIR = 'chatctl doctor --fix';

/** The advice of a check of the database, with the options of this one. */
export function adviceHere(advice: string, { location, place }: ChosenDatabase, uploads: string | undefined): string {
  const folder = uploadFolder(location, uploads);
  return advice
    .replace(REPAIR, () => `${REPAIR} ${placeOptions(place, uploads)}`)
    .replace('--uploads FOLDER', (whole) => (folder === undefined ? whole : `--uploads ${shellWord(folder)}`));
}
