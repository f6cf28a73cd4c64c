import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { serveRelay } from '../../examples/push-relay/serve.ts';
import { openChat, pushRelay, sqlite } from '../../lib/index.ts';
import { Phone } from '../domains/push/phone.ts';
import { databasePath } from './folder.ts';

test('the push relay prints notifications and knows registered phones after a restart', async (t) => {
  const database = await databasePath(t);
  const printed: string[] = [];
  const start = () =>
    serveRelay({ file: join(dirname(database), 'relay.json'), port: 0, print: (line) => printed.push(line) });
  const first = await start();
  const [[id, key] = assert.fail()] = Object.entries(first.servers);
  const open = (url: string) => openChat({ storage: sqlite(database), pushRelay: pushRelay({ url, id, key }) });
  const chat = await open(first.relay.url);
  const owner = { email: 'ada@example.com', full_name: 'Ada' };
  const ada = chat.as((await chat.createOrganization({ name: 'Example', owner })).user_id);
  const phone = new Phone();
  await ada.push.register(phone.registration(first.relay.publicKey));
  await ada.push.addFcmToken({ token: 'plain' });
  await chat.runDue();
  await ada.push.sendTest();
  await chat.close();
  await first.relay.close();

  const second = await start();
  t.after(() => second.relay.close());
  assert.equal(second.relay.publicKey, first.relay.publicKey);
  const again = await open(second.relay.url);
  t.after(() => again.close());
  const adaAgain = again.as('ada@example.com');
  await adaAgain.push.sendTest();
  assert.equal(printed.length, 2);
  for (const line of printed) {
    const [, payload = ''] = new RegExp(`^To fcm ${phone.token}: (.*)$`).exec(line) ?? [];
    assert.equal(phone.open(JSON.parse(payload).encrypted_data).type, 'test');
  }
  const { user_id: ben } = await adaAgain.users.create({ email: 'ben@example.com', full_name: 'Ben' });
  await again.as(ben).messages.send({ type: 'direct', to: ['ada@example.com'], content: 'Lunch?' });
  await again.runDue();
  assert.match(printed.find((line) => line.startsWith('To fcm plain: ')) ?? '', /"content":"Lunch\?"/);
});
