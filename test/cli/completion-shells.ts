import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openChat, sqlite } from '../../lib/index.ts';
import { type CompiledChatctl, compileChatctl } from './compiled-chatctl.ts';

const DRIVER = fileURLToPath(new URL('./press-tab.py', import.meta.url));

/** How each shell is started, without configuration of the machine and with the script. */
const SHELLS: Readonly<Record<string, { argv: string[]; load: string }>> = {
  bash: { argv: ['bash', '--norc', '--noprofile', '-i'], load: 'source <(chatctl completion bash)\n' },
  zsh: {
    argv: ['zsh', '-f', '-i'],
    load: 'autoload -U compinit && compinit -u -D && source <(chatctl completion zsh)\n',
  },
  fish: { argv: ['fish', '--no-config', '--interactive'], load: 'chatctl completion fish | source\n' },
};

/** Characters that a shell would interpret, or that end a quotation. */
const TRICKY = "buy $(echo 1) `echo 2` $HOME \\ it's";

/** Completed lines, as arguments of a program. */
const SMOKE: Readonly<Record<string, string[]>> = {
  'chatctl channels arch': ['channels', 'archive'],
  'chatctl channels get bu': ['channels', 'get', TRICKY],
};
const OTHERS: Readonly<Record<string, string[]>> = {
  'chatctl channels get our': ['channels', 'get', 'our plans'],
  'chatctl users create --role gu': ['users', 'create', '--role', 'guest'],
  'chatctl user-groups members role:mod': ['user-groups', 'members', 'role:moderators'],
  'chatctl users import peo': ['users', 'import', 'people.csv'],
  'chatctl --db cha': ['--db', 'chat.db'],
  'chatctl users list --user=ad': ['users', 'list', '--user=ada@example.com'],
};

const isThere = (program: string) => !spawnSync(program, ['--version']).error;

/** Types lines and Tab in each shell. Each line starts chatctl. */
export function pressTab({ isWhole }: { isWhole: boolean }): void {
  describe('Tab in a shell', () => {
    let chatctl: CompiledChatctl;
    let folder: string;
    before(async () => {
      chatctl = await compileChatctl();
      folder = await mkdtemp(join(tmpdir(), 'completion-'));
      const chat = await openChat({ storage: sqlite(join(folder, 'chat.db')) });
      const ada = await chat.createOrganization({
        name: 'Example',
        owner: { email: 'ada@example.com', full_name: 'Ada' },
      });
      await chat.as(ada).channels.create({ name: 'our plans', subscribers: [] });
      await chat.as(ada).channels.create({ name: TRICKY, subscribers: [] });
      await chat.close();
      await writeFile(join(folder, 'people.csv'), '');
    });
    after(async () => {
      await chatctl.remove();
      await rm(folder, { recursive: true, force: true });
    });

    /** Each completed line, as arguments of a program. */
    async function argumentsAfterTab(shell: string, lines: readonly string[]): Promise<string[][]> {
      const { argv, load } = SHELLS[shell] as (typeof SHELLS)[string];
      const child = spawn('python3', [DRIVER, folder, ...argv], {
        stdio: ['pipe', 'pipe', 'inherit'],
        env: {
          PATH: `${folder}:${chatctl.bin}:${process.env.PATH}`,
          HOME: folder,
          TERM: 'xterm',
          LANG: 'C.UTF-8',
          CHATCTL_DB: join(folder, 'chat.db'),
          PS1: '> ',
        },
      });
      // The line, Tab, Home, another program in place of the first word, End, and a last word.
      const typed = lines.map((line) => [`${line}\t\u0001printf "<%s>" \u0005 end\r`, '<end>']);
      child.stdin?.end(JSON.stringify([[`${load.trim()}; printf "<%s>" loaded\n`, '<loaded>'], ...typed]));
      let shown = '';
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        shown += text;
      });
      await new Promise((resolve) => child.on('close', resolve));
      const given = [...shown.matchAll(/<chatctl>((?:<[^<>]*>)*?)<end>/g)];
      assert.equal(given.length, lines.length, `${shell} showed ${JSON.stringify(shown.slice(-2_000))}`);
      return given.map(([, words = '']) => [...words.matchAll(/<([^<>]*)>/g)].map(([, word = '']) => word));
    }

    for (const shell of Object.keys(SHELLS)) {
      const skip = !isThere('python3') || !isThere(shell) ? `there is no ${shell} or no python3 here` : false;
      it(`${shell} completes ${isWhole ? 'commands, names with any characters, roles, groups and files' : 'a command and a name with special characters'}`, {
        skip,
      }, async () => {
        const expected = isWhole ? { ...SMOKE, ...OTHERS } : SMOKE;
        assert.deepEqual(await argumentsAfterTab(shell, Object.keys(expected)), Object.values(expected));
      });
    }

    if (!isWhole) return;
    const skip = !isThere('bash') && 'there is no bash here';
    it('bash does not complete names with special characters inside quotation marks', { skip }, () => {
      const offer = `COMP_WORDS=(chatctl channels get "$word") COMP_CWORD=3; _chatctl; echo "$word: \${COMPREPLY[@]}"`;
      const script = `source <(chatctl completion bash); for word in "$@"; do ${offer}; done`;
      const env = { PATH: `${chatctl.bin}:${process.env.PATH}`, HOME: folder, CHATCTL_DB: join(folder, 'chat.db') };
      const words = ['"our', "'our", '"bu', "'bu"];
      const { stdout } = spawnSync('bash', ['-c', script, 'bash', ...words], { env, encoding: 'utf8' });
      assert.deepEqual(stdout.split('\n'), ['"our: our plans', "'our: our plans", '"bu: ', "'bu: ", '']);
    });
  });
}
