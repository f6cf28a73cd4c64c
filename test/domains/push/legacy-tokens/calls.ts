import { type Changes, type PlainCalls, type Stored, UNSEEN } from '../../../world/calls.ts';

const PEOPLE = ['owner', 'administrator', 'moderator', 'cordelia', 'hamlet', 'newcomer', 'guest'] as const;

export const matrix: PlainCalls = {
  'push.addApnsToken': () => ({ token: 'c0ffee', appid: 'com.example.chat' }),
  'push.addFcmToken': () => ({ token: 'x' }),
  'push.sendPlainTest': () => ({}),
  'push.removeApnsToken': async ({ as }, caller) => {
    const person = PEOPLE.find((name) => name === caller);
    if (person) await as(person).push.addApnsToken({ token: 'c0ffee', appid: 'com.example.chat' });
    return { token: 'c0ffee' };
  },
  'push.removeFcmToken': async ({ as }, caller) => {
    const person = PEOPLE.find((name) => name === caller);
    if (person) await as(person).push.addFcmToken({ token: 'x' });
    return { token: 'x' };
  },
};

export const changes: Changes = {
  'push.addApnsToken': UNSEEN,
  'push.addFcmToken': UNSEEN,
  'push.removeApnsToken': UNSEEN,
  'push.removeFcmToken': UNSEEN,
  'push.sendPlainTest': UNSEEN,
};

export const stored: Stored = async (tx) => {
  const users = await tx.users.changedSince(0);
  return Promise.all(users.map(({ id }) => tx.pushTokens.of(id)));
};
