import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesAndAddresses } from '../../cli/lookups.ts';
import { connect } from '../../lib/index.ts';
import { testChat } from '../../lib/testing/testing.ts';
import { serve } from '../../server/index.ts';

test('ten thousand people of a channel are named by a server too, though no address could hold their numbers', async (t) => {
  const { chat, people, close } = await testChat();
  const server = await serve(chat, { port: 0 });
  t.after(async () => {
    await server.close();
    await close();
  });
  const many = Array.from({ length: 10_000 }, (_, at) => ({ email: `p${at}@example.com`, full_name: `Person ${at}` }));
  const ids: number[] = [];
  for (let from = 0; from < many.length; from += 1_000) {
    const { people: made } = await people.ada.users.createMany({ people: many.slice(from, from + 1_000) });
    ids.push(...made.flatMap(({ user_id }) => user_id ?? []));
  }
  const ada = { site: server.url, email: 'ada@example.com', api_key: await chat.apiKeyOf(people.ada.user_id) };
  const name = await namesAndAddresses(connect(ada), ids);
  assert.equal(ids.length, many.length);
  assert.deepEqual(
    [name(ids[0] as number), name(ids[9_999] as number)],
    ['Person 0 <p0@example.com>', 'Person 9999 <p9999@example.com>'],
  );
});
