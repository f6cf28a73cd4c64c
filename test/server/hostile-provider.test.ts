import assert from 'node:assert/strict';
import { createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import { Visitor } from './identity-provider.ts';
import { listening, running } from './running.ts';

const CLIENT = { clientId: 'chat', clientSecret: 'a secret of the client' };
const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const OWN = rsa();

type Json = Record<string, unknown>;

interface Answers {
  discovery: (found: Json) => unknown;
  claims: (right: Json) => Json;
  sign: (signed: string) => string;
  header: Json;
  userinfo: (right: Json) => unknown;
}

const rsaSigned = (key: KeyObject) => (text: string) => createSign('sha256').update(text).sign(key, 'base64url');
const hmacSigned = (key: string) => (text: string) => createHmac('sha256', key).update(text).digest('base64url');

/** A provider that answers as it likes, and the status with which a login of Olga ends. */
async function loginAt(t: TestContext, given: Partial<Answers>): Promise<{ status: number; isLoggedIn: boolean }> {
  const { discovery = (found) => found, claims = (right) => right, userinfo = (right) => right } = given;
  const { sign = rsaSigned(OWN.privateKey), header = { alg: 'RS256', kid: 'own' } } = given;
  let issuer = '';
  let nonce = '';
  const now = () => Math.floor(Date.now() / 1000);
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = () => {
    const right = { iss: issuer, sub: 'olga', aud: CLIENT.clientId, nonce, iat: now(), exp: now() + 300 };
    const signed = `${part(header)}.${part(claims(right))}`;
    return `${signed}.${sign(signed)}`;
  };
  const answers: Record<string, () => unknown> = {
    '/.well-known/openid-configuration': () =>
      discovery({
        ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
        ...{ jwks_uri: `${issuer}/jwks`, userinfo_endpoint: `${issuer}/userinfo`, response_types_supported: ['code'] },
        ...{ subject_types_supported: ['public'], id_token_signing_alg_values_supported: ['RS256'] },
      }),
    '/jwks': () => ({ keys: [{ ...OWN.publicKey.export({ format: 'jwk' }), kid: 'own', use: 'sig', alg: 'RS256' }] }),
    '/token': () => ({ access_token: 'x', token_type: 'bearer', id_token: token() }),
    '/userinfo': () => userinfo({ sub: 'olga', email: 'olga@example.com', email_verified: true }),
  };
  const provider = createServer((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '/', issuer);
    req.resume();
    if (pathname === '/authorize') {
      nonce = searchParams.get('nonce') ?? '';
      const back = `${searchParams.get('redirect_uri')}?code=c&state=${searchParams.get('state')}`;
      return res.writeHead(302, { location: back }).end();
    }
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers[pathname]?.() ?? {}));
  });
  issuer = `http://127.0.0.1:${await listening(t, provider)}`;
  const { url } = await running(t, { oidc: [{ issuer, ...CLIENT }] });
  const visitor = new Visitor();
  const { status } = await visitor.visit(`${url}/login/oidc/sso`);
  return { status, isLoggedIn: (await visitor.open(`${url}/api/v1/users/me`)).status === 200 };
}

const NO_LOGIN = { status: 400, isLoggedIn: false };

test('an ID token that is not one of the provider, for this chat and for this login, logs in no one', async (t) => {
  assert.deepEqual(await loginAt(t, {}), { status: 200, isLoggedIn: true }, 'the right token logs in');
  const seconds = () => Math.floor(Date.now() / 1000);
  const jwk = OWN.publicKey.export({ format: 'pem', type: 'spki' }) as string;
  const hostile: Record<string, Partial<Answers>> = {
    'for another client': { claims: (right) => ({ ...right, aud: 'another' }) },
    'for several clients': { claims: (right) => ({ ...right, aud: ['chat', 'another'], azp: 'another' }) },
    'of another issuer': { claims: (right) => ({ ...right, iss: 'https://login.example.com' }) },
    'with another nonce': { claims: (right) => ({ ...right, nonce: 'another' }) },
    'without a nonce': { claims: ({ nonce: _, ...right }) => right },
    'without a subject': { claims: ({ sub: _, ...right }) => right },
    'that expired two minutes ago': { claims: (right) => ({ ...right, exp: seconds() - 120 }) },
    'that is valid in two minutes': { claims: (right) => ({ ...right, nbf: seconds() + 120 }) },
    'without a signature': { header: { alg: 'none' }, sign: () => '' },
    'signed with another key': { sign: rsaSigned(rsa().privateKey) },
    'signed with the secret of the client': { header: { alg: 'HS256' }, sign: hmacSigned(CLIENT.clientSecret) },
    'signed with the public key as a secret': { header: { alg: 'HS256', kid: 'own' }, sign: hmacSigned(jwk) },
    'beside the facts of another person': { userinfo: (right) => ({ ...right, sub: 'another' }) },
  };
  for (const [name, answers] of Object.entries(hostile)) assert.deepEqual(await loginAt(t, answers), NO_LOGIN, name);
});

test('a clock of the provider that differs by twenty seconds does not prevent logins', async (t) => {
  const seconds = () => Math.floor(Date.now() / 1000);
  for (const skew of [20, -20]) {
    const claims = (right: Json) => ({
      ...right,
      iat: seconds() + skew,
      nbf: seconds() + skew,
      exp: seconds() + skew + 10,
    });
    assert.deepEqual(await loginAt(t, { claims }), { status: 200, isLoggedIn: true }, String(skew));
  }
});

test('an answer of ten megabytes is not read to its end', async (t) => {
  const padding = 'x'.repeat(10_000_000);
  const early = await loginAt(t, { discovery: (found) => ({ ...found, padding }) });
  assert.deepEqual(early, { status: 503, isLoggedIn: false });
  const late = await loginAt(t, { userinfo: (right) => ({ ...right, padding }) });
  assert.deepEqual([late.status >= 400, late.isLoggedIn], [true, false]);
});
