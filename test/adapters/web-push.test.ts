import assert from 'node:assert/strict';
import { createECDH } from 'node:crypto';
import { test } from 'node:test';
import { sendWebPush, webPushKeys } from '../../lib/adapters/web-push.ts';
import { decryptWebPush, PushService } from '../domains/push/browsers/push-service.ts';

const KEYS = webPushKeys('a secret', 0);
const SENDER = { keys: KEYS, contact: 'https://chat.example.com', now: Date.UTC(2026, 10, 20) };
const LOCAL = { allowPrivateAddresses: ['127.0.0.1'] };

test('the browser of the tests decrypts the example of RFC 8291', () => {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url');
  const body =
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN';
  const auth = Buffer.from('BTBZMqHH6r4Tts7J_aSIgg', 'base64url');
  assert.equal(
    decryptWebPush(Buffer.from(body, 'base64url'), { ecdh, auth }),
    'When I grow up, I want to be a watermelon',
  );
});

test('the keys follow from the secret and the generation', () => {
  assert.equal(webPushKeys('a secret', 0).publicKey, KEYS.publicKey);
  assert.notEqual(webPushKeys('a secret', 1).publicKey, KEYS.publicKey);
  assert.equal(Buffer.from(KEYS.publicKey, 'base64url').length, 65);
});

test('a notification is encrypted for the browser and signed for its push service', async (t) => {
  const service = await PushService.open(t);
  const browser = service.subscribe();
  const send = (topic?: string) =>
    sendWebPush(
      browser,
      { text: '{"title":"Añá"}', urgency: 'high', ...(topic === undefined ? {} : { topic }) },
      SENDER,
      LOCAL,
    );
  assert.equal(await send('conversation-7'), 201);
  assert.deepEqual(service.received(browser.endpoint), [{ title: 'Añá' }]);
  const [{ headers, claims }] = service.requests as [PushService['requests'][0]];
  assert.deepEqual(claims, {
    aud: new URL(browser.endpoint).origin,
    exp: SENDER.now / 1000 + 43_200,
    sub: SENDER.contact,
    key: KEYS.publicKey,
  });
  assert.deepEqual([headers.ttl, headers.urgency, headers['content-encoding']], ['86400', 'high', 'aes128gcm']);
  assert.match(String(headers.topic), /^[\w-]{32}$/);
  await assert.rejects(sendWebPush(browser, { text: '{}', urgency: 'low' }, SENDER, {}), /does not call/);
});
