import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import type { Chat } from '../../../lib/index.ts';
import { localFiles } from '../../../lib/index.ts';
import { mailboxOf, replyExpiry } from '../../../lib/rules/mail-addresses.ts';
import { EMAIL_GATEWAY } from '../../../lib/rules/roles.ts';
import { type MailPlace, openMailPlace } from '../../domains/notifications/email/places.ts';
import { type Engine, testOn } from '../../support/engines.ts';
import { memoryFolder } from '../../support/memory-folder.ts';

const REPLIES = { domain: 'reply.example.com', authservId: 'mx.example.com' };
const DAY_SECONDS = 24 * 3_600;
let mails = 0;

interface Draft {
  from?: string;
  to?: string;
  subject?: string;
  text?: string;
  head?: readonly string[];
  id?: string;
}

function mailOf({ from = 'ben@example.com', to = '', subject = 'Re: hello', text = 'Yes.', head = [], id }: Draft) {
  const messageId = id ?? `<${++mails}@example.com>`;
  const lines = [...head, `From: ${from}`, `To: ${to}`, `Subject: ${subject}`, `Message-ID: ${messageId}`, '', text];
  return Buffer.from(lines.join('\r\n'));
}

const receive = (chat: Chat, draft: Draft) =>
  chat.receiveMail(mailOf(draft), { from: draft.from ?? 'ben@example.com' });

const statusOf = async (chat: Chat, draft: Draft) => {
  const [result] = await receive(chat, draft);
  return result?.status === 'sent' ? 'sent' : `${result?.status}: ${result?.reason}`;
};

/** The contents and senders of the newest messages that the owner can read, newest last. */
async function messagesOf({ as }: MailPlace, narrow: object[] = []) {
  const query = { anchor: 'newest', num_before: 20, num_after: 0, narrow, apply_markdown: false } as never;
  const { messages } = await as('Ada').messages.list(query);
  return messages.map(({ sender_full_name, subject, content }) => [sender_full_name, subject, content]);
}

const last = async (place: MailPlace) => (await messagesOf(place)).at(-1);

/** The address to which Ben replies. */
function replyTo({ box }: MailPlace): string {
  const [address] = box.letters.findLast(({ to }) => to?.[0]?.address === 'ben@example.com')?.replyTo ?? [];
  return address?.address ?? '';
}

export function receivedMail(engine: Engine): void {
  const test = testOn(engine);

  const open = (t: Parameters<typeof openMailPlace>[0], people?: readonly string[], options = {}) =>
    openMailPlace(t, engine, people, { replies: REPLIES, ...options });

  describe(`received mail on ${engine.name}`, () => {
    test('a reply to an e-mail is a message of the account, in the topic and in the direct conversation', async (t) => {
      const place = await open(t);
      const { chat, say, direct, wait } = place;
      const channel = await place.channel('general', ['Ada', 'Ben']);
      await say('Ada', channel, 'cake', '@**Ben** Chocolate?');
      await wait();
      const quoted = 'On Fri, Nov 20, 2026 at 9:30 AM Chat <chat@example.com> wrote:\n\n> Chocolate?';
      assert.equal(await statusOf(chat, { to: replyTo(place), text: `Nuts.\n\n${quoted}` }), 'sent');
      assert.deepEqual(await last(place), ['Ben', 'cake', 'Nuts.']);
      await direct('Ada', 'Ben', 'Hello?');
      await wait();
      assert.equal(await statusOf(chat, { to: replyTo(place) }), 'sent');
      const [own] = await messagesOf(place, [{ operator: 'dm', operand: [place.ids.Ben] }]).then((all) =>
        all.slice(-1),
      );
      assert.deepEqual(own?.slice(0, 1).concat(own.slice(2)), ['Ben', 'Yes.']);
    });

    test('a repeated e-mail sends one message, also after the topic has moved', async (t) => {
      const place = await open(t);
      const { chat, say, wait, as } = place;
      const channel = await place.channel('general', ['Ada', 'Ben']);
      const id = await say('Ada', channel, 'cake', '@**Ben** Chocolate?');
      await wait();
      const draft = { to: replyTo(place), id: '<same@example.com>' };
      const [first] = await receive(chat, draft);
      await as('Ada').messages.edit({ message_id: id, topic: 'pie', propagate_mode: 'change_all' });
      const another = await place.another({});
      assert.deepEqual(await receive(another, draft), [first]);
      assert.equal((await messagesOf(place)).filter(([, , content]) => content === 'Yes.').length, 1);
      assert.equal(await statusOf(chat, { to: replyTo(place), text: 'Later.' }), 'sent');
      assert.deepEqual(await last(place), ['Ben', 'pie', 'Later.']);
    });

    test('a reply follows its message to another topic, and stays in the topic if the message is deleted', async (t) => {
      const place = await open(t);
      const { chat, say, wait, as } = place;
      const channel = await place.channel('general', ['Ada', 'Ben']);
      await say('Ada', channel, 'old', 'stays');
      const id = await say('Ada', channel, 'old', '@**Ben** goes');
      await wait();
      const to = replyTo(place);
      await as('Ada').messages.edit({ message_id: id, topic: 'new', propagate_mode: 'change_one' });
      await receive(chat, { to });
      assert.deepEqual(await last(place), ['Ben', 'new', 'Yes.']);
      await as('Ada').messages.delete({ message_id: id });
      await receive(chat, { to });
      assert.deepEqual(await last(place), ['Ben', 'old', 'Yes.']);
    });

    test('a reply of a user who may not write there any more is refused and reported once a day', async (t) => {
      const place = await open(t);
      const { chat, say, wait, as, ids, box, clock } = place;
      const channel = await place.channel('secret', ['Ada', 'Ben', 'Cyd'], { invite_only: true });
      await say('Ada', channel, 'cake', '@**Ben** Chocolate?');
      await wait();
      const to = replyTo(place);
      await as('Ada').subscriptions.remove({ subscriptions: ['secret'], principals: [ids.Ben as number] });
      const before = await messagesOf(place);
      assert.match(
        await statusOf(chat, { to, subject: 'Re: cake\r\nBcc: eve@example.com' }),
        /^refused: There is no channel/,
      );
      assert.match(await statusOf(chat, { to }), /^refused/);
      const sent = box.letters.length;
      await wait(1);
      assert.equal(box.letters.length, sent + 1);
      const report = box.latest();
      assert.deepEqual(
        report.to?.map(({ address }) => address),
        ['ben@example.com'],
      );
      assert.equal(report.subject, 'Not sent: Re: cake');
      assert.match(report.text ?? '', /There is no channel/);
      assert.equal(report.headers.find(({ key }) => key === 'auto-submitted')?.value, 'auto-replied');
      assert.equal(box.senders.at(-1), '');
      clock.advance({ seconds: DAY_SECONDS });
      await receive(chat, { to });
      await wait(1);
      assert.equal(box.letters.length, sent + 2);
      await as('Ada').users.deactivate({ user_id: ids.Ben as number });
      assert.match(await statusOf(chat, { to }), /^refused: The account of this address is deactivated/);
      assert.deepEqual(await messagesOf(place), before);
    });

    test('a reply to an archived channel, or to a user who blocks the sender, is refused', async (t) => {
      const place = await open(t, ['Ben', 'Cyd']);
      const { chat, say, direct, wait, as, ids } = place;
      const channel = await place.channel('general', ['Ada', 'Ben']);
      await say('Ada', channel, 'cake', '@**Ben** Chocolate?');
      await wait();
      const archived = replyTo(place);
      await as('Ada').channels.archive({ stream_id: channel });
      assert.match(await statusOf(chat, { to: archived }), /^refused: This channel is archived/);
      await direct('Cyd', 'Ben', 'Hello?');
      await wait();
      await as('Cyd').users.block({ user_id: ids.Ben as number });
      assert.match(await statusOf(chat, { to: replyTo(place) }), /^refused/);
    });

    test('an e-mail whose envelope has only addresses that the chat has not created is not read', async (t) => {
      const place = await open(t);
      const { chat, direct, wait, box } = place;
      await direct('Ada', 'Ben', 'Hello?');
      await wait();
      const known = replyTo(place);
      const guessed = known.replace(/.(?=@)/, (digit) => (digit === 'a' ? 'b' : 'a'));
      const nested = Array.from(
        { length: 40 },
        (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}`,
      );
      const hostile = Buffer.from(nested.join('\r\n'));
      const refused = { status: 'refused', recipient: guessed, reason: 'This address does not exist.' };
      assert.deepEqual(await chat.receiveMail(hostile, { to: [guessed, 'x@other.example'] }), [refused]);
      await assert.rejects(chat.receiveMail(hostile, { to: [guessed, known] }), /too many parts/);
      const both = await chat.receiveMail(mailOf({}), { to: [guessed, known], from: 'ben@example.com' });
      assert.deepEqual(both.map(({ status }) => status).sort(), ['refused', 'sent']);
      await wait();
      assert.ok(
        !box.letters.some(({ subject }) => /^Not sent/.test(subject ?? '')),
        'a guessed address gets no report',
      );
    });

    test('only the account itself can reply, from its address, for 30 days and with its present API key', async (t) => {
      const place = await open(t);
      const { chat, direct, wait, as, ids, clock, storage } = place;
      await direct('Ada', 'Ben', 'Hello?');
      await wait();
      const to = replyTo(place);
      // Cyd got a copy of a reply, and replies to all.
      assert.match(await statusOf(chat, { to, from: 'cyd@example.com' }), /^refused: Only the account that got/);
      const head = ['Authentication-Results: mx.example.com; dmarc=fail header.from=example.com'];
      assert.match(await statusOf(chat, { to, head }), /^refused: .*forged \(DMARC\)/);
      const forged = to.replace(/^r[0-9a-z]+-/, `r${(ids.Cyd as number).toString(36)}-`);
      assert.match(
        await statusOf(chat, { to: forged, from: 'cyd@example.com' }),
        /^refused: This address does not exist/,
      );
      const organization = await storage.read((tx) => tx.organization.get());
      const made = (place: Parameters<typeof mailboxOf>[0]) =>
        `${mailboxOf(place, { secret: organization?.secret ?? '', keyGeneration: 0 })}@${REPLIES.domain}`;
      const missing = {
        kind: 'reply',
        userId: 10_000,
        messageId: 1,
        conversationId: 1,
        expiresOn: replyExpiry(clock.now()),
      } as const;
      assert.match(await statusOf(chat, { to: made(missing) }), /^refused: This address does not exist/);
      assert.equal(await statusOf(chat, { to }), 'sent');
      clock.advance({ seconds: 31 * DAY_SECONDS });
      assert.match(await statusOf(chat, { to }), /^refused: This address has expired/);
      await direct('Ada', 'Ben', 'Hello?');
      await wait();
      const renewed = replyTo(place);
      await as('Ben').users.regenerateApiKey();
      assert.match(await statusOf(chat, { to: renewed }), /^refused: This address does not exist/);
    });

    test('a chat reports at most 100 refused e-mails in an hour, since anyone can forge senders', async (t) => {
      const place = await open(t);
      const { chat, wait, box, clock, storage } = place;
      const gateway = await storage.read((tx) => tx.users.byEmail(EMAIL_GATEWAY));
      const report = { user_id: gateway?.id ?? 0, operation: 'report refused mail', digest: '', answer: '' };
      const to = `r1-1-1-zzz-${'0'.repeat(25)}@${REPLIES.domain}`;
      await storage.write(async ({ idempotency }) => {
        for (let n = 1; n < 100; n++) await idempotency.add({ ...report, key: `${n}`, created_ms: clock.now() }, 0);
      });
      const sent = box.letters.length;
      for (const from of ['eve@evil.org', 'mallory@evil.org', 'eve@evil.org'])
        assert.match(await statusOf(chat, { to, from }), /^refused: This address does not exist/);
      await wait(1);
      assert.equal(box.letters.length, sent + 1);
      clock.advance({ hours: 1, milliseconds: 1 });
      await receive(chat, { to, from: 'mallory@evil.org' });
      await wait(1);
      assert.equal(box.letters.length, sent + 2);
    });

    test('mail of programs is ignored without a report', async (t) => {
      const place = await open(t);
      const { chat, direct, wait, box } = place;
      await direct('Ada', 'Ben', 'Hello?');
      await wait();
      const to = replyTo(place);
      const sent = box.letters.length;
      for (const head of ['Auto-Submitted: auto-replied', 'Precedence: bulk', 'Return-Path: <>'])
        assert.match((await chat.receiveMail(mailOf({ to, head: [head] })))[0]?.status ?? '', /^ignored$/, head);
      assert.equal((await chat.receiveMail(mailOf({ to }), { from: '' }))[0]?.status, 'ignored');
      // The e-mail of the chat, forwarded to its own Reply-To.
      const own = mailOf({ to, id: `<${box.latest().messageId?.replace(/[<>]/g, '')}>` });
      assert.equal((await chat.receiveMail(own))[0]?.status, 'ignored');
      await wait(1);
      assert.equal(box.letters.length, sent);
    });

    test('attachments become uploads that readers of the message can open', async (t) => {
      const folder = mkdtempSync(join(memoryFolder(), 'parlance-mail-'));
      t.after(() => rmSync(folder, { recursive: true }));
      const place = await open(t, undefined, { files: localFiles(folder), maxUploadMebibytes: 1 });
      const { chat, direct, wait } = place;
      await direct('Ada', 'Ben', 'Hello?');
      await wait();
      const part = (name: string, content: string) =>
        `--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\n${content}\r\n`;
      const raw = [
        'From: ben@example.com',
        `To: ${replyTo(place)}`,
        'Message-ID: <files@example.com>',
        'Content-Type: multipart/mixed; boundary=b',
        '',
        `--b\r\n\r\nSee below.\r\n${part('a [1].txt', 'one')}${part('big.txt', 'x'.repeat(1_100_000))}--b--\r\n`,
      ].join('\r\n');
      const [result] = await chat.receiveMail(Buffer.from(raw));
      assert.equal(result?.status, 'sent');
      const [, , content = ''] = (await last(place)) ?? [];
      const [, url = ''] = /^See below\.\n\n\[a 1 \.txt\]\((\S+)\)\n\(big\.txt is missing: /.exec(content) ?? [];
      const { attachments } = await place.as('Ben').uploads.list();
      assert.ok(attachments[0] && url.endsWith(attachments[0].path_id), content);
      assert.deepEqual(await chat.receiveMail(Buffer.from(raw)), [result]);
    });

    test('mail to a channel is posted by its authenticated sender, else by Email Gateway', async (t) => {
      const place = await open(t);
      const { chat, as } = place;
      const channel = await place.channel('general', ['Ada', 'Ben']);
      const { email: to } = await as('Ada').channels.getEmailAddress({ stream_id: channel });
      const pass = 'Authentication-Results: mx.example.com; dkim=pass header.d=example.com';
      await receive(chat, { to, subject: 'Re: [2] Fwd: Cake', head: [pass] });
      assert.deepEqual(await last(place), ['Ben', '[2] Fwd: Cake', 'Yes.']);
      await receive(chat, { to, subject: 'Cake', text: '@**all** Free cake!' });
      assert.deepEqual(await last(place), ['Email Gateway', 'Cake', '@_**all** Free cake!']);
      const forged = 'Authentication-Results: mx.evil.org; dkim=pass header.d=example.com';
      await receive(chat, { to, subject: '', head: [forged] });
      assert.deepEqual(await last(place), ['Email Gateway', 'general chat', 'Yes.']);
      await receive(chat, { to, subject: 'x'.repeat(80), from: 'Eve *x* <eve@evil.org>', head: [pass] });
      assert.deepEqual(await last(place), ['Email Gateway', `${'x'.repeat(57)}...`, 'Yes.']);
      const shown = to.replace('@', '+show-sender+include-footer@');
      await receive(chat, { to: shown, subject: 'Cake', from: 'Eve @**all** <eve@evil.org>', text: 'Hi\n\n-- \nEve' });
      assert.deepEqual(await last(place), [
        'Email Gateway',
        'Cake',
        '**From:** Eve @_**all** <eve@evil.org>\n\nHi\n\n-- \nEve',
      ]);
    });

    test('the address of a channel ends with the permission of its user, and links to nothing that is hidden', async (t) => {
      const place = await open(t);
      const { chat, as, ids } = place;
      const channel = await place.channel('team', ['Ada', 'Ben'], { invite_only: true });
      const { email: to } = await as('Ben').channels.getEmailAddress({ stream_id: channel });
      await place.channel('hidden', ['Ada'], { invite_only: true });
      assert.equal(await statusOf(chat, { to, from: 'eve@evil.org', text: '#**hidden**' }), 'sent');
      const { messages } = await as('Ada').messages.list({ anchor: 'newest', num_before: 1, num_after: 0 });
      assert.equal(messages.at(-1)?.content, '<p>#<strong>hidden</strong></p>');
      await as('Ada').subscriptions.remove({ subscriptions: ['team'], principals: [ids.Ben as number] });
      assert.match(await statusOf(chat, { to, from: 'eve@evil.org' }), /^refused/);
    });

    test('an address with a sender posts as the user or as their bot, while they may', async (t) => {
      const place = await open(t);
      const { chat, as, ids } = place;
      const channel = await place.channel('general', ['Ada', 'Ben']);
      const { user_id: bot } = await as('Ben').bots.create({ full_name: 'Post', short_name: 'post' });
      const addressFor = async (sender_id: number) =>
        (await as('Ben').channels.getEmailAddress({ stream_id: channel, sender_id })).email;
      await receive(chat, { to: await addressFor(ids.Ben as number), from: 'eve@evil.org', subject: 'a' });
      assert.deepEqual(await last(place), ['Ben', 'a', 'Yes.']);
      const forBot = await addressFor(bot);
      await receive(chat, { to: forBot, from: 'eve@evil.org', subject: 'b' });
      assert.deepEqual(await last(place), ['Post', 'b', 'Yes.']);
      await assert.rejects(addressFor(ids.Cyd as number), /sender_id must be/);
      await as('Ben')
        .users.deactivate({ user_id: bot })
        .catch(() => as('Ada').bots.deactivate({ bot_id: bot } as never));
      assert.match(
        await statusOf(chat, { to: forBot, from: 'eve@evil.org' }),
        /^refused: The account of this address may no longer write/,
      );
    });

    test('an account has a limit per hour, in all processes', async (t) => {
      const place = await open(t);
      const { chat, direct, wait, clock, ids, storage } = place;
      await direct('Ada', 'Ben', 'Hello?');
      await wait();
      const to = replyTo(place);
      assert.match(await statusOf(chat, { to, from: 'eve@example.com' }), /^refused: Only/);
      await receive(chat, { to });
      const call = {
        user_id: ids.Ben as number,
        operation: 'receive mail',
        digest: '',
        answer: '',
        created_ms: clock.now(),
      };
      await storage.write(async ({ idempotency }) => {
        assert.equal(await idempotency.count(call.user_id, call.operation, 0), 1);
        for (let n = 1; n < 59; n++) await idempotency.add({ ...call, key: `${n}` }, 0);
      });
      assert.equal(await statusOf(await place.another({}), { to }), 'sent');
      assert.match(await statusOf(chat, { to }), /^refused: More than 60 e-mails/);
      clock.advance({ hours: 1, milliseconds: 1 });
      assert.equal(await statusOf(chat, { to }), 'sent');
    });

    test('without replies, e-mails have no reply address and channels no address', async (t) => {
      const place = await openMailPlace(t, engine);
      const { chat, direct, wait, as } = place;
      await direct('Ada', 'Ben', 'Hello?');
      await wait();
      assert.equal(replyTo(place), '');
      const channel = await place.channel('general', ['Ada']);
      assert.deepEqual(await as('Ada').channels.getEmailAddress({ stream_id: channel }), { email: '' });
      await assert.rejects(chat.receiveMail(mailOf({})), /set the option replies/);
    });
  });
}
