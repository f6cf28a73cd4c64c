import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import { type Chat, type ChatOptions, openChat, type Session, smtp } from '../../../../lib/index.ts';
import type { Storage } from '../../../../lib/storage/interface/storage.ts';
import { type Engine, testOn } from '../../../support/engines.ts';
import { type Mailbox, openMailbox } from '../../../support/mailbox.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { keyIn } from './keys.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const START = Date.UTC(2026, 10, 20, 9, 30);

interface Place {
  chat: Chat;
  ada: Session;
  /** The session of a member. */
  ben: Session;
  clock: ManualClock;
  box: Mailbox;
  storage: Storage;
  /** Opens another process with the same database. */
  another(options?: Partial<ChatOptions>): Promise<Chat>;
}

export function invitationEmails(engine: Engine): void {
  const test = testOn(engine);

  async function open(t: TestContext, options: { asciiOnly?: boolean } = {}): Promise<Place> {
    const place = await engine.open();
    t.after(() => place.dispose());
    const box = await openMailbox(t, options);
    const clock = new ManualClock(START);
    const process = (storage: Storage, more: Partial<ChatOptions> = {}) =>
      openChat({
        storage,
        mail: smtp({ url: box.url, from: 'Chat <chat@example.com>', timeoutMs: 2_000 }),
        clock,
        logger: quiet,
        baseUrl: 'https://chat.example.com',
        // Accepted invitations notify the inviter.
        notifications: { email: false },
        ...more,
      });
    const chat = await process(place.storage);
    t.after(() => chat.close());
    const founder = await chat.createOrganization({
      name: 'Example & <Sons>',
      owner: { email: 'ada@example.com', full_name: "Ada O'Neill" },
    });
    const { user_id } = await chat.as(founder).users.create({ email: 'ben@example.com', full_name: 'Ben' });
    return {
      chat,
      clock,
      box,
      storage: place.storage,
      ada: chat.as(founder),
      ben: chat.as(user_id),
      another: async (options) => {
        const other = await process(await place.reopen(), options);
        t.after(() => other.close());
        return other;
      },
    };
  }

  const invite = ({ ada }: Place, invitee_emails: string, more: object = {}) =>
    ada.invites.send({ invitee_emails, stream_ids: [], ...more });

  const states = async ({ ada }: Place) =>
    (await ada.invites.list()).invites.map(({ email, email_state, email_error }) => [email, email_state, email_error]);

  const recipients = ({ letters }: Mailbox) => letters.flatMap(({ to }) => to?.map(({ address }) => address)).sort();

  describe(`e-mails of invitations on ${engine.name}`, () => {
    test('the worker sends an invitation e-mail with a link in plain text and HTML', async (t) => {
      const place = await open(t);
      const { box, chat } = place;
      assert.deepEqual(await invite(place, 'Cleo <cleo@example.com>'), {});
      assert.equal(box.letters.length, 0, 'no e-mail is sent before the commit');
      assert.deepEqual(await states(place), [['cleo@example.com', 'waiting', undefined]]);
      await chat.runDue();
      const letter = box.latest();
      assert.deepEqual(recipients(box), ['cleo@example.com']);
      assert.equal(letter.from?.address, 'chat@example.com');
      assert.equal(letter.subject, "Ada O'Neill has invited you to join Example & <Sons>");
      assert.match(letter.text ?? '', /Ada O'Neill has invited you to join Example & <Sons>/);
      assert.match(letter.text ?? '', /works until Monday,? 30 November 2026.* 09:30 UTC/);
      const { key, link } = linkIn(letter.text);
      assert.match(letter.html ?? '', /Ada O&#x27;Neill has invited you to join Example &amp; &lt;Sons&gt;/);
      assert.ok(letter.html?.includes(`href="${link}"`));
      assert.deepEqual(await states(place), [['cleo@example.com', 'sent', undefined]]);
      const { email } = await chat.anonymous().invites.accept({ key, full_name: 'Cleo' });
      assert.equal(email, 'cleo@example.com');
      assert.equal(await chat.runDue(), 0, 'the e-mail is sent once');
    });

    test('the link of an invitation is neither in the database nor in the outbox', async (t) => {
      const place = await open(t);
      await invite(place, 'cleo@example.com');
      const { link_url } = (await place.ada.invites.list({ include_links: true })).invites[0] ?? {};
      const kept = await place.storage.write(async (tx) => [
        await tx.outbox.claimDue('invitation', Number.MAX_SAFE_INTEGER, 1, 10),
        await tx.invitations.pending(0),
      ]);
      assert.ok(!JSON.stringify(kept).includes(keyIn(link_url)));
    });

    test('an invitation e-mail is retried until the mail server is up again', async (t) => {
      const place = await open(t);
      const { box, chat, clock } = place;
      await box.close();
      await invite(place, 'cleo@example.com');
      await chat.runDue();
      const [[, state, error] = []] = await states(place);
      assert.equal(state, 'waiting');
      assert.match(String(error), /ECONNREFUSED|connect/);
      assert.equal(await chat.runDue(), 0, 'no retry before its time');
      await box.reopen();
      clock.advance({ seconds: 5 });
      await chat.runDue();
      assert.deepEqual(recipients(box), ['cleo@example.com']);
      assert.deepEqual(await states(place), [['cleo@example.com', 'sent', undefined]]);
    });

    test('an e-mail whose response was lost is sent again with the same Message-ID', async (t) => {
      const place = await open(t);
      const { box, chat, clock } = place;
      box.forgets.add('cleo@example.com');
      await invite(place, 'cleo@example.com, dora@example.com');
      await chat.runDue();
      clock.advance({ seconds: 5 });
      await chat.runDue();
      assert.deepEqual(recipients(box), ['cleo@example.com', 'cleo@example.com', 'dora@example.com']);
      const [first, second] = box.letters.filter(({ to }) => to?.[0]?.address === 'cleo@example.com');
      assert.match(first?.messageId ?? '', /^<[\w.-]+@example\.com>$/);
      assert.equal(first?.messageId, second?.messageId);
      assert.equal(new Set(box.letters.map(({ messageId }) => messageId)).size, 2);
    });

    test('an invitation to an unknown mailbox fails at once, and the list shows the reason', async (t) => {
      const place = await open(t);
      const { box, chat } = place;
      box.refusals.set('cleo@example.com', { code: 550, says: '5.1.1 No such user here' });
      await invite(place, 'cleo@example.com, dora@example.com');
      await chat.runDue();
      assert.deepEqual(recipients(box), ['dora@example.com']);
      const [cleo, dora] = await states(place);
      assert.deepEqual(cleo?.slice(0, 2), ['cleo@example.com', 'failed']);
      assert.match(String(cleo?.[2]), /No such user here/);
      assert.deepEqual(dora, ['dora@example.com', 'sent', undefined]);
      const [given] = await chat.givenUp();
      assert.match(given?.last_error ?? '', /No such user here/);
    });

    test('D13: a mailbox with letters outside ASCII fails on a mail server without SMTPUTF8', async (t) => {
      const place = await open(t, { asciiOnly: true });
      await invite(place, 'zoë@example.com, ann@bücher.example, jürgen.k@example.com, 劳动@bücher.example');
      await place.chat.runDue();
      assert.deepEqual(recipients(place.box), ['ann@xn--bcher-kva.example']);
      for (const [email, state, error] of await states(place)) {
        assert.equal(state, email === 'ann@bücher.example' ? 'sent' : 'failed');
        if (state === 'failed') assert.match(String(error), /does not support SMTPUTF8/);
      }
    });

    test('D13: a mailbox with letters outside ASCII gets its invitation on other mail servers', async (t) => {
      const place = await open(t);
      await invite(place, 'zoë@example.com');
      await place.box.close();
      await place.chat.runDue();
      assert.deepEqual(
        (await states(place)).map(([, state]) => state),
        ['waiting'],
      );
      await place.box.reopen();
      place.clock.advance({ hours: 1 });
      await place.chat.runDue();
      assert.deepEqual(recipients(place.box), ['zoë@example.com']);
    });

    test('an invitation e-mail is retried after relaying denied, greylisting and a full mailbox', async (t) => {
      const place = await open(t);
      const { box, chat, clock } = place;
      box.refusals.set('cleo@example.com', { code: 550, says: '5.7.1 Relaying denied' });
      box.refusals.set('dora@example.com', { code: 451, says: '4.7.1 Greylisted, come back' });
      box.refusals.set('emil@example.com', { code: 552, says: '5.2.2 Mailbox full' });
      await invite(place, 'cleo@example.com, dora@example.com, emil@example.com');
      await chat.runDue();
      assert.deepEqual(
        (await states(place)).map(([, state]) => state),
        ['waiting', 'waiting', 'waiting'],
      );
      box.refusals.clear();
      clock.advance({ seconds: 5 });
      await chat.runDue();
      assert.deepEqual(
        (await states(place)).map(([, state]) => state),
        ['sent', 'sent', 'sent'],
      );
    });

    test('an invitation revoked or accepted before its e-mail was sent sends none', async (t) => {
      const place = await open(t);
      const { box, chat, ada } = place;
      await invite(place, 'cleo@example.com, dora@example.com');
      const [cleo, dora] = (await ada.invites.list({ include_links: true })).invites;
      await ada.invites.revoke({ invite_id: cleo?.id as number });
      await chat.anonymous().invites.accept({ key: keyIn(dora?.link_url), full_name: 'Dora' });
      await chat.runDue();
      assert.deepEqual(recipients(box), []);
    });

    test('resending an invitation sends the same link again and does not change its expiry', async (t) => {
      const place = await open(t);
      const { box, chat, ada, clock } = place;
      await invite(place, 'cleo@example.com');
      await chat.runDue();
      const [before] = (await ada.invites.list()).invites;
      clock.advance({ days: 1 });
      assert.deepEqual(await ada.invites.resend({ invite_id: before?.id as number }), {});
      assert.deepEqual(await states(place), [['cleo@example.com', 'waiting', undefined]]);
      await chat.runDue();
      assert.equal(box.letters.length, 2);
      const [first, second] = box.letters;
      assert.equal(linkIn(first?.text).link, linkIn(second?.text).link);
      assert.notEqual(first?.messageId, second?.messageId);
      assert.equal((await ada.invites.list()).invites[0]?.expiry_date, before?.expiry_date);
    });

    test('resending an invitation counts for the daily limit', async (t) => {
      const place = await open(t);
      const { ada, ben } = place;
      await ada.organization.edit({ max_invites: 2 });
      await ben.invites.send({ invitee_emails: 'cleo@example.com', stream_ids: [] });
      const invite_id = (await ben.invites.list()).invites[0]?.id as number;
      await ben.invites.resend({ invite_id });
      await assert.rejects(ben.invites.resend({ invite_id }), {
        code: 'INVITATION_FAILED',
        data: { errors: [], sent_invitations: false, daily_limit_reached: true, license_limit_reached: false },
      });
    });

    test('a reminder of an invitation is sent once, two days before it expires', async (t) => {
      const place = await open(t);
      const { box, chat, clock } = place;
      await invite(place, 'cleo@example.com');
      await chat.runDue();
      clock.advance({ seconds: 8 * 86_400 - 1 });
      await chat.runDue();
      assert.equal(box.letters.length, 1);
      clock.advance({ seconds: 1 });
      await chat.runDue();
      assert.equal(box.letters.length, 2);
      assert.equal(box.latest().subject, "Reminder: Ada O'Neill has invited you to join Example & <Sons>");
      assert.equal(linkIn(box.latest().text).link, linkIn(box.letters[0]?.text).link);
      clock.advance({ days: 1 });
      await chat.runDue();
      assert.equal(box.letters.length, 2);
    });

    test('an invitation valid for less than four days or without expiry sends no reminder', async (t) => {
      const place = await open(t);
      const { box, chat, clock } = place;
      await invite(place, 'cleo@example.com', { invite_expires_in_minutes: 4 * 1_440 - 1 });
      await invite(place, 'dora@example.com', { invite_expires_in_minutes: null });
      await invite(place, 'emil@example.com', { invite_expires_in_minutes: 4 * 1_440 });
      await chat.runDue();
      box.letters.length = 0;
      clock.advance({ days: 3 });
      await chat.runDue();
      assert.deepEqual(recipients(box), ['emil@example.com']);
    });

    test('an invitation that was revoked, accepted or replaced sends no reminder', async (t) => {
      const place = await open(t);
      const { box, chat, ada, clock } = place;
      await invite(place, 'cleo@example.com, dora@example.com, emil@example.com');
      const [cleo, dora] = (await ada.invites.list({ include_links: true })).invites;
      await ada.invites.revoke({ invite_id: cleo?.id as number });
      await chat.anonymous().invites.accept({ key: keyIn(dora?.link_url), full_name: 'Dora' });
      await invite(place, 'Emil@example.com', { invite_expires_in_minutes: null });
      await chat.runDue();
      box.letters.length = 0;
      clock.advance({ days: 8 });
      await chat.runDue();
      assert.deepEqual(recipients(box), []);
    });

    test('an invitation resent shortly before its reminder sends no reminder', async (t) => {
      const place = await open(t);
      const { box, chat, ada, clock } = place;
      await invite(place, 'cleo@example.com, dora@example.com');
      await chat.runDue();
      clock.advance({ days: 7 });
      await ada.invites.resend({ invite_id: (await ada.invites.list()).invites[0]?.id as number });
      await chat.runDue();
      box.letters.length = 0;
      clock.advance({ days: 1 });
      await chat.runDue();
      assert.deepEqual(recipients(box), ['dora@example.com']);
    });

    test('two processes send each invitation e-mail and reminder once', async (t) => {
      const place = await open(t);
      const { box, chat, clock } = place;
      const other = await place.another();
      const people = Array.from({ length: 40 }, (_, at) => `p${String(at).padStart(2, '0')}@example.com`);
      await invite(place, people.join());
      await Promise.all([chat.runDue(), other.runDue()]);
      assert.deepEqual(recipients(box), people);
      box.letters.length = 0;
      clock.advance({ days: 8 });
      await Promise.all([chat.runDue(), other.runDue()]);
      assert.deepEqual(recipients(box), people);
    });

    test('invitations are deleted 30 days after their end, and not before', async (t) => {
      const place = await open(t);
      const { chat, ada, clock, storage } = place;
      const some = Array.from({ length: 700 }, (_, at) => `p${at}@example.com`).join();
      await invite(place, some, { invite_expires_in_minutes: 3 * 1_440 });
      await invite(place, 'cleo@example.com, dora@example.com', { invite_expires_in_minutes: null });
      const { invites } = await ada.invites.list();
      const [cleo, dora] = invites.slice(-2).map(({ id }) => id) as [number, number];
      await ada.invites.revoke({ invite_id: cleo });
      await storage.write((tx) => tx.outbox.done(Array.from({ length: 1_000 }, (_, at) => at)));
      const there = (id = 0) => storage.read(async (tx) => (await tx.invitations.byId(id)) !== undefined);
      const first = invites[0]?.id;
      clock.advance({ milliseconds: 30 * 86_400_000 - 1 });
      await chat.runDue();
      assert.deepEqual([await there(first), await there(cleo)], [true, true]);
      clock.advance({ milliseconds: 1 });
      await chat.runDue();
      assert.deepEqual([await there(first), await there(cleo)], [true, false]);
      clock.advance({ days: 3 });
      assert.ok((await chat.runDue()) >= 700);
      assert.deepEqual([await there(first), await there(cleo), await there(dora)], [false, false, true]);
      assert.equal(await storage.read((tx) => tx.invitations.oldestEnd()), undefined);
      assert.equal(await chat.runDue(), 0);
    });

    test('a process without e-mail leaves waiting invitation e-mails to one with e-mail', async (t) => {
      const place = await open(t);
      const { box, chat } = place;
      const silent = await openSilent(place);
      const session = silent.as('ada@example.com');
      await session.invites.send({ invitee_emails: 'cleo@example.com', stream_ids: [] });
      assert.match((await session.invites.list({ include_links: true })).invites[0]?.link_url ?? '', /\/join\//);
      await invite(place, 'dora@example.com');
      await chat.runDue();
      assert.deepEqual(recipients(box), ['dora@example.com']);
      assert.deepEqual(await states(place), [
        ['cleo@example.com', 'none', undefined],
        ['dora@example.com', 'sent', undefined],
      ]);
    });

    test('names cannot add headers or markup to an invitation e-mail', async (t) => {
      const place = await open(t);
      const { box, chat, ada } = place;
      await ada.organization.edit({ name: "Evil' onclick='x" });
      await ada.settings.edit({ full_name: 'Ada <b, Bcc: x at y' });
      await invite(place, 'cleo@example.com');
      await chat.runDue();
      const letter = box.latest();
      assert.equal(letter.subject, "Ada <b, Bcc: x at y has invited you to join Evil' onclick='x");
      assert.equal(letter.bcc, undefined);
      assert.ok(!letter.html?.includes("onclick='"));
      assert.ok(!letter.html?.includes('<b,'));
      assert.deepEqual(recipients(box), ['cleo@example.com']);
    });
  });
}

function openSilent({ another }: Place): Promise<Chat> {
  return another({ mail: undefined as never });
}

function linkIn(text = ''): { link: string; key: string } {
  const link = /https:\/\/\S+/.exec(text)?.[0];
  return { link: link ?? '', key: keyIn(link) };
}
