import { WORST_TEXTS } from '../worst-texts.ts';
import { type Attacks, number, numbers, pick, randomName, some } from './attack.ts';

/** What somebody has of their own, and what others see of them. */
export const OWN: Attacks = {
  'all topics': ({ topics }) => ({ method: 'GET', path: `/users/me/${topics}/topics` }),
  'a topic followed': ({ topics }) => ({
    method: 'POST',
    path: '/user_topics',
    fields: { stream_id: topics, topic: randomName('matter'), visibility_policy: number(4) },
  }),
  'followed topics': () => ({ method: 'GET', path: '/user_topics' }),
  drafts: ({ open }) => ({
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
  'all drafts': () => ({ method: 'GET', path: '/drafts' }),
  'a message for later': ({ noise }) => ({
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
  'all messages for later': () => ({ method: 'GET', path: '/scheduled_messages' }),
  'a reminder': ({ newest }) => ({
    method: 'POST',
    path: '/reminders',
    fields: {
      message_id: 1 + number(newest),
      scheduled_delivery_timestamp: Math.floor(Date.now() / 1_000) + 30 + number(60),
      note: 'x'.repeat(500),
    },
  }),
  'a snippet': () => ({
    method: 'POST',
    path: '/saved_snippets',
    fields: { title: randomName('snippet'), content: pick(WORST_TEXTS) },
  }),
  'all snippets': () => ({ method: 'GET', path: '/saved_snippets' }),
  'a text to store': () => ({
    method: 'PUT',
    path: '/bot_storage',
    fields: { storage: { [randomName('key')]: pick(WORST_TEXTS).repeat(20) } },
  }),
  'all stored texts': () => ({ method: 'GET', path: '/bot_storage' }),
  'no stored texts': () => ({ method: 'DELETE', path: '/bot_storage' }),
  'a view': () => ({
    method: 'POST',
    path: '/navigation_views',
    fields: { fragment: `narrow/${randomName('view')}`, name: randomName('view'), is_pinned: true },
  }),
  'alert words': () => ({
    method: 'POST',
    path: '/users/me/alert_words',
    fields: { alert_words: numbers(100).map(() => randomName('a'.repeat(80))) },
  }),
  'somebody muted': ({ people }) => ({ method: 'POST', path: `/users/me/muted_users/${pick(people.slice(0, 60))}` }),
  'somebody muted no more': ({ people }) => ({
    method: 'DELETE',
    path: `/users/me/muted_users/${pick(people.slice(0, 60))}`,
  }),
  'a group of everybody': ({ people }) => ({
    method: 'POST',
    path: '/user_groups/create',
    fields: { name: randomName('group'), description: 'x'.repeat(1_000), members: people.slice(0, 10_000) },
  }),
  groups: () => ({ method: 'GET', path: '/user_groups' }),
  'another name': () => ({ method: 'PATCH', path: '/settings', fields: { full_name: randomName('Person') } }),
  'a status': () => ({
    method: 'POST',
    path: '/users/me/status',
    fields: { status_text: randomName('at'), emoji_name: 'cat' },
  }),
  'everybody who is there': () => ({
    method: 'POST',
    path: '/users/me/presence',
    fields: { status: 'active', ping_only: false },
  }),
  'typing to many': ({ people }) => ({
    method: 'POST',
    path: '/typing',
    fields: { op: pick(['start', 'stop']), type: 'direct', to: some(people, 1_000) },
  }),
  'typing in a channel': ({ open }) => ({
    method: 'POST',
    path: '/typing',
    fields: { op: 'start', type: 'channel', stream_id: open, topic: 'topic 1' },
  }),
  invitations: () => ({
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
