import { type Changes, type PlainCalls, type ScalingCalls, type Stored, UNSEEN } from '../../../world/calls.ts';
import { BROWSER } from './browser.ts';

export const matrix: PlainCalls = {
  'push.getWebKey': () => ({}),
  'push.regenerateWebKey': () => ({}),
  'push.addBrowser': () => BROWSER,
  'push.removeBrowser': () => ({ endpoint: BROWSER.endpoint }),
};

export const changes: Changes = {
  'push.regenerateWebKey': UNSEEN,
  'push.addBrowser': UNSEEN,
  'push.removeBrowser': UNSEEN,
};

export const statements: ScalingCalls = {
  'push.addBrowser': ({ world, users }) =>
    world.as('hamlet').push.addBrowser({ ...BROWSER, endpoint: `https://push.example.com/${users.length}` }),
  'push.removeBrowser': ({ world }) => world.as('hamlet').push.removeBrowser({ endpoint: BROWSER.endpoint }),
  'push.regenerateWebKey': ({ world }) => world.as('owner').push.regenerateWebKey(),
};

export const stored: Stored = async (tx) => {
  const users = await tx.users.changedSince(0);
  return tx.pushBrowsers.ofAll(users.map(({ id }) => id));
};
