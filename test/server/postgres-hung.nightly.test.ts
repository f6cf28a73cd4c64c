import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { withoutPostgres } from '../support/engines.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { troubled, untilReady } from './database-trouble.ts';

describe('a chat on PostgreSQL that hangs', { skip: withoutPostgres }, () => {
  it('answers 503 to writes and is not ready while the synchronous standby is down', async (t) => {
    const server = await startPostgresServer({ durable: true });
    t.after(() => server.stop());
    const standby = await server.standby({ isSynchronous: true });
    const chat = await troubled(t, postgres(server.url, { schema: 'chat', poolSize: 5 }));
    assert.equal((await chat.say('before')).status, 200);
    await standby.halt();
    // The second write starts after the first was refused, so each waits for its own timeout.
    for (let at = 0; at < 2; at++) chat.checkUnavailable(await chat.say(`waits ${at}`), { passing: true });
    const [{ error }] = chat.logged as [{ error: Error }];
    assert.match(error.message, /no answer to COMMIT within 10 s.*synchronous_standby_names/);
    await untilReady(chat, 503);
    assert.equal((await chat.send('GET', '/api/v1/users/me')).status, 200, 'reads do not wait');
    await standby.resume();
    await untilReady(chat, 200);
    assert.equal((await chat.say('after')).status, 200);
    const everything = await chat.everything();
    for (const [id, content] of chat.acknowledged) assert.equal(everything.get(id), content);
  });
});
