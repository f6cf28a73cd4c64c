import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';
import { BROWSER } from './browser.ts';

const { endpoint } = BROWSER;
const browsersOf = ({ storage, users }: World, ...names: UserName[]) =>
  storage.read(async (tx) =>
    (await tx.pushBrowsers.ofAll(names.map((name) => users[name]))).map((one) => [one.user_id, one.endpoint]),
  );

const refused = (name: string, params: Partial<typeof BROWSER>, says: RegExp): Case => ({
  name,
  as: 'hamlet',
  call: ['push.addBrowser', { ...BROWSER, ...params }],
  refuses: { code: 'BAD_REQUEST', says },
});

export const addBrowserCases = cases('push.addBrowser', [
  {
    name: 'a browser is stored, without an event',
    as: 'hamlet',
    call: ['push.addBrowser', BROWSER],
    returns: {},
    events: () => ({ hamlet: [] }),
    state: async (world) => assert.deepEqual(await browsersOf(world, 'hamlet'), [[world.users.hamlet, endpoint]]),
  },
  {
    name: 'a browser that another account has added before is taken over',
    as: 'guest',
    given: ({ as }) => as('hamlet').push.addBrowser(BROWSER),
    call: ['push.addBrowser', BROWSER],
    state: async (world) =>
      assert.deepEqual(await browsersOf(world, 'hamlet', 'guest'), [[world.users.guest, endpoint]]),
  },
  refused('an endpoint that is no URL is refused', { endpoint: 'push' }, /URL with https/),
  refused('an endpoint with a login is refused', { endpoint: 'https://a:b@push.example.com/' }, /without a login/),
  refused('an endpoint without TLS is refused', { endpoint: 'http://push.example.com/' }, /must begin with https/),
  refused('an endpoint in a private network is refused', { endpoint: 'https://10.1.2.3/' }, /private network/),
  refused('an endpoint on this machine is refused', { endpoint: 'http://localhost:9991/' }, /private network/),
  refused('cloud metadata is no endpoint', { endpoint: 'http://169.254.169.254/latest' }, /private network/),
  refused('an endpoint of more than 1000 characters is refused', { endpoint: `https://a/${'a'.repeat(991)}` }, /1000/),
  refused('a public key that is no point is refused', { public_key: `B${'A'.repeat(86)}` }, /not keys/),
  refused('a secret of another length is refused', { auth_secret: 'AAAA' }, /not keys/),
  {
    name: 'a bot is refused',
    as: 'bot',
    call: ['push.addBrowser', BROWSER],
    refuses: { code: 'BAD_REQUEST' },
  },
]);

export const removeBrowserCases = cases('push.removeBrowser', [
  {
    name: 'a browser is removed',
    as: 'hamlet',
    given: ({ as }) => as('hamlet').push.addBrowser(BROWSER),
    call: ['push.removeBrowser', { endpoint }],
    returns: {},
    state: async (world) => assert.deepEqual(await browsersOf(world, 'hamlet'), []),
  },
  {
    name: 'the browser of another account stays',
    as: 'guest',
    given: ({ as }) => as('hamlet').push.addBrowser(BROWSER),
    call: ['push.removeBrowser', { endpoint }],
    returns: {},
    state: async (world) => assert.deepEqual(await browsersOf(world, 'hamlet'), [[world.users.hamlet, endpoint]]),
  },
  {
    name: 'an endpoint is required',
    as: 'hamlet',
    call: ['push.removeBrowser', {}],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'endpoint' } },
  },
]);

export const getWebKeyCases = cases('push.getWebKey', [
  {
    name: 'all people get the same public key',
    as: 'guest',
    call: ['push.getWebKey', {}],
    state: async ({ as }) => assert.deepEqual(await as('guest').push.getWebKey(), await as('owner').push.getWebKey()),
  },
  { name: 'a bot is refused', as: 'bot', call: ['push.getWebKey', {}], refuses: { code: 'BAD_REQUEST' } },
]);

export const regenerateWebKeyCases = cases('push.regenerateWebKey', [
  {
    name: 'new keys remove all browsers',
    as: 'owner',
    given: ({ as }) => as('hamlet').push.addBrowser(BROWSER),
    call: ['push.regenerateWebKey', {}],
    state: async (world) => assert.deepEqual(await browsersOf(world, 'hamlet'), []),
  },
  {
    name: 'an administrator is refused',
    as: 'administrator',
    call: ['push.regenerateWebKey', {}],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
]);
