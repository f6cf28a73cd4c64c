import type { Changes, PlainCalls, ScalingCalls, Stored } from '../../../world/calls.ts';
import type { UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';
import { pass, soon } from '../scheduled-messages/scheduling.ts';
import { remind } from './reminding.ts';

/** Stored without the operation, since some callers cannot create reminders. */
const insertOne = ({ storage, users, messages, clock }: World, caller: UserName): Promise<number> =>
  storage.write((tx) =>
    tx.reminders.create({
      user_id: users[caller],
      message_id: messages.ghost,
      note: '',
      content: 'word',
      rendered_content: '<p>word</p>',
      scheduled_delivery_timestamp: soon({ clock }),
    }),
  );

export const matrix: PlainCalls = {
  'reminders.create': (world) => ({
    message_id: world.messages.vaultAfter,
    scheduled_delivery_timestamp: soon(world),
  }),
  'reminders.list': () => ({}),
  'reminders.delete': async (world, caller) => ({
    reminder_id: caller === 'anonymous' ? 1 : await insertOne(world, caller),
  }),
};

export const changes: Changes = {
  'reminders.create': {
    'of channel messages and a direct message': async (world) => {
      await remind(world, 'hamlet', world.messages.ghost, 'Look into **this**');
      await remind(world, 'cordelia', world.messages.direct);
    },
    'that are sent': async (world) => {
      await remind(world, 'hamlet', world.messages.council);
      await remind(world, 'guest', world.messages.harbour, 'Ships');
      await pass(world);
    },
  },
  'reminders.delete': {
    'one of two reminders': async (world) => {
      const reminder_id = await remind(world, 'hamlet', world.messages.ghost);
      await remind(world, 'hamlet', world.messages.council);
      await world.as('hamlet').reminders.delete({ reminder_id });
    },
  },
};

export const statements: ScalingCalls = {
  'reminders.create': ({ world }) => remind(world, 'hamlet', world.messages.ghost),
  'reminders.list': ({ world }) => world.as('hamlet').reminders.list(),
  'reminders.delete': async ({ world }) => {
    const reminder_id = await insertOne(world, 'hamlet');
    await world.as('hamlet').reminders.delete({ reminder_id });
  },
};

export const stored: Stored = async (tx) => {
  const users = await tx.users.changedSince(0);
  return Promise.all(users.map(({ id }) => tx.reminders.of(id)));
};
