import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AutomaticPolicy, automaticPolicy, FOLLOWED, resolveToggle, UNMUTED } from '../../lib/rules/topics.ts';

const SETTINGS: readonly AutomaticPolicy[] = [1, 2, 3, 4];

test('a topic is followed or unmuted by the action that the settings name, and never hidden', () => {
  // Values of the setting: 1 participation, 2 sending, 3 starting.
  const reaches = { starts: [1, 2, 3], begins: [3], sends: [1, 2], 'takes part': [1] };
  for (const [did, reached] of Object.entries(reaches)) {
    for (const follow of SETTINGS) {
      for (const unmute of SETTINGS) {
        for (const visibility_policy of [0, 1, 2, 3] as const) {
          for (const is_channel_muted of [false, true]) {
            const present = { visibility_policy, is_channel_muted };
            const follows = reached.includes(follow) && visibility_policy < FOLLOWED;
            const unmutes = is_channel_muted && reached.includes(unmute) && visibility_policy < UNMUTED;
            const actual = automaticPolicy(did as keyof typeof reaches, { follow, unmute }, present);
            const what = JSON.stringify([did, follow, unmute, present]);
            assert.equal(actual, follows ? FOLLOWED : unmutes ? UNMUTED : undefined, what);
          }
        }
      }
    }
  }
});

test('a topic is resolved or unresolved if only the check mark changes', () => {
  const long = 'x'.repeat(60);
  for (const [from, to, toggle] of [
    ['a', '✔ a', 'resolved'],
    ['✔ a', '✔ ✔ a', 'resolved'],
    [long, `✔ ${'x'.repeat(55)}...`, 'resolved'],
    ['✔ a', 'a', 'unresolved'],
    ['✔ ✔ a', '✔ a', 'unresolved'],
    ['a', '✔ b', undefined],
    ['✔ a', 'b', undefined],
    ['a', 'a', undefined],
    ['a', '✔a', undefined],
    ['', '✔ ', undefined],
    ['✔ ', '', undefined],
    [long, `✔ ${long}`, undefined],
  ] as const)
    assert.equal(resolveToggle(from, to), toggle, `${from} → ${to}`);
});
