import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { openChat } from '../../lib/index.ts';
import { migrations } from '../../lib/storage/migrations/index.ts';
import { compiledProgram } from '../programs.ts';
import { places } from '../storage/migration-places.ts';
import { testOn } from '../support/engines.ts';

const PROCESSES = 5;
const ADA = { email: 'ada@example.com', full_name: 'Ada' };
type Answer = { user_id: number; email: string; api_key: string; is_new: boolean };

for (const { name, skip, make } of places) {
  const test = testOn({ skip });

  test(`processes that ensure an organization at once create one and get the same owner, on ${name}`, async (t) => {
    const place = await make();
    t.after(place.remove);
    const program = await compiledProgram('ensuring-process');
    const start = (at: number): ChildProcess => {
      const arguments_ = [JSON.stringify(place.address), at % 2 === 0 ? ADA.email : `owner${at}@example.com`];
      return fork(program, arguments_, { execArgv: [] });
    };
    const children = Array.from({ length: PROCESSES }, (_, at) => start(at));
    t.after(() => children.forEach((child) => void child.kill()));
    await Promise.all(children.map((child) => once(child, 'message')));
    const answers: Answer[] = [];
    const ends = children.map(async (child) => {
      child.on('message', (answer) => answers.push(answer as Answer));
      child.send('go');
      const [code] = await once(child, 'exit');
      return code;
    });
    assert.deepEqual(await Promise.all(ends), Array(PROCESSES).fill(0));
    assert.deepEqual(answers.map(({ is_new }) => is_new).sort(), [...Array(PROCESSES - 1).fill(false), true]);
    assert.equal(new Set(answers.map(({ is_new, ...owner }) => JSON.stringify(owner))).size, 1);
  });

  test(`an existing organization is not changed, and the named owner, or by default the first owner, is found, on ${name}`, async (t) => {
    const place = await make();
    const chat = await openChat({ storage: place.storage(migrations) });
    t.after(async () => {
      await chat.close();
      await place.remove();
    });
    const found = async (email: string, name = 'Other') => {
      const { user_id, is_new } = await chat.ensureOrganization({ name, owner: { email, full_name: `X${email[0]}` } });
      return { user_id, is_new };
    };
    const { is_new, ...ada } = await chat.ensureOrganization({ name: 'First', owner: ADA });
    assert.deepEqual([is_new, ada.api_key], [true, await chat.apiKeyOf(ada)]);
    const bot = await chat.as(ada).bots.create({ short_name: 'helper', full_name: 'Helper' });
    await chat.as(ada).bots.edit({ bot_id: bot.user_id, role: 100 });
    const ben = await chat.system().users.ensure({ email: 'ben@example.com', full_name: 'Ben', role: 100 });
    const cleo = await chat.system().users.ensure({ email: 'cleo@example.com', full_name: 'Cleo' });
    assert.deepEqual(await found('BEN@example.com'), { user_id: ben.user_id, is_new: false });
    for (const email of ['nobody@example.com', 'cleo@example.com', 'notification-bot@zulip.com'])
      assert.deepEqual(await found(email), { user_id: ada.user_id, is_new: false }, email);
    await chat.as(ben).users.deactivate({ user_id: ada.user_id });
    assert.equal((await found(ADA.email)).user_id, ben.user_id);
    const { realm_name } = await chat.anonymous().serverSettings.get();
    assert.equal(realm_name, 'First');
    assert.equal((await chat.as(cleo).users.me()).full_name, 'Cleo');
    await assert.rejects(found('no address'), { code: 'BAD_REQUEST' });
  });
}
