import { defineOperation } from '../../../operation/operation.ts';
import { knownEndpoint } from './browser.ts';

export const removePushBrowser = defineOperation({
  name: 'push.removeBrowser',
  http: 'DELETE /web_push/browsers',
  summary: 'Remove a browser from push notifications',
  description: 'Changes nothing if you have no browser with this endpoint.',
  example: { endpoint: 'https://push.example.com/send/c0ffee' },
  access: 'human',
  ownAccount: true,
  forRooms: true,
  effect: 'mark',
  params: { endpoint: knownEndpoint },
  async run({ tx, actor }, { endpoint }) {
    await tx.pushBrowsers.remove(actor.id, endpoint);
  },
});
