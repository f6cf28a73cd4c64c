import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { request } from 'undici';
import { transportOf } from '../../lib/internal.ts';
import { testOn } from '../support/engines.ts';
import { bothEngines } from '../world/copies.ts';
import { PASSWORD } from '../world/fixture.ts';
import { twoProcesses } from '../world/processes.ts';
import { serving } from '../world/transports.ts';

const OTP = '0f'.repeat(32);
/** Between the check of a login and what it opens. */
const STEPS = { keyOf: `login?mobile_flow_otp=${OTP}`, newCookie: 'login' } as const;

for (const engine of bothEngines) {
  const test = testOn(engine);
  describe(`a login while its account is raised, on ${engine.name}`, () => {
    for (const way of ['password', 'API key'] as const) {
      for (const [step, path] of Object.entries(STEPS)) {
        test(`opens nothing if another process commits the raise before ${step}: ${way}`, async (t) => {
          const [here, there] = await twoProcesses(t, engine);
          const { users, emails, chat } = here;
          await here.settings({ second_factor_required_for: 'administrators' });
          const form: Record<string, string> =
            way === 'password'
              ? { email: emails.hamlet, password: PASSWORD }
              : { key_email: emails.hamlet, api_key: await chat.apiKeyOf(users.hamlet) };
          const transport = transportOf(chat);
          const original = transport[step as keyof typeof STEPS] as (account: object) => Promise<never>;
          const logIn = async (site: string) => {
            const answer = await request(`${site}/${path}`, {
              method: 'POST',
              headers: { 'content-type': 'application/x-www-form-urlencoded' },
              body: new URLSearchParams(form).toString(),
            });
            return { ...answer, text: await answer.body.text() };
          };
          await serving(here, async (site) => {
            assert.equal((await logIn(site)).statusCode, 303);
            transport[step as keyof typeof STEPS] = async (account: object) => {
              await there.as('owner').users.edit({ user_id: users.hamlet, role: 200 });
              return original(account);
            };
            const { statusCode, headers, text } = await logIn(site);
            assert.deepEqual([statusCode, headers.location, headers['set-cookie']], [400, undefined, undefined]);
            assert.match(text, /Your logins have just ended\. Log in again\./);
          });
        });
      }
    }
  });
}
