/**
 * `npm run test:clients`: Schemathesis sends requests that the OpenAPI description allows, and others that it forbids.
 * It finds no defect of the server and no response without a description. Without Python, its tests are skipped by name.
 */
import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { FormClient } from './form-client.ts';
import { CACHE, missing, PROGRAMS, pythonPackages, run, writeDocument } from './installed.ts';
import { ServerProcess } from './server-process.ts';

const SCHEMATHESIS = 'schemathesis==4.32.5';

/** Seconds of the long test: `PARLANCE_SCHEMATHESIS_SECONDS`. */
const SECONDS = process.env.PARLANCE_SCHEMATHESIS_SECONDS ?? '180';

/** Afterwards, the account that makes these calls cannot make other calls, so each is tested with its own account. */
const ENDING = { usersRegenerateApiKey: 'iago', usersDeactivateMe: 'cordelia' };

const server = await ServerProcess.start({ after });
const skip = missing('python3');

interface Report {
  test_cases: { generated: number };
  failures: object[];
  errors: object[];
}

/** Calls operations as an account. Returns the report and the output of the program. */
async function schemathesis(name: string, options: readonly string[]): Promise<{ report: Report; ended: string }> {
  const bin = await pythonPackages('schemathesis', SCHEMATHESIS);
  const document = await writeDocument(server.url);
  const { email, api_key, user_id } = server.account(name);
  const file = join(CACHE, 'schemathesis.json');
  await rm(file, { force: true });
  const all = [
    ...[
      '--config-file',
      join(PROGRAMS, 'schemathesis.toml'),
      'run',
      document,
      '--checks',
      'all',
      '--no-color',
      '--warnings',
      'off',
    ],
    ...['--auth', `${email}:${api_key}`, '--url', `${server.url}/api/v1`],
    ...['--report', 'json', '--report-json-path', file, ...options],
  ];
  const hooks = join(PROGRAMS, 'schemathesis_hooks.py');
  const env = { SCHEMATHESIS_HOOKS: hooks, CHAT_USER_ID: String(user_id), CHAT_EMAIL: email };
  // It also ends with an error for failures, which are in the report.
  const ended = await run(join(bin, 'st'), all, { env, minutes: 30 }).catch(String);
  const text = await readFile(file, 'utf8').catch(() => assert.fail(ended));
  return { report: JSON.parse(text), ended };
}

function checkReport({ report: { failures, errors }, ended }: Awaited<ReturnType<typeof schemathesis>>): void {
  if (failures.length > 0 || errors.length > 0) assert.fail(`${JSON.stringify([failures, errors])}\n${ended}`);
}

test(`${SCHEMATHESIS} finds no defect and no undescribed response`, { skip }, async (t) => {
  const leftOut = Object.keys(ENDING).flatMap((id) => ['--exclude-operation-id', id]);
  const found = await schemathesis('desdemona', ['--max-time', SECONDS, ...leftOut]);
  t.diagnostic(`${found.report.test_cases.generated} requests`);
  checkReport(found);
  assert.ok(found.report.test_cases.generated > 1_000, 'too few requests');
  const { status } = await new FormClient({ url: server.url, ...server.account('desdemona') }).send('GET', 'users/me');
  assert.equal(status, 200, 'the account lost its permissions, and later requests tested nothing');
});

for (const [id, name] of Object.entries(ENDING)) {
  test(`${SCHEMATHESIS} finds no defect in ${id}`, { skip }, async () => {
    checkReport(await schemathesis(name, ['--include-operation-id', id, '--max-examples', '20']));
  });
}
