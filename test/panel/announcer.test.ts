import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Announcer } from '../../lib/panel/announcer.ts';

test('the announcer says one text each 2 seconds and counts waiting messages', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const said: string[] = [];
  const announcer = new Announcer(
    (text) => said.push(text),
    (count) => `${count} new messages`,
  );
  announcer.message('Ada: Soup');
  assert.deepEqual(said, ['Ada: Soup'], 'the first text at once');
  for (let index = 0; index < 5; index++) announcer.message(`Ada: ${index}`);
  announcer.text('Link copied');
  t.mock.timers.tick(1999);
  assert.equal(said.length, 1);
  t.mock.timers.tick(1);
  assert.deepEqual(said.slice(1), ['Link copied'], "results of the reader's actions come first");
  t.mock.timers.tick(2000);
  assert.deepEqual(said.slice(2), ['5 new messages']);
  t.mock.timers.tick(2000);
  announcer.message('Ben: Bread');
  assert.deepEqual(said.slice(3), ['Ben: Bread']);
  announcer.message('Ben: Butter');
  announcer.stop();
  t.mock.timers.tick(10_000);
  assert.equal(said.length, 4);
});
