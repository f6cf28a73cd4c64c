import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testChat } from '../../../../lib/testing/testing.ts';

const people = [
  { email: 'new@example.com', full_name: 'New' },
  { email: 'other@example.com', full_name: 'Other' },
];
const tokenIn = (text = '') => /\/accounts\/password\/reset\/([^/\s]+)\//.exec(text)?.[1] ?? assert.fail(text);

test('users.createMany with invite mails each new account a link to set a password, which works for a week', async (t) => {
  const { chat, people: known, clock, emails, close } = await testChat();
  t.after(close);
  const { ada } = known;
  const dry = await ada.dryRun.users.createMany({ people, invite: true });
  assert.equal(dry.answer.people[0]?.outcome, 'created');
  await ada.users.createMany({ people: [{ email: ada.email, full_name: 'Ada' }, ...people], invite: true });
  await ada.users.createMany({ people, invite: true });
  await chat.runDue();
  assert.deepEqual(emails.map(({ to }) => to).sort(), ['new@example.com', 'other@example.com']);
  const [first, second] = ['new', 'other'].map((name) => emails.find(({ to }) => to === `${name}@example.com`));
  assert.match(first?.text ?? '', /Hello New,.*you have an account in Test/s);

  clock.advance({ days: 6 });
  const new_password = 'a correct horse of new';
  await chat.anonymous().passwords.reset({ token: tokenIn(first?.text), new_password });
  const { user_id } = await chat.anonymous().fetchApiKey({ username: 'new@example.com', password: new_password });
  assert.ok(user_id);
  clock.advance({ days: 1 });
  await assert.rejects(chat.anonymous().passwords.reset({ token: tokenIn(second?.text), new_password }), {
    code: 'BAD_REQUEST',
    message: /within 7 days/,
  });
});
