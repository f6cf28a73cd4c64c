import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import { posting } from './sending.ts';

/** The widget of a message with this content. */
const starts = (name: string, content: string, widget_type: string, extra_data: object): Case => ({
  name: `POLL: ${name}`,
  as: 'hamlet',
  call: posting('public', { content }),
  events: ({ users }) => {
    const isWidget = (given: unknown) => {
      assert.deepEqual(JSON.parse(String(given)), { widget_type, extra_data });
      return true;
    };
    const submessage = { sender_id: users.hamlet, msg_type: 'widget', content: isWidget };
    return { cordelia: [{ type: 'message', message: { submessages: [submessage] } }] };
  },
  state: async ({ as }, { id }) => {
    const { messages } = await as('cordelia').messages.list({ message_ids: [id] });
    const [submessage] = messages[0]?.submessages ?? [];
    assert.equal(submessage?.message_id, id);
    assert.deepEqual(JSON.parse(submessage?.content ?? ''), { widget_type, extra_data });
  },
});

const plain = (name: string, content: string): Case => ({
  name: `POLL: ${name}`,
  as: 'hamlet',
  call: posting('public', { content }),
  events: () => ({ cordelia: [{ type: 'message', message: { submessages: [] } }] }),
});

const ZFORM = {
  widget_type: 'zform',
  extra_data: { type: 'choices', heading: 'Quiz', choices: [{ short_name: 'A', long_name: 'Soup', reply: 'A!' }] },
};

const refused = (name: string, widget_content: unknown): Case => ({
  name: `POLL: ${name}`,
  as: 'bot',
  call: posting('public', { widget_content }),
  refuses: { code: 'BAD_REQUEST' },
});

export const sendWidgetCases = cases('messages.send', [
  starts('a poll has a question and options', '/poll Lunch?\nsoup\n- salad\n\n* bread', 'poll', {
    question: 'Lunch?',
    options: ['soup', 'salad', 'bread'],
  }),
  starts('a poll may be empty', '/poll', 'poll', { question: '', options: [] }),
  starts('a poll without a question has the lines as options', '/poll\nsoup', 'poll', {
    question: '',
    options: ['soup'],
  }),
  starts('a to-do list has a title and tasks with descriptions', '/todo Party\ncake: big: round\n- music', 'todo', {
    task_list_title: 'Party',
    tasks: [
      { task: 'cake', desc: 'big: round' },
      { task: 'music', desc: '' },
    ],
  }),
  starts('Windows line ends separate options', '/poll Lunch?\r\nsoup\r\nsalad', 'poll', {
    question: 'Lunch?',
    options: ['soup', 'salad'],
  }),
  starts('options after the first 1,000 are only text', `/poll x\n${'o\n'.repeat(1_500)}`, 'poll', {
    question: 'x',
    options: Array(1_000).fill('o'),
  }),
  plain('a longer word starts no poll', '/pollen is everywhere'),
  plain('/poll within the content starts no poll', 'Use /poll to ask'),
  plain('an unknown command is sent as text', '/game chess'),
  {
    name: 'POLL: a bot can send buttons with widget_content',
    as: 'bot',
    call: posting('public', { widget_content: ZFORM }),
    state: async ({ as }, { id }) => {
      const { message } = await as('hamlet').messages.get({ message_id: id });
      assert.deepEqual(JSON.parse(message.submessages[0]?.content ?? ''), ZFORM);
    },
  },
  refused('widget_content without extra_data is refused', { widget_type: 'zform' }),
  refused('a poll as widget_content is refused', { widget_type: 'poll', extra_data: { question: 'x', options: [] } }),
  refused('widget_content with more than 50 buttons is refused', {
    ...ZFORM,
    extra_data: { ...ZFORM.extra_data, choices: Array(51).fill(ZFORM.extra_data.choices[0]) },
  }),
]);
