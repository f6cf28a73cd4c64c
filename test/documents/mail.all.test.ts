import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createTransport } from 'nodemailer';
import type { Email as Letter } from 'postal-mime';
import { connect } from '../../lib/index.ts';
import { type CompiledChatctl, compileChatctl } from '../cli/compiled-chatctl.ts';
import { InProcessShell } from '../cli/in-process-shell.ts';
import { freePort } from '../support/free-port.ts';
import { openMailbox } from '../support/mailbox.ts';
import { until } from '../support/until.ts';
import { blocksOf } from './blocks.ts';
import { shellLines, typeLine, typeLines } from './typed-commands.ts';

const PAGE = 'docs/notifications.md';
const INIT = [
  'chatctl init --db chat.db --name "Example" --email ada@example.com --full-name "Ada"',
  'chatctl users create ben@example.com "Ben Ngo" --db chat.db',
];
const BEN = 'ben@example.com';

const blocks = await blocksOf(PAGE);
const lines = await shellLines(PAGE);

/** The only one that contains a text. */
function the<T>(of: readonly T[], what: string, textOf: (one: T) => string): T {
  const [found, ...others] = of.filter((one) => textOf(one).includes(what));
  assert.ok(found !== undefined && others.length === 0, `${PAGE} must have one "${what}"`);
  return found;
}
const lineWith = (what: string) => the(lines, what, (line) => line);
const blockWith = (what: string) => the(blocks, what, (block) => block.text).text;

/** The settings in the block of `main.cf` that contains a text. */
const settingsOf = (what: string) =>
  new Map(
    blockWith(what)
      .trim()
      .split('\n')
      .map((setting) => setting.split(/ =\s?/) as [string, string]),
  );

/** The value of an option in a line. */
const option = (line: string, name: string) => new RegExp(` --${name} (\\S+)`).exec(line)?.[1] ?? assert.fail(name);

describe(`the steps of ${PAGE} lead to what it says`, () => {
  let chatctl: CompiledChatctl;
  before(async () => {
    chatctl = await compileChatctl();
  });
  after(() => chatctl.remove());

  /** A machine with a mail server, in whose terminal the lines of the page are typed. */
  async function machine(t: TestContext) {
    const cwd = await mkdtemp(join(tmpdir(), 'mail-'));
    t.after(() => rm(cwd, { recursive: true, force: true }));
    const box = await openMailbox(t);
    const [port, lmtpPort] = [await freePort(), await freePort()];
    const env: Record<string, string> = {
      PATH: `${chatctl.bin}:${process.env.PATH}`,
      HOME: cwd,
      LANG: 'C.UTF-8',
      PARLANCE_SMTP: box.url,
    };
    const shell = new InProcessShell(cwd, { env });
    await typeLines(INIT, { cwd, env, port, shell });
    const onLine = (line: string) =>
      line.replaceAll(/smtp:\/\/\S+:587/g, box.url).replaceAll('127.0.0.1:2525', `127.0.0.1:${lmtpPort}`);
    const sessionOf = async (email: string) => {
      const found = await typeLine(`chatctl users get-api-key ${email} --db chat.db --json`, { cwd, env, shell });
      const session = connect({ site: `http://localhost:${port}`, email, api_key: JSON.parse(found).api_key });
      t.after(() => session.close());
      return session;
    };
    return {
      ...{ cwd, env, box, port, lmtpPort },
      /** Types the line, and does something while its server runs. */
      serving: (line: string, work: () => Promise<void>) =>
        typeLines([line], { cwd, env, port, onLine, afterLine: work }),
      /** Ada writes to Ben, who is not logged in. Returns his e-mail. */
      async writeToBen(content: string): Promise<Letter> {
        const [ada, ben] = [await sessionOf('ada@example.com'), await sessionOf(BEN)];
        // Instead of two minutes.
        await ben.settings.edit({ email_notifications_batching_period_seconds: 1 });
        await ada.messages.send({ type: 'direct', to: [BEN], content });
        const letterOf = () =>
          box.letters.find((letter) => letter.to?.[0]?.address === BEN && letter.text?.includes(content));
        await until('the e-mail arrives', () => letterOf() !== undefined);
        return letterOf() as Letter;
      },
      async direct(): Promise<string[]> {
        const ada = await sessionOf('ada@example.com');
        const narrow = [{ operator: 'is', operand: 'dm' }];
        const { messages } = await ada.messages.list({
          anchor: 'newest',
          num_before: 9,
          num_after: 0,
          narrow,
          apply_markdown: false,
        });
        return messages.map(({ sender_email, content }) => `${sender_email}: ${content}`);
      },
    };
  }

  const reply = (letter: Letter, content: string) => ({
    from: `Ben <${BEN}>`,
    to: letter.replyTo?.[0]?.address as string,
    subject: `Re: ${letter.subject}`,
    text: content,
    messageId: `<${content}@example.com>`,
  });
  const rawOf = async (mail: object): Promise<Buffer> =>
    (await createTransport({ streamTransport: true, buffer: true }).sendMail(mail)).message as Buffer;

  it('on the stock server, a user who is away gets an e-mail about a direct message', async (t) => {
    const { serving, writeToBen } = await machine(t);
    const line = lineWith('PARLANCE_SMTP=');
    await serving(line, async () => {
      const letter = await writeToBen('Hello');
      assert.equal(letter.from?.address, /<(\S+)>/.exec(line)?.[1]);
      assert.ok(letter.text?.includes(`${option(line, 'base-url')}/#narrow/`));
    });
  });

  it('Postfix passes on replies to the address and for the domain of the server, over LMTP or with a pipe', async (t) => {
    const { serving, writeToBen, direct, lmtpPort, cwd, env, box } = await machine(t);
    const line = lineWith('--lmtp');
    const domain = option(line, 'mail-replies');
    const settings = settingsOf('relay_domains');
    assert.equal(settings.get('relay_domains'), domain);
    assert.equal(settings.get('transport_maps'), `inline:{${domain}=lmtp:inet:${option(line, 'lmtp')}}`);
    await serving(line, async () => {
      const letter = await writeToBen('Hello');
      assert.ok(letter.replyTo?.[0]?.address?.endsWith(`@${domain}`));
      const postfix = createTransport({ host: '127.0.0.1', port: lmtpPort, lmtp: true, secure: false } as never);
      t.after(() => postfix.close());
      await postfix.sendMail(reply(letter, 'by LMTP'));
      const mail = reply(letter, 'by pipe');
      assert.equal(
        settingsOf('parlance_destination_recipient_limit').get('transport_maps'),
        `inline:{${domain}=parlance:}`,
      );
      const [, argv = ''] = /^parlance .* argv=\S*\/(.*)$/ms.exec(blockWith('pipe flags=')) ?? [];
      const command = argv
        .replaceAll('\n', ' ')
        .replace('/var/lib/parlance/chat.db', 'chat.db')
        .replace('smtp://localhost:25', box.url)
        .replace(/\$\{original_recipient\}/, mail.to);
      // Postfix passes no variables.
      const pipe = spawn('sh', ['-c', command], { cwd, env: { PATH: env.PATH } });
      let printed = '';
      for (const stream of [pipe.stdout, pipe.stderr]) stream.on('data', (chunk) => (printed += chunk));
      pipe.stdin.end(await rawOf(mail));
      const [code] = await once(pipe, 'close');
      assert.equal(code, 0, printed);
      assert.deepEqual(await direct(), ['ada@example.com: Hello', `${BEN}: by LMTP`, `${BEN}: by pipe`]);
    });
  });

  it('the worker of a mail provider passes on replies to the webhook', async (t) => {
    const { serving, writeToBen, direct, port, cwd } = await machine(t);
    const line = lineWith('PARLANCE_INBOUND_MAIL_SECRET=');
    const [, SECRET] = /PARLANCE_INBOUND_MAIL_SECRET=(\S+)/.exec(line) ?? [];
    const worker = join(cwd, 'worker.mjs');
    const code = blockWith('async email(');
    await writeFile(worker, code.replace(option(line, 'base-url'), `http://localhost:${port}`));
    const { default: program } = await import(pathToFileURL(worker).href);
    await serving(line, async () => {
      const mail = reply(await writeToBen('Hello'), 'by webhook');
      const given = async () => ({
        from: BEN,
        to: mail.to,
        raw: new Blob([new Uint8Array(await rawOf(mail))]).stream(),
      });
      await assert.rejects(program.email(await given(), { SECRET: `${SECRET}x` }), /401/);
      await program.email(await given(), { SECRET });
      assert.deepEqual(await direct(), ['ada@example.com: Hello', `${BEN}: by webhook`]);
    });
  });
});
