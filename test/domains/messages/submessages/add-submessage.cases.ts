import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';
import { adding, change, POLL, sent, submessages, TODO, VOTE } from './widget-messages.ts';

const refused = (name: string, content: string, given: string | object, as: UserName = 'cordelia'): Case => ({
  name: `POLL: ${name}`,
  as,
  given: sent(content),
  call: adding(given),
  refuses: { code: 'BAD_REQUEST' },
});

const accepted = (name: string, content: string, given: object, as: UserName = 'cordelia'): Case => ({
  name: `POLL: ${name}`,
  as,
  given: sent(content),
  call: adding(given),
  state: async (world) => {
    const { id: _, ...last } = (await submessages(world)).at(-1) ?? assert.fail();
    const { kept, users } = world;
    const expected = { message_id: kept.widget, sender_id: users[as], msg_type: 'widget', content: change(given) };
    assert.deepEqual(last, expected);
  },
});

const OPTION = { type: 'new_option', option: 'bread', idx: 1 };
const TASK = { type: 'new_task', key: 1, task: 'balloons', desc: '', completed: false };

export const addSubmessageCases = cases('messages.addSubmessage', [
  {
    name: 'POLL: a vote is added, subscribers get the event, and the response is empty',
    as: 'cordelia',
    given: sent(POLL),
    call: adding(VOTE),
    events: ({ kept, users }) => {
      const submessage = { type: 'submessage', msg_type: 'widget', message_id: kept.widget, content: change(VOTE) };
      const event = {
        ...submessage,
        sender_id: users.cordelia,
        submessage_id: (id: unknown) => Number.isSafeInteger(id),
      };
      return { cordelia: [event], hamlet: [event], administrator: [event], guest: [], owner: [] };
    },
    state: async (_world, answer) => assert.deepEqual(Object.keys(answer), []),
  },
  {
    name: 'POLL: a submessage without msg_type is a widget',
    as: 'cordelia',
    given: sent(POLL),
    call: ['messages.addSubmessage', ({ kept }: World) => ({ message_id: kept.widget, content: change(VOTE) })],
    events: () => ({ hamlet: [{ type: 'submessage', msg_type: 'widget' }] }),
  },
  accepted('a vote can be withdrawn', POLL, { ...VOTE, vote: -1 }),
  accepted('every reader can add an option', POLL, OPTION),
  accepted('an option number of 1,000 is accepted', POLL, { ...OPTION, idx: 1_000 }),
  accepted('the sender can change the question', POLL, { type: 'question', question: 'Dinner?' }, 'hamlet'),
  accepted('every reader can add a task', TODO, TASK),
  accepted('every reader can complete a task', TODO, { type: 'strike', key: '0,canned' }),
  accepted('the sender can rename a to-do list', TODO, { type: 'new_task_list_title', title: 'Ball' }, 'hamlet'),
  refused('another reader cannot change the question', POLL, { type: 'question', question: 'Dinner?' }),
  refused('another reader cannot rename a to-do list', TODO, { type: 'new_task_list_title', title: 'Ball' }),
  refused('a vote other than 1 and -1 is refused', POLL, { ...VOTE, vote: 2 }),
  refused('a vote with an unknown field is refused', POLL, { ...VOTE, weight: 7 }),
  refused('a vote without a key is refused', POLL, { type: 'vote', vote: 1 }),
  refused('a negative option number is refused', POLL, { ...OPTION, idx: -1 }),
  refused('an option number above 1,000 is refused', POLL, { ...OPTION, idx: 1_001 }),
  refused('a task without completed is refused', TODO, { ...TASK, completed: undefined }),
  refused('a vote in a to-do list is refused', TODO, VOTE),
  refused('a task in a poll is refused', POLL, TASK),
  refused('an unknown change is refused', POLL, { type: '__proto__' }),
  refused('a list is refused', POLL, [VOTE]),
  refused('content that is not JSON is refused', POLL, 'soup'),
  refused('nothing can be added to an ordinary message of another user', 'Lunch?', VOTE),
  refused('content above the size limit is refused', POLL, { type: 'new_option', option: 'x'.repeat(10_000), idx: 1 }),
  {
    name: 'POLL: a NUL character in msg_type is refused',
    as: 'cordelia',
    given: sent(POLL),
    call: adding(VOTE, { msg_type: 'wid\0get' }),
    only: 'HTTP',
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'POLL: content is required',
    as: 'cordelia',
    given: sent(POLL),
    call: ['messages.addSubmessage', ({ kept }: World) => ({ message_id: kept.widget })],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'content' } },
  },
  {
    name: 'POLL: the sender can add any JSON to an ordinary message',
    as: 'hamlet',
    given: sent('Lunch?'),
    call: adding('[1]', { msg_type: 'game' }),
    events: () => ({ cordelia: [{ type: 'submessage', msg_type: 'game', content: '[1]' }] }),
  },
  {
    name: 'POLL: a message in a private channel without the caller is refused',
    as: 'cordelia',
    given: sent(POLL, 'hamlet', 'shared'),
    call: adding(VOTE),
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'POLL: a message that does not exist is refused',
    as: 'cordelia',
    call: adding(VOTE, { message_id: 999_999 }),
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'POLL: a message of an archived channel is refused',
    as: 'hamlet',
    given: async (world) => {
      await sent(POLL)(world);
      await world.as('owner').channels.archive({ stream_id: world.channels.public });
    },
    call: adding(VOTE),
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'POLL: a guest can vote in their channels',
    as: 'guest',
    given: sent(POLL, 'hamlet', 'webPublic'),
    call: adding(VOTE),
    events: ({ users }) => ({
      hamlet: [{ type: 'submessage', sender_id: users.guest }],
      guest: [{ type: 'submessage' }],
      cordelia: [],
    }),
  },
  {
    name: 'POLL: a user who is not subscribed can vote, and gets the event',
    as: 'moderator',
    given: sent(POLL),
    call: adding(VOTE),
    events: () => ({ moderator: [{ type: 'submessage' }], hamlet: [{ type: 'submessage' }] }),
  },
  {
    name: 'POLL: a bot can vote',
    as: 'bot',
    given: sent(POLL),
    call: adding(VOTE),
    events: ({ users }) => ({ hamlet: [{ type: 'submessage', sender_id: users.bot }] }),
  },
  {
    name: 'POLL: a vote follows the topic, as a reaction does',
    as: 'cordelia',
    given: async (world) => {
      await sent(POLL)(world);
      await world.as('cordelia').settings.edit({ automatically_follow_topics_policy: 1 });
    },
    call: adding(VOTE),
    events: () => ({
      cordelia: [{ type: 'muted_topics' }, { type: 'user_topic', visibility_policy: 3 }, { type: 'submessage' }],
    }),
  },
]);
