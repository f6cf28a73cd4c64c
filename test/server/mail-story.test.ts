import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { createTransport } from 'nodemailer';
import { ServiceUnavailable } from '../../lib/base/errors.ts';
import type { Chat } from '../../lib/index.ts';
import { listenForMail } from '../../server/lmtp.ts';
import { openMailPlace } from '../domains/notifications/email/places.ts';
import { featureEngines, testOn } from '../support/engines.ts';

const REPLIES = { domain: 'reply.example.com' };
const CUSTOMER = 'cleo@example.org';

for (const engine of featureEngines) {
  const test = testOn(engine);

  /** A mail server that passes mail on over LMTP, as Postfix does. */
  async function open(t: Parameters<typeof openMailPlace>[0], failing: Partial<Chat> = {}) {
    const place = await openMailPlace(t, engine, ['Ben'], { replies: REPLIES, audience: 'customers' });
    const lmtp = await listenForMail(Object.assign(Object.create(place.chat), failing), { host: '127.0.0.1', port: 0 });
    t.after(() => lmtp.close());
    const transport = createTransport({ ...lmtp.address, lmtp: true, secure: false, ignoreTLS: true } as never);
    t.after(() => transport.close());
    return { ...place, deliver: (mail: object) => transport.sendMail(mail) };
  }

  describe(`mail in and out on ${engine.name}`, () => {
    test('a customer asks, closes the page, gets the answer by e-mail, and replies to it', async (t) => {
      const { chat, box, wait, as, ids, deliver } = await open(t);
      const { user_id } = await chat.system().users.ensure({ full_name: 'Cleo', email: CUSTOMER });
      await as('Ada').userGroups.create({
        name: 'support',
        description: '',
        members: [ids.Ada as number, ids.Ben as number],
      });
      const { stream_id } = await chat.rooms.ensure({
        external_id: 'order-17',
        name: 'Order 17',
        members: [user_id],
        staff: 'support',
      });
      const inRoom = { type: 'channel', to: stream_id, topic: '' } as const;
      await chat.as(user_id).messages.send({ ...inRoom, content: 'Where is my parcel?' });
      await wait();
      box.letters.length = 0;
      await as('Ada').messages.send({ ...inRoom, content: 'It arrives **tomorrow**.' });
      await wait();
      const toCustomer = box.letters.filter(({ to }) => to?.[0]?.address === CUSTOMER);
      assert.equal(toCustomer.length, 1);
      const [letter] = toCustomer;
      assert.match(letter?.text ?? '', /It arrives tomorrow\.[\s\S]*Reply to this e-mail/);
      const [replyTo] = letter?.replyTo ?? [];
      const quoted = (letter?.text ?? '').replace(/^/gm, '> ');
      const reply = {
        from: `Cleo <${CUSTOMER}>`,
        to: replyTo?.address,
        subject: `Re: ${letter?.subject}`,
        inReplyTo: letter?.messageId,
        messageId: '<reply-1@example.org>',
        text: `Great, thank you!\n\nOn Fri, Nov 20, 2026 at 9:32 AM Ben <chat@example.com> wrote:\n\n${quoted}\n`,
      };
      await deliver(reply);
      // The mail server has lost the answer, and repeats.
      await deliver(reply);
      const { messages } = await as('Ada').messages.list({
        anchor: 'newest',
        num_before: 10,
        num_after: 0,
        narrow: [{ operator: 'channel', operand: stream_id }],
        apply_markdown: false,
      });
      assert.deepEqual(
        messages.map(({ sender_full_name, content }) => [sender_full_name, content]),
        [
          ['Cleo', 'Where is my parcel?'],
          ['Ada', 'It arrives **tomorrow**.'],
          ['Cleo', 'Great, thank you!'],
        ],
      );
    });

    test('guessed addresses are refused before the mail, and a hostile mail does not stop others', async (t) => {
      const { direct, wait, box, deliver } = await open(t);
      await direct('Ada', 'Ben', 'Hello?');
      await wait();
      const to = box.latest().replyTo?.[0]?.address ?? '';
      const from = 'ben@example.com';
      for (const guess of [`a${to}`, to.replace(/.(?=@)/, (last) => (last === '0' ? '1' : '0')), 'ben@example.com'])
        await assert.rejects(deliver({ from, to: guess, text: 'x' }), /550 5\.1\.1/, guess);
      const raw = Buffer.concat([Buffer.from(`From: ${from}\r\n\r\n`), Buffer.alloc(26 * 1024 * 1024, 'a\r\n')]);
      const hostile = deliver({ envelope: { from, to }, raw });
      await deliver({ from, to, text: 'Yes.', messageId: '<yes@example.com>' });
      const { response, rejected } = await hostile;
      assert.match(response, /^554 5\.6\.0 .*too large/);
      assert.deepEqual(rejected, [to]);
    });

    test('the mail server keeps mail while the database is not usable', async (t) => {
      const receiveMail = () => Promise.reject(new ServiceUnavailable('The database is not usable now.', 5));
      const { direct, wait, box, deliver } = await open(t, { receiveMail });
      await direct('Ada', 'Ben', 'Hello?');
      await wait();
      const to = box.latest().replyTo?.[0]?.address ?? '';
      const { response } = await deliver({ from: 'ben@example.com', to, text: 'Yes.' });
      assert.match(response, /^451 4\.3\.0 Try again later/);
    });
  });
}
