import { groupBy } from '../../lib/internal.ts';
import type { LocalCall } from '../commands/local-command.ts';
import { chooseDatabase } from '../database.ts';
import { Failure, UsageError } from '../failure.ts';
import { showJson } from '../output/result.ts';
import type { Terminal } from '../output/terminal.ts';
import { counted, oneLine } from '../output/text.ts';
import { checkedTogether } from '../serve/checked-together.ts';
import { serveSettings } from '../serve/declared-options.ts';
import { examineBackups } from './backups.ts';
import { examineDatabase } from './database.ts';
import { examineMachine } from './machine.ts';
import { examineMail } from './mail.ts';
import { examinePermissions } from './permissions.ts';
import { examineRelay } from './relay.ts';
import { type DoctorFlags, Report, type Subject } from './report.ts';
import { examineServer } from './server.ts';
import { examineUploads } from './uploads.ts';

/** @throws Failure if there is a problem */
export async function examineAll({ options, terminal }: LocalCall<DoctorFlags>): Promise<void> {
  // As `serve`, invalid settings fail before anything is opened.
  const settings = serveSettings(options as Readonly<Record<string, unknown>>);
  const { mailing, relay } = checkedTogether(settings, options);
  if (options.sendTo !== undefined && !mailing)
    throw new UsageError('--send-to needs --smtp and --mail-from (PARLANCE_SMTP, PARLANCE_MAIL_FROM).');
  const report = new Report();
  const subject: Subject = { report, settings, database: chooseDatabase(options), options, mailing, relay };
  const found = await examineDatabase(subject, terminal);
  await examineUploads(subject);
  await examineMail(subject);
  await examineRelay(subject, found);
  await examineServer(subject);
  await examineMachine(subject);
  await examinePermissions(subject);
  await examineBackups(subject, found);
  show(subject, terminal, { isJson: options.json === true });
}

function show({ report, options }: Subject, terminal: Terminal, { isJson }: { isJson: boolean }): void {
  const { checks, findings, not_checked, fixed } = report;
  if (isJson) showJson({ checks, findings, not_checked, ...(options.fix ? { fixed } : {}) }, terminal);
  else {
    for (const name of checks) {
      const problems = findings.filter(({ check }) => check === name);
      if (problems.length === 0) terminal.out(`${terminal.style('green', 'ok')}  ${name}`);
      for (const { says, advice } of problems)
        terminal.out(`${terminal.style('red', '!!')}  ${name}: ${oneLine(`${says} ${advice}`)}`);
    }
    for (const { check, says } of fixed) terminal.out(`++  ${check}: ${oneLine(says)}`);
    for (const [reason, skipped] of groupBy(not_checked, ({ reason }) => reason))
      terminal.out(`--  not checked: ${skipped.map(({ check }) => check).join(', ')}. ${oneLine(reason)}`);
  }
  const ran = counted(checks.length, 'check');
  if (findings.length > 0) throw new Failure(`${counted(findings.length, 'problem')} in ${ran}.`);
  if (!isJson) terminal.out(`No problems in ${ran}.`);
}
