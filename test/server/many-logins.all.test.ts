import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { newAccount } from '../../lib/domains/users/account-creation.ts';
import { hashPassword, setPasswordCost } from '../../lib/domains/users/passwords.ts';
import { transportOf } from '../../lib/internal.ts';
import { until } from '../support/until.ts';
import { type Running, running } from './running.ts';

/** Accounts with a password each, created at once. */
async function people({ chat }: Running, count: number): Promise<{ email: string; password: string }[]> {
  const { storage, clock } = transportOf(chat).engine;
  const password = 'a long password';
  const password_hash = await hashPassword(password);
  const emails = Array.from({ length: count }, (_, at) => `person${at}@example.com`);
  const account = (email: string) =>
    newAccount({ email, full_name: email, role: 400, now: clock.now(), password_hash });
  await storage.write((tx) => tx.users.createMany(emails.map(account)));
  return emails.map((email) => ({ email, password }));
}

test('120 users of an office log in while an attacker there fails at least 100 times', async (t) => {
  const server = await running(t);
  const office = await people(server, 120);
  const api = async (username: string, password: string) =>
    (await server.send('POST', '/api/v1/fetch_api_key', { auth: null, form: { username, password } })).status;
  const form = async (email: string, password: string) =>
    (await server.send('POST', '/login', { auth: null, form: { email, password } })).status;
  const logIn = ({ email, password }: { email: string; password: string }, at: number) =>
    at % 2 === 0 ? api(email, password) : form(email, password);
  const attack = (from: number, count: number) =>
    Promise.all(Array.from({ length: count }, (_, at) => api(`guess${from + at}@example.com`, 'password1')));
  const together = await Promise.all([Promise.all(office.slice(0, 119).map(logIn)), attack(0, 90)]);
  assert.deepEqual(new Set(together[0]), new Set([200, 303]));
  assert.deepEqual(new Set(together[1]), new Set([401]));
  const beyond = await attack(90, 60);
  const { length: refused } = beyond.filter((status) => status === 429);
  // Two attempts of unknown accounts run at the same time.
  assert.ok(refused >= 46, `${refused} of 60 guesses are refused`);
  // They have logged in from there before, so the attacker cannot block them.
  assert.deepEqual(new Set(await Promise.all(office.slice(0, 119).map(logIn))), new Set([200, 303]));
  // A new account there waits for the end of the minute.
  const last = office.at(-1) as { email: string; password: string };
  assert.equal(await api(last.email, last.password), 429);
  assert.equal(await form(last.email, last.password), 429);
});

/** The accounts person0 and person1 are known at an address. person1 logs in during `count` parallel logins. */
async function loggingInDuring(t: TestContext, { count, other }: { count: number; other: (at: number) => string }) {
  // Checking a password takes longer than answering the others.
  setPasswordCost(14);
  t.after(() => setPasswordCost(4));
  const server = await running(t, { rateLimits: { authenticate_by_ip: { max: 40, seconds: 60 } } });
  await people(server, 2);
  const password = 'a long password';
  const logIn = async (username: string) =>
    (await server.send('POST', '/api/v1/fetch_api_key', { auth: null, form: { username, password } })).status;
  for (const name of ['person0', 'person1']) assert.equal(await logIn(`${name}@example.com`), 200);
  let checked = 0;
  const others = Array.from({ length: count }, async (_, at) => {
    const status = await logIn(other(at));
    if (status !== 429) checked++;
    return status;
  });
  await until('the first of the others is checked', () => checked > 0, { every: 1 });
  const before = checked;
  assert.equal(await logIn('person1@example.com'), 200);
  const during = checked - before;
  return { during, statuses: await Promise.all(others) };
}

test('parallel logins of one account delay other accounts at its address by a few passwords', async (t) => {
  const { during, statuses } = await loggingInDuring(t, { count: 60, other: () => 'person0@example.com' });
  assert.ok(during <= 5, `${during} passwords were checked first`);
  assert.deepEqual(new Set(statuses), new Set([200, 429]));
  const { length: checked } = statuses.filter((status) => status === 200);
  assert.ok(checked >= 11 && checked <= 25, `${checked} of 60 logins may wait`);
});

test('parallel logins of unknown accounts delay known accounts at the address by a few passwords', async (t) => {
  const { during, statuses } = await loggingInDuring(t, { count: 200, other: (at) => `guess${at}@example.com` });
  assert.ok(during <= 8, `${during} passwords were checked first`);
  const { length: checked } = statuses.filter((status) => status === 401);
  assert.ok(checked >= 40 && checked <= 41, `${checked} guesses are checked`);
});
