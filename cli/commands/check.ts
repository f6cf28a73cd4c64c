import type { Finding } from '../../lib/index.ts';
import { bucketOf, existingDatabase, filesFor, withoutPassword, withStorage } from '../database.ts';
import { Failure } from '../failure.ts';
import { keepingProgress } from '../output/progress.ts';
import { showJson } from '../output/result.ts';
import { databaseCommand, type LocalCall } from './local-command.ts';

export const checkCommand = databaseCommand('check', {
  summary: 'Check a database for damage',
  description:
    'Check a database for damage: tables, references, read state, search index and uploaded files. ' +
    'Servers can keep running. Changes nothing. Prints each problem with its fix. The exit code is 1 if there is a problem.',
  options: [['--uploads <place>', 'folder of uploaded files (PARLANCE_UPLOADS; SQLite default: DATABASE-uploads)']],
  examples: ['check --db chat.db'],
  run: checkChosen,
});

async function checkChosen({ options, terminal }: LocalCall<{ uploads?: string }>): Promise<void> {
  const { json, uploads } = options;
  const location = existingDatabase(options);
  const { check } = await import('../../lib/index.ts');
  const place = withoutPassword(location);
  await withStorage(location, async (storage) => {
    const { files } = await filesFor(location, uploads);
    const { checks, findings } = await check(storage, {
      files,
      onStep: json ? undefined : keepingProgress(`Checking ${place}`, terminal),
    });
    if (json) showJson({ db: place, checks, findings }, terminal);
    else for (const finding of findings) terminal.out(described(finding));
    if (!json && !files) {
      const advice = bucketOf(uploads) ? '' : ' Give their folder with --uploads.';
      terminal.err(`Uploaded files were not checked.${advice}`);
    }
    if (findings.length > 0) throw new Failure(`${findings.length} of ${checks} checks of ${place} found problems.`);
    if (!json) terminal.out(`${place} is OK: ${checks} checks found no problems.`);
  });
}

function described({ says, count, examples, advice }: Finding): string {
  const more = count > examples.length ? '; …' : '';
  return `${says}\n  ${examples.join('; ')}${more}\n  ${advice}`;
}
