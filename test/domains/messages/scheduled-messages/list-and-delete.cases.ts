import assert from 'node:assert/strict';
import { cases } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';
import { MINUTE, pass, schedule } from './scheduling.ts';

const given = async (world: World) => {
  world.kept.later = await schedule(world, 'hamlet', { topic: 'later' }, 3 * MINUTE);
  world.kept.sooner = await schedule(world, 'hamlet', { topic: 'sooner' }, 2 * MINUTE);
  world.kept.other = await schedule(world, 'cordelia');
};

/** The first message is due and failed. */
const withFailed = async (world: World) => {
  world.kept.failed = await schedule(world, 'hamlet', { to: world.channels.default });
  await world.as('owner').channels.archive({ stream_id: world.channels.default });
  await given(world);
  await pass(world);
};

export const listScheduledMessagesCases = cases('scheduledMessages.list', [
  {
    name: 'a new user has an empty list of scheduled messages',
    as: 'hamlet',
    call: ['scheduledMessages.list'],
    returns: { scheduled_messages: [] },
  },
  {
    name: 'the list has the scheduled messages of the caller by time',
    as: 'hamlet',
    given,
    call: ['scheduledMessages.list'],
    returns: ({ kept }) => ({
      scheduled_messages: [{ scheduled_message_id: kept.sooner }, { scheduled_message_id: kept.later, topic: 'later' }],
    }),
  },
  {
    name: 'failed messages stay in the list, sent ones do not',
    as: 'hamlet',
    given: withFailed,
    call: ['scheduledMessages.list'],
    returns: ({ kept }) => ({
      scheduled_messages: [
        { scheduled_message_id: kept.failed, failed: true },
        { scheduled_message_id: kept.sooner, failed: false },
        { scheduled_message_id: kept.later, failed: false },
      ],
    }),
  },
  {
    name: 'a user whose only message was sent has an empty list',
    as: 'cordelia',
    given: withFailed,
    call: ['scheduledMessages.list'],
    returns: { scheduled_messages: [] },
  },
]);

export const deleteScheduledMessageCases = cases('scheduledMessages.delete', [
  {
    name: 'a deleted message is not sent, and only its sender gets the event',
    as: 'hamlet',
    given,
    call: ['scheduledMessages.delete', ({ kept }) => ({ scheduled_message_id: kept.sooner })],
    events: ({ kept }) => ({
      hamlet: [{ type: 'scheduled_messages', op: 'remove', scheduled_message_id: kept.sooner }],
      cordelia: [],
    }),
    state: (world) => pass(world, 2 * MINUTE),
  },
  {
    name: 'a failed message can be deleted',
    as: 'hamlet',
    given: withFailed,
    call: ['scheduledMessages.delete', ({ kept }) => ({ scheduled_message_id: kept.failed })],
    events: ({ kept }) => ({
      hamlet: [{ type: 'scheduled_messages', op: 'remove', scheduled_message_id: kept.failed }],
    }),
  },
  {
    name: 'a scheduled message of another user is refused as missing',
    as: 'hamlet',
    given,
    call: ['scheduledMessages.delete', ({ kept }) => ({ scheduled_message_id: kept.other })],
    refuses: { code: 'BAD_REQUEST', status: 404 },
  },
  {
    name: 'an unknown ID is refused as missing',
    as: 'hamlet',
    call: ['scheduledMessages.delete', { scheduled_message_id: 99_999 }],
    refuses: { code: 'BAD_REQUEST', status: 404 },
  },
  {
    name: 'B8: deleting a sent message succeeds',
    as: 'cordelia',
    given: withFailed,
    call: ['scheduledMessages.delete', ({ kept }) => ({ scheduled_message_id: kept.other })],
    events: ({ kept }) => ({
      cordelia: [{ type: 'scheduled_messages', op: 'remove', scheduled_message_id: kept.other }],
      hamlet: [],
    }),
    state: async ({ as }) => {
      const { messages } = await as('cordelia').messages.list({ anchor: 'newest', num_before: 1, num_after: 0 });
      assert.equal(messages.length, 1);
    },
  },
  {
    name: 'B8: a sent message of another user is refused as missing',
    as: 'hamlet',
    given: withFailed,
    call: ['scheduledMessages.delete', ({ kept }) => ({ scheduled_message_id: kept.other })],
    refuses: { code: 'BAD_REQUEST', status: 404 },
  },
  {
    name: 'B8: a sent message can be deleted only once',
    as: 'cordelia',
    given: async (world) => {
      await withFailed(world);
      await world.as('cordelia').scheduledMessages.delete({ scheduled_message_id: world.kept.other ?? 0 });
    },
    call: ['scheduledMessages.delete', ({ kept }) => ({ scheduled_message_id: kept.other })],
    refuses: { code: 'BAD_REQUEST', status: 404, says: /already be deleted/ },
  },
]);
