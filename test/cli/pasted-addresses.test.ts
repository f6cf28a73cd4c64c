import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { EXIT } from '../../cli/failure.ts';
import { openChat, sqlite } from '../../lib/index.ts';
import { fetchHandler } from '../../server/index.ts';
import { organization } from './organization.ts';

const ids = Array.from({ length: 200 }, (_, at) => at);
const outlook = ids.map((at) => `"Bar ${at}, Erin" <a${at}@x.org>`).join('; ');
const FORMS: Record<string, string> = {
  'Outlook list': outlook,
  'CSV file with a header': `\uFEFFName,E-mail\r\n${ids.map((at) => `"Bar, Erin",a${at}@x.org\r\n`).join('')}`,
  'CSV file with semicolons': `Name;E-mail\n${ids.map((at) => `"Bar; Erin";a${at}@x.org\n`).join('')}`,
  'column of cells with a header': `Name\tEmail\tTeam\r\n${ids.map((at) => `Bar, Erin\ta${at}@x.org\tR&D\r\n`).join('')}`,
  'column of cells without a header': ids.map((at) => `Bar, Erin\ta${at}@x.org\tR&D\n`).join(''),
  'column of cells with addresses first': ids.map((at) => `a${at}@x.org\tBar, Erin\n`).join(''),
};

for (const [form, text] of Object.entries(FORMS)) {
  test(`F: invites send invites all 200 addresses (${form})`, async (t) => {
    const { folder, run } = await organization(t);
    const file = join(folder, 'pasted.txt');
    await writeFile(file, text);
    const { exitCode, out, err } = await run('invites', 'send', `@${file}`, '--json');
    assert.equal(exitCode, EXIT.done, err.slice(0, 300));
    const { invited, people } = JSON.parse(out);
    assert.deepEqual([invited, people.length, people[199].email], [200, 200, 'a199@x.org']);
  });
}

test('F: invites send refuses each bad entry of pasted cells separately', async (t) => {
  const { folder, run } = await organization(t);
  const file = join(folder, 'pasted.txt');
  await writeFile(file, 'Bar, Erin\ta@x.org\nBar, Ben\tnone\nCai\tc@x@y.org\n');
  const { exitCode, out } = await run('invites', 'send', `@${file}`, '--json');
  const people: { email: string; outcome: string; reason?: string }[] = JSON.parse(out).people;
  assert.equal(exitCode, EXIT.refused);
  assert.equal(people.filter(({ outcome }) => outcome === 'invited').length, 1);
  for (const { email, outcome, reason } of people) assert.ok(outcome === 'invited' || reason, `${email} has no reason`);
});

test('F: POST /invites invites all 200 addresses of an Outlook list, and names a bad entry', async (t) => {
  const { path } = await organization(t);
  const chat = await openChat({ storage: sqlite(path) });
  t.after(() => chat.close());
  const handle = fetchHandler(chat);
  const key = await chat.apiKeyOf('ada@example.com');
  const post = async (emails: string) => {
    const response = await handle(
      new Request('http://localhost/api/v1/invites', {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`ada@example.com:${key}`)}` },
        body: new URLSearchParams({ invitee_emails: emails, stream_ids: '[]' }),
      }),
    );
    return (await response.json()) as { result: string; errors?: [string, string][] };
  };
  const bad = await post(`${outlook}; "Bar, Ben" <none>`);
  assert.equal(bad.result, 'error');
  assert.deepEqual(
    bad.errors?.map(([address]) => address),
    ['"Bar, Ben" <none>'],
  );
  assert.equal((await post(outlook)).result, 'success');
  assert.equal((await chat.as('ada@example.com').invites.list()).invites.length, 200);
});
