import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { engines, testOn } from '../../../support/engines.ts';
import { contentsOf, openMailPlace, SITE } from './places.ts';
import { assertEmailHtml } from './valid-html.ts';

const [engine] = engines as [(typeof engines)[number]];
const test = testOn(engine);

describe('the e-mail about missed messages', () => {
  test('names and texts of users become no header, no recipient and no markup', async (t) => {
    const place = await openMailPlace(t, engine);
    const { storage, ids, box, say, wait } = place;
    const evil = 'Eve\r\nBcc: victim@example.com\r\n\r\n<script>alert(1)</script> "<x@example.com>';
    const channel = await place.channel('general', ['Ada', 'Ben']);
    // The API refuses such names. Older rows could have them.
    await storage.write(async (tx) => {
      await tx.users.update(ids.Ada as number, { full_name: evil });
      await tx.channels.update(channel, { name: evil });
      await tx.organization.update({ name: evil });
    });
    await place.as('Ben').settings.edit({ realm_name_in_email_notifications_policy: 2 });
    await say('Ada', channel, 'a > b\u202e', '@**all** <script>alert(2)</script> <img src=x onerror=alert(3)>');
    await wait();
    const letter = box.latest();
    assert.deepEqual(
      letter.to?.map(({ address }) => address),
      ['ben@example.com'],
    );
    assert.deepEqual([letter.bcc, letter.cc, letter.from?.address], [undefined, undefined, 'chat@example.com']);
    assert.doesNotMatch(`${letter.subject} ${letter.from?.name}`, /[\r\n\u202e]/);
    assert.ok(!letter.headers.some(({ key }) => key === 'bcc'));
    assert.doesNotMatch(letter.html ?? '', /<script|<img|onerror=(?!alert\(3\)&gt;)/);
    await assertEmailHtml(letter.html ?? '');
  });

  test('headers let mail programs thread, filter and unsubscribe, and stay the same for a conversation', async (t) => {
    const place = await openMailPlace(t, engine);
    const { box, say, direct, wait, as } = place;
    const channel = await place.channel('general', ['Ada', 'Ben', 'Cyd']);
    await say('Ada', channel, 'tea', '@**Ben** one');
    await wait();
    await say('Ada', channel, 'tea', '@**Ben** two');
    await wait();
    await direct('Ada', 'Ben', 'three');
    await wait();
    const letters = box.letters.filter(({ to }) => to?.[0]?.address === 'ben@example.com').slice(-3);
    const header = (at: number, name: string) => letters[at]?.headers.find(({ key }) => key === name)?.value;
    const [one, two, three] = letters.map(({ inReplyTo, references }) => [inReplyTo, references]);
    assert.deepEqual(one, two);
    assert.notDeepEqual(two, three);
    assert.match(String(one?.[0]), /^<parlance\.\w{24}@example\.com>$/);
    assert.equal(new Set(letters.map(({ messageId }) => messageId)).size, 3);
    assert.equal(header(0, 'list-id'), `<channel-${channel}.chat.example.com>`);
    assert.equal(header(2, 'list-id'), undefined);
    assert.deepEqual([header(0, 'auto-submitted'), header(0, 'precedence')], ['auto-generated', 'bulk']);
    assert.equal(header(0, 'list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
    const [, token = ''] =
      /^<https:\/\/chat\.example\.com\/accounts\/unsubscribe\/(\w+)\/>$/.exec(header(0, 'list-unsubscribe') ?? '') ??
      [];
    assert.equal((await place.chat.anonymous().settings.unsubscribe({ token })).kind, 'mentions');
    await direct('Ada', 'Ben', 'four');
    await wait();
    assert.equal(box.letters.filter(({ to }) => to?.[0]?.address === 'ben@example.com').at(-1)?.text, letters[2]?.text);
    await as('Ben').settings.edit({ enable_offline_email_notifications: true });
  });

  test('a message of 10,000 characters, a long name and much markup make a bounded e-mail', async (t) => {
    const place = await openMailPlace(t, engine);
    const { box, direct, wait, storage, ids } = place;
    await storage.write((tx) => tx.users.update(ids.Ada as number, { full_name: 'N'.repeat(1_000) }));
    for (const part of ['"', '**b** ', 'x']) {
      for (let n = 0; n < 10; n++)
        for (const length of [9_000, 1_800]) await direct('Ada', 'Ben', part.repeat(length / part.length));
      await wait();
      const { html = '', text = '' } = box.latest();
      assert.ok(Buffer.byteLength(html) < 100_000, `${Buffer.byteLength(html)} bytes of HTML with ${part}`);
      assert.ok(Buffer.byteLength(text) < 100_000, `${Buffer.byteLength(text)} bytes of text with ${part}`);
      const more = Number(/\nAnd (\d+) more\.\n/.exec(text)?.[1] ?? 0);
      assert.equal(contentsOf(text).length + more, 20, 'all messages count');
      assert.ok(html.includes(text.match(/Stop these e-mails: (\S+)/)?.[1] ?? '?'), 'the link is in both forms');
    }
    const letter = box.latest();
    assert.ok((letter.subject ?? '').length <= 150);
    assert.ok((letter.from?.name ?? '').length <= 80);
    assert.match(letter.text ?? '', /x{1999}…/);
  });

  test('the HTML shows formatting, links within the chat, emoji and formulas, and loads nothing', async (t) => {
    const place = await openMailPlace(t, engine);
    const { box, direct, wait } = place;
    await direct(
      'Ada',
      'Ben',
      [
        '**bold** :tada: $$x^2$$ [site](https://example.com/?a=1&b=2) #**nowhere** @**Ben**',
        '> quoted',
        '```spoiler Answer\nforty-two\n```',
        '```js\nlet a = "<b>";\n```',
        '1. one\n2. two',
        'https://example.com/cat.png',
      ].join('\n\n'),
    );
    await wait();
    const html = box.latest().html ?? '';
    await assertEmailHtml(html);
    assert.match(html, /<strong>bold<\/strong> 🎉 <code style="[^"]+">x\^2<\/code>/);
    assert.match(html, /<a href="https:\/\/example\.com\/\?a=1&amp;b=2" style="[^"]+">site<\/a>/);
    assert.match(html, /<blockquote style="[^"]+">\s*<p style="[^"]+">quoted<\/p>\s*<\/blockquote>/);
    assert.match(html, /Answer[\s\S]*Hidden text/);
    assert.doesNotMatch(html, /forty-two/);
    assert.match(html, /let a = "&lt;b&gt;";|let a = &quot;&lt;b&gt;&quot;;/);
    assert.match(html, /<ol start="1" style="[^"]+">\s*<li style="margin:0">/);
    assert.match(html, /<a href="https:\/\/example\.com\/cat\.png" style="[^"]+">cat\.png<\/a>/);
  });

  test('the HTML of all other kinds of e-mail is valid, runs nothing and loads nothing', async (t) => {
    const place = await openMailPlace(t, engine, ['Ben']);
    const { as, chat, box, say, wait, clock, storage } = place;
    const evil = '</title><script>alert(1)</script> "a" & \'b\' <img src=x onerror=alert(2)>';
    await storage.write((tx) => tx.organization.update({ name: evil }));
    await as('Ada').organization.edit({ digest_emails_enabled: true });
    const channel = await place.channel('general', ['Ada', 'Ben']);
    // More conversations than e-mails in an hour.
    for (let n = 0; n < 25; n++)
      await say('Ada', channel, `<b>${n} &`, '@**Ben** <script>alert(3)</script>\n\n> & more');
    await wait();
    await wait(3_600);
    await as('Ada').invites.send({ invitee_emails: 'dee@example.com', invite_as: 400, stream_ids: [] });
    await chat.anonymous().passwords.requestReset({ email: 'ben@example.com' });
    await chat.runDue();
    clock.advance({ seconds: 4 * 24 * 3_600 - 3_600 });
    await chat.runDue();
    const kinds = new Map<string, string>();
    for (const { subject = '', html } of box.letters)
      if (html !== undefined) kinds.set(subject.replaceAll(evil, 'Example').replace(/<b>.*/, ''), html);
    for (const html of kinds.values()) await assertEmailHtml(html);
    assert.deepEqual([...kinds.keys()].sort(), [
      '#general > ',
      'Ada has invited you to join Example',
      'New messages in Example',
      'Reset your password for Example',
      'Your week in Example',
    ]);
  });

  test('without message content, an e-mail names no sender, channel and topic', async (t) => {
    const place = await openMailPlace(t, engine);
    const { box, as, say, wait } = place;
    const channel = await place.channel('secret-plans', ['Ada', 'Ben', 'Cyd']);
    await wait();
    const before = box.letters.length;
    await as('Ben').settings.edit({ message_content_in_email_notifications: false });
    await say('Ada', channel, 'coup', '@**Ben** tonight');
    await wait();
    await as('Ada').organization.edit({ message_content_allowed_in_email_notifications: false });
    await say('Ada', channel, 'feast', '@**Cyd** tomorrow');
    await wait();
    const letters = box.letters.slice(before);
    assert.deepEqual(
      letters.map(({ to, subject, from }) => [to?.[0]?.address, subject, from?.name]),
      ['ben', 'cyd'].map((name) => [`${name}@example.com`, 'New messages in Example', 'Example']),
    );
    for (const { text = '', html = '' } of letters) {
      assert.match(text, /^You have a new message in Example\.\n/);
      assert.doesNotMatch(`${text} ${html}`, /Ada|secret-plans|coup|feast|tonight|tomorrow/);
      assert.match(text, new RegExp(`^${SITE}/#narrow/channel/${channel}/near/\\d+$`, 'm'));
    }
  });

  test('a restricted guest gets no name of a user whom they cannot see', async (t) => {
    const place = await openMailPlace(t, engine, ['Ben'], { audience: 'customers' });
    const { as, ids, chat, wait, mailed, say, box } = place;
    const guest = await chat.system().users.ensure({ email: 'kit@example.com', full_name: 'Kit' });
    const channel = await place.channel('help', ['Ben'], {});
    await as('Ada').subscriptions.add({ subscriptions: [{ name: 'help' }], principals: [guest.user_id] });
    await wait();
    mailed();
    const before = box.letters.length;
    // Ada writes from outside: Kit shares no channel with her.
    await as('Ada').subscriptions.remove({ subscriptions: ['help'] });
    await say('Ada', channel, 'x', 'From outside.');
    await wait();
    const [letter] = box.letters.slice(before).filter(({ to }) => to?.[0]?.address === 'kit@example.com');
    assert.equal(letter?.from?.name, 'Unknown user');
    assert.doesNotMatch(`${letter?.text} ${letter?.html}`, /\bAda\b/);
    assert.ok(ids.Ada);
  });

  test('a customer gets the answer in a room by e-mail, with a link to the page of the host', async (t) => {
    const place = await openMailPlace(t, engine, [], {
      audience: 'customers',
      messageUrl: ({ external_id }, _, { role }) =>
        external_id && role === 600 ? `https://shop.example.com/orders/${external_id}` : undefined,
    });
    const { chat, ids, box, wait, mailed } = place;
    const kit = await chat.system().users.ensure({ email: 'kit@example.com', full_name: 'Kit' });
    const staff = { email: 'ben@example.com', full_name: 'Ben', role: 400 } as const;
    ids.Ben = (await chat.system().users.ensure(staff)).user_id;
    await chat.system().userGroups.create({ name: 'support', description: '', members: [ids.Ben] });
    const room = await chat.rooms.ensure({
      external_id: 'o-17',
      name: 'Order 17',
      members: [kit.user_id],
      staff: 'support',
    });
    await wait();
    mailed();
    const send = (user: number, content: string) =>
      chat.as(user).messages.send({ type: 'channel', to: room.stream_id, topic: '', content });
    await send(kit.user_id, 'Where is it?');
    await wait();
    assert.deepEqual(mailed(), [], 'staff get no e-mail about each question');
    await send(ids.Ben, 'On its way.');
    await wait();
    assert.deepEqual(mailed(), [['kit@example.com', '#Order 17', 'On its way.']]);
    const { text = '' } = box.latest();
    assert.match(text, /\nhttps:\/\/shop\.example\.com\/orders\/o-17\n/);
    assert.doesNotMatch(text, /Settings:/);
    assert.ok(text.includes(`Stop these e-mails: ${SITE}/accounts/unsubscribe/`));
  });

  test('an address with an internationalized domain gets its e-mail, and three bounces pause the account', async (t) => {
    const place = await openMailPlace(t, engine);
    const { as, ids, box, direct, wait, clock, mailed } = place;
    const { user_id } = await as('Ada').users.create({ email: 'bo@bücher.example', full_name: 'Bo' });
    ids.Bo = user_id;
    await direct('Ada', 'Bo', 'Hallo');
    await wait();
    assert.equal(box.latest().to?.[0]?.address, 'bo@xn--bcher-kva.example');
    mailed();
    box.refusals.set('ben@example.com', { code: 550, says: '5.1.1 no such user' });
    const pause = async (of: string) =>
      (await as(of).users.get({ user_id: ids.Ben as number })).user.email_paused_until;
    for (let n = 0; n < 3; n++) {
      assert.equal(await pause('Ada'), undefined);
      await direct('Ada', 'Ben', `bounces ${n}`);
      await wait();
    }
    assert.ok(Number(await pause('Ada')) > clock.now() / 1000 + 6 * 86_400);
    assert.equal(await pause('Cyd'), undefined, 'only administrators see it');
    box.refusals.clear();
    await direct('Ada', 'Ben', 'paused');
    await wait();
    assert.deepEqual(mailed(), []);
    clock.advance({ seconds: 7 * 86_400 });
    await direct('Ada', 'Ben', 'a week later');
    await wait();
    assert.deepEqual(mailed(), [['ben@example.com', 'Ada', 'a week later']]);
  });
});
