import assert from 'node:assert/strict';
import { test } from 'node:test';
import ReplyParser from 'email-reply-parser';
import PostalMime, { addressParser, decodeWords } from 'postal-mime';
import Turndown from 'turndown';
import { readMailInThread } from '../../../lib/chat/mail/mail-reader.ts';
import { type ReadTerms, readMail } from '../../../lib/chat/mail/read-mail.ts';
import { mailboxOf } from '../../../lib/rules/mail-addresses.ts';

const DOMAIN = 'reply.example.com';
const place = { kind: 'channel', userId: 1, channelId: 2, senderId: 0 } as const;
const MAILBOX = mailboxOf(place, { secret: 'secret', keyGeneration: 0 });
const TO = `${MAILBOX}@${DOMAIN}`;

const mail = (head: readonly string[], body = 'Hello') => Buffer.from([...head, `To: ${TO}`, '', body].join('\r\n'));
const loadTurndown = async () => Turndown;
const read = (raw: Buffer, terms: Partial<ReadTerms> = {}) =>
  readMail({ PostalMime: { parse: PostalMime.parse, addressParser, decodeWords }, ReplyParser, loadTurndown }, raw, {
    domain: DOMAIN,
    authservId: 'mx.example.com',
    ...terms,
  });

const FROM = 'From: Ada <ada@example.com>';

test('an e-mail is read with its encodings, attachments and recipients', async () => {
  const found = await read(
    mail(
      [
        'From: =?UTF-8?Q?B=C3=A9n?= <ben@example.com>',
        'Subject: =?UTF-8?B?w5xiZXI=?=',
        'Message-ID: <1@example.com>',
        'Return-Path: <ben@example.com>',
        'Content-Type: multipart/mixed; boundary=b',
      ],
      [
        '--b',
        'Content-Type: text/plain; charset=iso-8859-1; format=flowed',
        'Content-Transfer-Encoding: quoted-printable',
        '',
        'Gr=FC=DFe =',
        'aus ',
        'Berlin',
        '--b',
        'Content-Type: image/png; name="a b.png"',
        'Content-Disposition: attachment; filename="a b.png"',
        'Content-Transfer-Encoding: base64',
        '',
        'aGVsbG8=',
        '--b--',
      ].join('\r\n'),
    ),
  );
  const [file] = found.attachments;
  assert.deepEqual(
    { ...found, attachments: [{ ...file, content: Buffer.from(file?.content ?? []).toString() }] },
    {
      from: { name: 'Bén', address: 'ben@example.com' },
      isAuthenticated: false,
      isForged: false,
      isAutomatic: false,
      messageId: '<1@example.com>',
      returnPath: 'ben@example.com',
      subject: 'Über',
      deliveries: [{ recipient: TO, content: 'Grüße aus Berlin' }],
      attachments: [{ name: 'a b.png', type: 'image/png', content: 'hello' }],
      more: 0,
    },
  );
});

test('the recipients of the envelope replace those of the headers, and each gets what its address asks for', async () => {
  const raw = mail([FROM, 'Content-Type: text/html'], '<b>Hello</b><div class="gmail_signature">Ada</div>');
  const recipients = [`${MAILBOX}+include-footer@${DOMAIN}`, `ada@${DOMAIN}`, TO, `${MAILBOX}@evil.example.com`];
  const { deliveries } = await read(raw, { recipients });
  assert.deepEqual(
    deliveries.map(({ content }) => content),
    ['**Hello**\n\nAda', '**Hello**'],
  );
});

test('a mail with several senders has none', async () => {
  for (const head of [[FROM, FROM], ['From: ada@example.com, ben@example.com'], ['From:'], ['Sender: ada@example.com']])
    assert.equal((await read(mail(head))).from, undefined, head.join());
  const { from } = await read(mail(['From: "ada@example.com" <eve@evil.example.com>']));
  assert.equal(from?.address, 'eve@evil.example.com');
});

test('mail of programs is automatic', async () => {
  for (const line of [
    'Auto-Submitted: auto-replied',
    'auto-submitted: AUTO-GENERATED; x=y',
    'Precedence: bulk',
    'Precedence: LIST',
    'Message-ID: <parlance.1764000000000.7.3@chat.example.org>',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
  ])
    assert.equal((await read(mail([FROM, line]))).isAutomatic, true, line);
  for (const line of ['Auto-Submitted: no', 'Precedence: normal', 'Subject: Precedence: bulk'])
    assert.equal((await read(mail([FROM, line]))).isAutomatic, false, line);
});

const results = async (...values: string[]) =>
  (await read(mail([...values.map((value) => `Authentication-Results: ${value}`), FROM]))).isAuthenticated;

test('a sender is authenticated by DMARC, or by DKIM or SPF of the domain or a parent domain', async () => {
  for (const value of [
    'mx.example.com; dmarc=pass (p=none dis=none) header.from=example.com',
    'mx.example.com; dkim=pass header.d=example.com header.s=a header.b=x',
    'MX.example.com 1;\r\n\tspf=fail smtp.mailfrom=other.org;\r\n\tdkim=pass (2048-bit key; a (b) ") header.d=Example.com',
    'mx.example.com; spf=pass smtp.mailfrom="ada@example.com"',
  ])
    assert.equal(await results(value), true, value);
});

test('a forged sender is not authenticated', async () => {
  for (const values of [
    [],
    ['mx.example.com; none'],
    ['mx.example.com; dkim=fail header.d=example.com; spf=softfail smtp.mailfrom=ada@example.com'],
    [
      'mx.example.com; dkim=pass header.d=evil.org; spf=pass smtp.mailfrom=eve@evil.org; dmarc=pass header.from=evil.org',
    ],
    ['mx.example.com; dkim=pass header.d=sub.example.com'],
    ['mx.example.com; dkim=pass header.d=com'],
    ['mx.example.com; dkim=pass header.d=notexample.com'],
    ['mx.evil.org; dkim=pass header.d=example.com'],
    ['mx.example.com.evil.org; dkim=pass header.d=example.com'],
    // The sender has written the second header.
    ['mx.example.com; dkim=none', 'mx.example.com; dkim=pass header.d=example.com'],
    // Texts of the sender in a comment or a quoted string.
    ['mx.example.com; dkim=fail (; dkim=pass header.d=example.com) header.d=example.com'],
    ['mx.example.com; spf=fail smtp.mailfrom="; dkim=pass header.d=example.com"'],
    ['mx.example.com; spf=pass smtp.mailfrom="x@evil.org smtp.mailfrom=ada@example.com"'],
    ['mx.example.com; spf=pass smtp.mailfrom="\\"a smtp.mailfrom=example.com\\"@evil.org"'],
    ['mx.example.com; spf=pass smtp.mailfrom="a smtp.mailfrom=example.com"@evil.org'],
    ['mx.example.com; spf=pass smtp.mailfrom=a smtp.mailfrom=example.com@evil.org'],
    // The part before the @ may be a quoted string as a whole.
    ['mx.example.com; spf=pass smtp.mailfrom="example.com"@evil.org'],
    ['mx.example.com; spf=pass smtp.mailfrom="ada@example.com"@evil.org'],
    ['mx.example.com; spf=pass smtp.mailfrom=<"example.com"@evil.org>'],
    ['mx.example.com; dkim=pass header.i="a header.d=example.com b"@evil.org header.s=a'],
    // A server that repeats an address in a comment.
    ['mx.example.com; spf=pass (domain of "a); dkim=pass header.d=example.com; ("@evil.org) smtp.mailfrom=evil.org'],
    // A parent domain has signed, but the domain itself refuses such signatures.
    ['mx.example.com; dkim=pass header.d=example.com; dmarc=fail header.from=example.com'],
  ])
    assert.equal(await results(...values), false, values.join('\n'));
  const trusted = mail(['Authentication-Results: mx.example.com; dmarc=pass header.from=example.com', FROM]);
  assert.equal((await read(trusted, { authservId: undefined })).isAuthenticated, false);
});

test('a sender is forged if DMARC of the receiving mail server fails, whatever else passes', async () => {
  const forged = async (...values: string[]) =>
    (await read(mail([...values.map((value) => `Authentication-Results: ${value}`), FROM]))).isForged;
  const failed = 'mx.example.com; dkim=pass header.d=evil.org; dmarc=fail (p=none) header.from=example.com';
  assert.equal(await forged(failed), true);
  assert.equal(await forged('mx.example.com; dmarc=fail header.from=a header.from=example.com'), true);
  for (const values of [
    ['mx.example.com; dmarc=none header.from=example.com; spf=fail smtp.mailfrom=example.com'],
    ['mx.evil.org; dmarc=fail header.from=example.com'],
    ['mx.example.com; dmarc=pass header.from=example.com', failed],
    [],
  ])
    assert.equal(await forged(...values), false, values.join('\n'));
});

test('hostile mail is refused, and does not stop the event loop', async () => {
  const nested = Array.from(
    { length: 40 },
    (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`,
  );
  const ordinary = await readMailInThread(mail([FROM]), { domain: DOMAIN });
  assert.equal(ordinary.deliveries[0]?.content, 'Hello');
  const mails = {
    'nested parts': Buffer.from(`${FROM}\r\n${nested.join('')}\r\nx`),
    'large headers': mail([FROM, ...Array.from({ length: 50_000 }, () => 'X-Long: header')]),
    'too large': Buffer.alloc(26 * 1024 * 1024, 'a'),
  };
  let beats = 0;
  const heart = setInterval(() => beats++, 10);
  for (const [name, raw] of Object.entries(mails))
    await assert.rejects(readMailInThread(raw, { domain: DOMAIN }), /too many parts|too large/, name);
  clearInterval(heart);
  assert.ok(beats > 5, `${beats} turns of the event loop`);
});
