import { type Case, cases } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';

const queues = new WeakMap<object, string>();
const registered = (user: 'hamlet' | 'cordelia') => async (world: World) => {
  const { queue_id } = await world.as(user).register({ fetch_event_types: [] });
  queues.set(world, queue_id);
};
const polling = (more: object = {}): Case['call'] => [
  'events.list',
  (world) => ({ queue_id: queues.get(world), last_event_id: -1, dont_block: true, ...more }),
];

export const listEventsCases = cases('events.list', [
  {
    name: 'dont_block returns an empty list at once when there are no events',
    as: 'hamlet',
    given: registered('hamlet'),
    call: polling(),
    returns: (world) => ({ events: [], queue_id: queues.get(world) }),
  },
  {
    name: 'events have ids that count from the beginning of the queue',
    as: 'hamlet',
    given: async (world) => {
      await registered('hamlet')(world);
      for (const content of ['one', 'two']) {
        await world.as('cordelia').messages.send({ type: 'channel', to: 'Denmark', topic: 'ghosts', content });
      }
    },
    call: polling(),
    returns: {
      events: [
        { id: 1, type: 'message' },
        { id: 2, type: 'message' },
      ],
    },
  },
  {
    name: 'a queue that does not exist is BAD_EVENT_QUEUE_ID, with queue_id',
    as: 'hamlet',
    call: ['events.list', { queue_id: 'nothing', last_event_id: -1 }],
    refuses: { code: 'BAD_EVENT_QUEUE_ID', data: { queue_id: 'nothing' } },
  },
  {
    name: 'a queue of another user is refused as missing',
    as: 'owner',
    given: registered('hamlet'),
    call: polling(),
    refuses: { code: 'BAD_EVENT_QUEUE_ID', data: (world) => ({ queue_id: queues.get(world) }) },
  },
  {
    name: 'a last_event_id newer than the newest event is refused',
    as: 'hamlet',
    given: registered('hamlet'),
    call: polling({ last_event_id: 5 }),
    refuses: { code: 'BAD_REQUEST', says: /5/ },
  },
  {
    name: 'last_event_id is required',
    as: 'hamlet',
    given: registered('hamlet'),
    call: polling({ last_event_id: undefined }),
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'last_event_id' } },
  },
  {
    name: 'queue_id is required',
    as: 'hamlet',
    call: ['events.list', { last_event_id: -1 }],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'queue_id' } },
  },
]);

export const deleteEventQueueCases = cases('events.delete', [
  {
    name: 'a queue is deleted by its owner',
    as: 'hamlet',
    given: registered('hamlet'),
    call: ['events.delete', (world) => ({ queue_id: queues.get(world) })],
    state: async (world) => {
      const queue = await world.storage.read((tx) => tx.queues.byId(queues.get(world) as string));
      if (queue) throw new Error('the queue still exists');
    },
  },
  {
    name: 'a queue that does not exist is BAD_EVENT_QUEUE_ID',
    as: 'hamlet',
    call: ['events.delete', { queue_id: 'nothing' }],
    refuses: { code: 'BAD_EVENT_QUEUE_ID', data: { queue_id: 'nothing' } },
  },
  {
    name: 'a queue of another user is refused as missing',
    as: 'owner',
    given: registered('cordelia'),
    call: ['events.delete', (world) => ({ queue_id: queues.get(world) })],
    refuses: { code: 'BAD_EVENT_QUEUE_ID', data: (world) => ({ queue_id: queues.get(world) }) },
  },
]);
