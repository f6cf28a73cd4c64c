import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeIndex, widgetOf } from '../../../lib/panel/messages/widget-model.ts';
import { testChat } from '../../../lib/testing/testing.ts';

async function started(t: { after(run: () => Promise<void>): void }, content: string) {
  const { people, channels, close } = await testChat();
  t.after(close);
  const { ada, ben } = people;
  const { id } = await ada.messages.send({ type: 'channel', to: channels.general, topic: 'lunch', content });
  const change = (who: typeof ada, fields: object) =>
    who.messages.addSubmessage({ message_id: id, content: JSON.stringify(fields) });
  const submessages = async () => (await ben.messages.get({ message_id: id })).message.submessages;
  return { ada, ben, change, submessages };
}

test('a poll has the votes, options and question after all changes', async (t) => {
  const { ada, ben, change, submessages } = await started(t, '/poll Lunch?\nSoup\nBread');
  await change(ada, { type: 'vote', key: 'canned,0', vote: 1 });
  await change(ben, { type: 'vote', key: 'canned,0', vote: 1 });
  await change(ben, { type: 'vote', key: 'canned,1', vote: 1 });
  await change(ben, { type: 'vote', key: 'canned,0', vote: -1 });
  const idx = freeIndex(await submessages(), ben.user_id);
  await change(ben, { type: 'new_option', option: 'Tea', idx });
  await change(ben, { type: 'new_option', option: 'Soup', idx: idx + 1 });
  await change(ada, { type: 'vote', key: `${ben.user_id},${idx}`, vote: 1 });
  await change(ada, { type: 'question', question: 'Dinner?' });
  assert.deepEqual(widgetOf(await submessages()), {
    type: 'poll',
    title: 'Dinner?',
    options: [
      { key: 'canned,0', text: 'Soup', voters: [ada.user_id] },
      { key: 'canned,1', text: 'Bread', voters: [ben.user_id] },
      { key: `${ben.user_id},${idx}`, text: 'Tea', voters: [ada.user_id] },
    ],
  });
  assert.equal(freeIndex(await submessages(), ben.user_id), idx + 2);
});

test('a to-do list has the tasks and title after all changes', async (t) => {
  const { ada, ben, change, submessages } = await started(t, '/todo Party\nShop: milk\nCook');
  await change(ben, { type: 'strike', key: '0,canned' });
  await change(ben, { type: 'strike', key: '1,canned' });
  await change(ada, { type: 'strike', key: '1,canned' });
  const key = freeIndex(await submessages(), ben.user_id);
  await change(ben, { type: 'new_task', key, task: 'Clean', desc: 'at night', completed: false });
  await change(ada, { type: 'new_task_list_title', title: 'Feast' });
  assert.deepEqual(widgetOf(await submessages()), {
    type: 'todo',
    title: 'Feast',
    tasks: [
      { key: '0,canned', text: 'Shop', detail: 'milk', isDone: true },
      { key: '1,canned', text: 'Cook', detail: '', isDone: false },
      { key: `${key},${ben.user_id}`, text: 'Clean', detail: 'at night', isDone: false },
    ],
  });
});

test('other submessages are neither', () => {
  const of = (content: string) => widgetOf([{ id: 1, sender_id: 1, content }]);
  for (const content of ['{}', 'null', '[]', 'no JSON', '{"widget_type":"zform","extra_data":{}}'])
    assert.equal(of(content), undefined, content);
  assert.deepEqual(of('{"widget_type":"poll"}'), { type: 'poll', title: '', options: [] });
  assert.deepEqual(of('{"widget_type":"todo","extra_data":{"tasks":[null]}}'), {
    type: 'todo',
    title: '',
    tasks: [{ key: '0,canned', text: '', detail: '', isDone: false }],
  });
  assert.equal(widgetOf([]), undefined);
});
