import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { type Chat, openChat, smtp, sqlite } from '../../lib/index.ts';
import { transportOf } from '../../lib/internal.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

interface Mailbox {
  url: string;
  letters: string[];
  /** Refuse this many deliveries before accepting one. */
  refuse: number;
  close(): Promise<void>;
}

async function mailbox(): Promise<Mailbox> {
  const box: Mailbox = { url: '', letters: [], refuse: 0, close: async () => undefined };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (box.refuse > 0) {
          box.refuse--;
          done(new Error('try again later'));
          return;
        }
        box.letters.push(Buffer.concat(chunks).toString('utf8'));
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  box.url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  box.close = () => new Promise((resolve) => server.close(() => resolve()));
  return box;
}

async function chatWithMail(url: string, clock: ManualClock): Promise<Chat> {
  const mail = smtp({ url, from: 'chat@example.com', timeoutMs: 2_000 });
  const chat = await openChat({ storage: sqlite(':memory:'), mail, clock, logger: quiet });
  await chat.createOrganization({
    name: 'Letters',
    owner: { email: 'ada@example.com', full_name: 'Ada', password: 'correct horse' },
  });
  return chat;
}

describe('the outbox', () => {
  it('the outbox sends an e-mail about a login with a password', async () => {
    const box = await mailbox();
    const chat = await chatWithMail(box.url, new ManualClock());
    await chat
      .anonymous({ client: 'ZulipTerminal' })
      .fetchApiKey({ username: 'ada@example.com', password: 'correct horse' });
    assert.equal(box.letters.length, 0, 'nothing leaves the process before the background worker runs');
    assert.equal(await chat.runDue(), 1);
    assert.equal(box.letters.length, 1);
    assert.match(box.letters[0] as string, /^To: ada@example\.com/m);
    assert.match(box.letters[0] as string, /ZulipTerminal/);
    assert.equal(await chat.runDue(), 0, 'an e-mail is sent once');
    await chat.close();
    await box.close();
  });

  it('the age of a waiting e-mail counts from its creation, and readiness names it with the error', async () => {
    const box = await mailbox();
    const clock = new ManualClock();
    const chat = await chatWithMail(box.url, clock);
    const { metrics, readiness } = transportOf(chat);
    const age = async () => {
      const [, , ages] = (await metrics()).find(([name]) => name === 'parlance_outbox_age_seconds') ?? [];
      return (ages as ReadonlyMap<string, number>).get('mail');
    };
    assert.equal(await age(), 0);
    box.refuse = 1_000;
    await chat.anonymous().fetchApiKey({ username: 'ada@example.com', password: 'correct horse' });
    for (const seconds of [0, 5, 30, 120, 600]) {
      clock.advance({ seconds });
      await chat.runDue();
    }
    assert.equal(await age(), 755, 'retries do not reset it');
    assert.match(String((await readiness(2_000)).warnings.outbox), /^mail waits for 755 s: .*try again later/s);
    box.refuse = 0;
    clock.advance({ hours: 1 });
    await chat.runDue();
    assert.deepEqual([box.letters.length, await age(), (await readiness(2_000)).warnings], [1, 0, {}]);
    await chat.close();
    await box.close();
  });

  it('the outbox retries at growing intervals when the mail server refuses', async () => {
    const box = await mailbox();
    const clock = new ManualClock();
    const chat = await chatWithMail(box.url, clock);
    box.refuse = 2;
    await chat.anonymous().fetchApiKey({ username: 'ada@example.com', password: 'correct horse' });
    await chat.runDue();
    assert.equal(box.letters.length, 0);
    assert.equal(await chat.runDue(), 0, 'not before its time');
    clock.advance({ seconds: 5 });
    await chat.runDue();
    assert.equal(box.letters.length, 0);
    clock.advance({ seconds: 30 });
    await chat.runDue();
    assert.equal(box.letters.length, 1);
    assert.deepEqual(await chat.givenUp(), []);
    await chat.close();
    await box.close();
  });

  it('the outbox gives up an e-mail after its last retry and keeps the reason', async () => {
    const box = await mailbox();
    const { url } = box;
    await box.close();
    const clock = new ManualClock();
    const chat = await chatWithMail(url, clock);
    await chat.anonymous().fetchApiKey({ username: 'ada@example.com', password: 'correct horse' });
    for (let attempt = 0; attempt < 10; attempt++) {
      await chat.runDue();
      clock.advance({ days: 1 });
    }
    const [item] = await chat.givenUp();
    assert.equal(item?.kind, 'mail');
    assert.match(item?.last_error ?? '', /ECONNREFUSED|connect/);
    await chat.close();
  });

  it('the outbox runs without calls once the chat is started', async () => {
    const box = await mailbox();
    const clock = new ManualClock();
    const chat = await chatWithMail(box.url, clock);
    chat.start();
    await chat.anonymous().fetchApiKey({ username: 'ada@example.com', password: 'correct horse' });
    let passed = 0;
    await until('the e-mail is sent', () => {
      if (passed++ < 200) clock.advance({ milliseconds: 1 });
      return box.letters.length > 0;
    });
    assert.equal(box.letters.length, 1);
    await chat.close();
    await box.close();
  });
});
