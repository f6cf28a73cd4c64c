import { BROWSER } from '../../domains/push/browsers/browser.ts';
import { WORST_TEXTS } from '../worst-texts.ts';
import { type Attacks, number, numbers, pick, randomName, some } from './attack.ts';

/** Personal data and settings of a user. */
export const OWN: Attacks = {
  'list all topics': ({ topics }) => ({ method: 'GET', path: `/users/me/${topics}/topics` }),
  'set a topic policy': ({ topics }) => ({
    method: 'POST',
    path: '/user_topics',
    fields: { stream_id: topics, topic: randomName('matter'), visibility_policy: number(4) },
  }),
  'list topic policies': () => ({ method: 'GET', path: '/user_topics' }),
  'create 50 drafts': ({ open }) => ({
    method: 'POST',
    path: '/drafts',
    fields: {
      drafts: numbers(50).map(() => ({
        type: 'stream',
        to: [open],
        topic: 'x',
        content: pick(WORST_TEXTS),
        timestamp: 1,
      })),
    },
  }),
  'list all drafts': () => ({ method: 'GET', path: '/drafts' }),
  'schedule a message': ({ noise }) => ({
    method: 'POST',
    path: '/scheduled_messages',
    fields: {
      type: 'channel',
      to: noise,
      topic: 'later',
      content: pick(WORST_TEXTS),
      scheduled_delivery_timestamp: Math.floor(Date.now() / 1_000) + 30 + number(60),
    },
  }),
  'list scheduled messages': () => ({ method: 'GET', path: '/scheduled_messages' }),
  'create a reminder': ({ newest }) => ({
    method: 'POST',
    path: '/reminders',
    fields: {
      message_id: 1 + number(newest),
      scheduled_delivery_timestamp: Math.floor(Date.now() / 1_000) + 30 + number(60),
      note: 'x'.repeat(500),
    },
  }),
  'add a browser that is nowhere': () => ({
    method: 'POST',
    path: '/web_push/browsers',
    fields: { ...BROWSER, endpoint: `https://push-${number(1e9)}.invalid/` },
  }),
  'save a snippet': () => ({
    method: 'POST',
    path: '/saved_snippets',
    fields: { title: randomName('snippet'), content: pick(WORST_TEXTS) },
  }),
  'list snippets': () => ({ method: 'GET', path: '/saved_snippets' }),
  'store a text': () => ({
    method: 'PUT',
    path: '/bot_storage',
    fields: { storage: { [randomName('key')]: pick(WORST_TEXTS).repeat(20) } },
  }),
  'get all stored texts': () => ({ method: 'GET', path: '/bot_storage' }),
  'remove all stored texts': () => ({ method: 'DELETE', path: '/bot_storage' }),
  'add a navigation view': () => ({
    method: 'POST',
    path: '/navigation_views',
    fields: { fragment: `narrow/${randomName('view')}`, name: randomName('view'), is_pinned: true },
  }),
  'add 100 alert words': () => ({
    method: 'POST',
    path: '/users/me/alert_words',
    fields: { alert_words: numbers(100).map(() => randomName('a'.repeat(80))) },
  }),
  'mute a user': ({ people }) => ({ method: 'POST', path: `/users/me/muted_users/${pick(people.slice(0, 60))}` }),
  'unmute a user': ({ people }) => ({
    method: 'DELETE',
    path: `/users/me/muted_users/${pick(people.slice(0, 60))}`,
  }),
  'create a group of all users': ({ people }) => ({
    method: 'POST',
    path: '/user_groups/create',
    fields: { name: randomName('group'), description: 'x'.repeat(1_000), members: people.slice(0, 10_000) },
  }),
  'list groups': () => ({ method: 'GET', path: '/user_groups' }),
  'change the name': () => ({ method: 'PATCH', path: '/settings', fields: { full_name: randomName('Person') } }),
  'set a status': () => ({
    method: 'POST',
    path: '/users/me/status',
    fields: { status_text: randomName('at'), emoji_name: 'cat' },
  }),
  'report presence': () => ({
    method: 'POST',
    path: '/users/me/presence',
    fields: { status: 'active', ping_only: false },
  }),
  'send typing notifications to 1,000 users': ({ people }) => ({
    method: 'POST',
    path: '/typing',
    fields: { op: pick(['start', 'stop']), type: 'direct', to: some(people, 1_000) },
  }),
  'send a typing notification to a channel': ({ open }) => ({
    method: 'POST',
    path: '/typing',
    fields: { op: 'start', type: 'channel', stream_id: open, topic: 'topic 1' },
  }),
  'invite 500 addresses': () => ({
    method: 'POST',
    path: '/invites',
    fields: {
      invitee_emails: numbers(500)
        .map(() => `${randomName('p').replace(' ', '')}@example.org`)
        .join(','),
      stream_ids: [],
    },
  }),
};
