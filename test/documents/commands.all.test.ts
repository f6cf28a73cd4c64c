import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { group, NO_SLAPD, person, SERVICE, startSlapd } from '../adapters/slapd.ts';
import { type CompiledChatctl, compileChatctl } from '../cli/compiled-chatctl.ts';
import { InProcessShell } from '../cli/in-process-shell.ts';
import { writeExports } from '../import/documented-exports.ts';
import { freePort } from '../support/free-port.ts';
import { memoryFolder } from '../support/memory-folder.ts';
import { DOCUMENTS } from './blocks.ts';
import { OPERATORS_PAGES } from './operators-sessions.ts';
import { shellLines, typeLines } from './typed-commands.ts';

/** `operators-pages.all.test.ts` and `mail.all.test.ts` type the lines of these. */
const ELSEWHERE: readonly string[] = [...OPERATORS_PAGES, 'docs/notifications.md'];

/** The lines of each other document with `chatctl`, and those that write a file for it. */
const sessions = await Promise.all(
  DOCUMENTS.filter((name) => !ELSEWHERE.includes(name)).map(async (name) => ({
    name,
    commands: (await shellLines(name)).filter((line) => /chatctl |> \S+\.json$/.test(line)),
  })),
);

const hasCurl = spawnSync('curl', ['--version']).status === 0;

describe('the commands of the documents work in their order', () => {
  let chatctl: CompiledChatctl;
  before(async () => {
    chatctl = await compileChatctl();
  });
  after(() => chatctl.remove());
  for (const { name, commands } of sessions.filter((session) => session.commands.length > 0)) {
    const needsCurl = commands.some((line) => line.startsWith('curl '));
    const skip = (needsCurl && !hasCurl && 'there is no curl') || (name === 'docs/sign-in.md' && NO_SLAPD);
    it(name, { skip }, async (t) => {
      const folder = await mkdtemp(join(memoryFolder(), 'commands-'));
      t.after(() => rm(folder, { recursive: true, force: true }));
      if (name === 'docs/importing.md') await writeExports(folder);
      const slapd =
        name === 'docs/sign-in.md' ? await startSlapd([person('ben'), group('chat-admins', 'ben')]) : undefined;
      t.after(() => slapd?.stop());
      const port = await freePort();
      const env = {
        PATH: `${chatctl.bin}:${process.env.PATH}`,
        HOME: folder,
        LANG: 'C.UTF-8',
        CHATCTL_BASE_URL: `http://localhost:${port}`,
        ...(slapd && { PARLANCE_LDAP_BIND_DN: SERVICE.bindDn, PARLANCE_LDAP_PASSWORD: SERVICE.bindPassword }),
      };
      const onLine = (line: string) =>
        line.replaceAll('localhost:9991', `localhost:${port}`).replaceAll('ldaps://ldap.example.com', slapd?.url ?? '');
      await typeLines(commands, { cwd: folder, env, port, shell: new InProcessShell(folder, { env }), onLine });
    });
  }
});
