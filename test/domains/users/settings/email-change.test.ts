import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { smtp } from '../../../../lib/index.ts';
import { testOn } from '../../../support/engines.ts';
import { type Mailbox, openMailbox } from '../../../support/mailbox.ts';
import { featureEngines } from '../../../world/copies.ts';
import { serving } from '../../../world/transports.ts';
import type { World } from '../../../world/world.ts';
import { linksIn } from '../password-reset/links.ts';

const NEW = 'prince@example.com';

for (const engine of featureEngines) {
  const test = testOn(engine);
  const setUp = async (t: TestContext): Promise<{ world: World; box: Mailbox }> => {
    const box = await openMailbox(t);
    const world = await engine.world({ mail: smtp({ url: box.url, from: 'chat@example.com', timeoutMs: 2_000 }) });
    t.after(() => world.close());
    return { world, box };
  };
  const request = async (world: World, email: string) => {
    await world.as('hamlet').settings.edit({ email });
    await world.chat.runDue();
  };
  const addressOf = async (world: World) => (await world.as('owner').users.get({ user_id: world.users.hamlet })).user;
  const linkIn = (letter: { text?: string | undefined } | undefined) =>
    linksIn(letter?.text).find((link) => link.includes('/accounts/email/confirm/')) ?? '';

  test('a new address is confirmed by the link in an e-mail to it, and the old address is notified', async (t) => {
    const { world, box } = await setUp(t);
    await request(world, ` ${NEW} `);
    assert.equal((await addressOf(world)).delivery_email, 'Hamlet@example.com');
    const [letter] = box.letters;
    assert.deepEqual(letter?.to, [{ address: NEW, name: '' }]);
    assert.match(String(letter?.text), /instead of Hamlet@example\.com/);
    await serving(world, async (site) => {
      const address = new URL(new URL(linkIn(letter)).pathname, site);
      const page = await (await fetch(address)).text();
      assert.match(page, /<form method="post"/);
      assert.equal((await addressOf(world)).delivery_email, 'Hamlet@example.com');
      const done = await fetch(address, { method: 'POST', headers: { origin: site } });
      assert.match(await done.text(), /now has the address <strong>prince@example\.com/);
      assert.equal((await fetch(address, { method: 'POST', headers: { origin: site } })).status, 404);
    });
    assert.equal((await addressOf(world)).delivery_email, NEW);
    await world.chat.runDue();
    assert.deepEqual(box.letters[1]?.to, [{ address: 'Hamlet@example.com', name: '' }]);
    assert.match(String(box.letters[1]?.subject), /e-mail address .* was changed/);
  });

  test('a second request ends the first link, a link of an address sets no password, and e-mails are limited', async (t) => {
    const { world, box } = await setUp(t);
    await request(world, 'typo@example.com');
    await request(world, NEW);
    const [first = '', second = ''] = box.letters.map((letter) => linkIn(letter).split('/').at(-2));
    const anonymous = world.chat.anonymous();
    await assert.rejects(anonymous.settings.confirmEmail({ token: first }), { code: 'BAD_REQUEST' });
    await assert.rejects(anonymous.passwords.checkReset({ token: second }), { code: 'BAD_REQUEST' });
    await assert.rejects(request(world, 'third@example.com'), { code: 'RATE_LIMIT_HIT' });
    assert.equal((await anonymous.settings.confirmEmail({ token: second })).email, NEW);
    assert.equal(box.letters.length, 2);
  });

  test('a request ends with the logins, and with the API key that may have been stolen', async (t) => {
    const { world, box } = await setUp(t);
    const tokenNow = () => linkIn(box.latest()).split('/').at(-2) ?? '';
    const ended = (token: string) =>
      assert.rejects(world.chat.anonymous().settings.confirmEmail({ token }), { code: 'BAD_REQUEST' });
    await request(world, 'thief@example.com');
    await world.as('owner').users.endLogins({ user_id: world.users.hamlet });
    await ended(tokenNow());
    await request(world, NEW);
    await world.as('hamlet').users.regenerateApiKey();
    await ended(tokenNow());
  });

  test('a used, invalid or forbidden address is refused, and so is any on a server without e-mail', async (t) => {
    const { world, box } = await setUp(t);
    const refused = (email: string, message: RegExp) =>
      assert.rejects(request(world, email), { code: 'BAD_REQUEST', message });
    await refused('CORDELIA@example.com', /already in use/);
    await refused('not an address', /not an e-mail address/);
    await refused('', /not an e-mail address/);
    // Compared like the present address, but mail could go to another mailbox.
    await refused('Hamlet@\uff45xample.com', /not an e-mail address/);
    await request(world, 'Hamlet@example.com');
    // Cordelia's address is hidden now, so nothing tells it from a free one.
    await world.as('cordelia').settings.edit({ email_address_visibility: 4 });
    await request(world, 'cordelia@example.com');
    await world.settings({ email_changes_disabled: true });
    await refused(NEW, /Only administrators/);
    assert.deepEqual(box.letters, []);
    const silent = await engine.world({});
    t.after(() => silent.close());
    await assert.rejects(request(silent, NEW), { code: 'BAD_REQUEST', message: /sends no e-mail/ });
  });
}
