import type { Changes, PlainCalls, ScalingCalls, Stored } from '../../../world/calls.ts';
import { newRegistration, registerPhone } from '../../../world/relay.ts';

const PLAIN = {
  token_kind: 'fcm' as const,
  push_account_id: 2408,
  push_public_key: 'key',
  bouncer_public_key: 'relay',
  encrypted_push_registration: 'box',
};

export const matrix: PlainCalls = {
  'push.register': () => PLAIN,
  'push.sendTest': async (world, caller) => {
    const people = ['owner', 'administrator', 'moderator', 'cordelia', 'hamlet', 'newcomer', 'guest'] as const;
    const person = people.find((name) => name === caller);
    if (person) await registerPhone(world, person);
    return {};
  },
};

export const changes: Changes = {
  'push.register': {
    'a phone that waits for the relay': ({ as }) => as('hamlet').push.register(PLAIN),
    'a phone that the relay refuses': async ({ as, chat }) => {
      await as('hamlet').push.register(PLAIN);
      await chat.runDue();
    },
    'two active phones, one registered again': async (world) => {
      await registerPhone(world, 'hamlet');
      const { registration } = await newRegistration('apns');
      await world.as('hamlet').push.register(registration);
      await world.chat.runDue();
      await world.as('hamlet').push.register(registration);
    },
    'a phone of a user who replaces their API key': async (world) => {
      await registerPhone(world, 'hamlet');
      await world.as('hamlet').users.regenerateApiKey();
    },
    'a failed phone registered again': async ({ as, chat }) => {
      await as('hamlet').push.register(PLAIN);
      await chat.runDue();
      await as('hamlet').push.register(PLAIN);
    },
  },
  'push.sendTest': {
    'to the only phone': async (world) => {
      await registerPhone(world, 'hamlet');
      await world.as('hamlet').push.sendTest();
    },
  },
};

export const statements: ScalingCalls = {
  'push.register': async ({ world, users }) =>
    world.as('hamlet').push.register({ ...PLAIN, push_account_id: users.length }),
};

export const stored: Stored = async (tx) => {
  const users = await tx.users.changedSince(0);
  return {
    devices: await Promise.all(users.map(({ id }) => tx.pushDevices.of(id))),
    waiting: await tx.outbox.nextDue('push-registration'),
  };
};
