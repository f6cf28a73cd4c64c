import assert from 'node:assert/strict';
import { operationNamed, transportOf } from '../../../../lib/internal.ts';
import { testOn } from '../../../support/engines.ts';
import { featureEngines } from '../../../world/copies.ts';

for (const engine of featureEngines) {
  testOn(engine)(`a reactivation revives the API key, but no token and no cookie (${engine.name})`, async (t) => {
    const world = await engine.world();
    t.after(() => world.close());
    const { chat, users, emails } = world;
    const [owner, user_id] = [world.as('owner'), users.cordelia];
    const transport = transportOf(chat);
    const { api_key } = await owner.users.getApiKey({ user_id });
    const { token } = await chat.tokens.create({ user: user_id });
    const { value: cookie } = await transport.newCookie({ userId: user_id });
    const me = async (login: object) => {
      const caller = { ...(login as { userId: number }), client: 'test' };
      const answer = (await transport.engine.call(operationNamed('users.me'), caller)) as { user_id: number };
      return answer.user_id;
    };
    const logins = () =>
      Promise.all([transport.checkLogin('token', token), transport.checkLogin('cookie', cookie)] as const);
    const [byToken, byCookie] = await logins();
    assert.deepEqual([await me(byToken), await me(byCookie)], [user_id, user_id]);

    await owner.users.deactivate({ user_id });
    await assert.rejects(transport.authenticate(emails.cordelia, api_key), { code: 'UNAUTHORIZED' });
    await owner.users.reactivate({ user_id });
    for (const [ofToken, ofCookie] of [[byToken, byCookie] as const, await logins()]) {
      await assert.rejects(me(ofToken), { code: 'TOKEN_REVOKED' });
      await assert.rejects(me(ofCookie), { code: 'UNAUTHORIZED' });
    }
    assert.equal(await me(await transport.authenticate(emails.cordelia, api_key)), user_id);
  });
}
