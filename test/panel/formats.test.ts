import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { formatsOf } from '../../lib/panel/formats.ts';

const AT = new Date(2026, 2, 3, 14, 5).getTime();
const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');

afterEach(() => {
  if (before) Object.defineProperty(globalThis, 'navigator', before);
  else Reflect.deleteProperty(globalThis, 'navigator');
});

for (const [language, time] of [
  ['de-DE', '14:05'],
  ['en-GB', '14:05'],
  ['en-US', '2:05 PM'],
] as const) {
  test(`a time is ${time} in an English page of a browser in ${language}, until the user chooses a format`, () => {
    Object.defineProperty(globalThis, 'navigator', { value: { language }, configurable: true });
    const shown = (has24Hours?: boolean) => formatsOf('en', has24Hours).time(AT).replace(/\s/g, ' ');
    assert.equal(shown(), time);
    assert.deepEqual([shown(true), shown(false)], ['14:05', '2:05 PM']);
  });
}

test('yesterday is the day before, also around days of 23 and 25 hours', (t) => {
  const { TZ } = process.env;
  process.env.TZ = 'Europe/Berlin';
  t.after(() => {
    if (TZ === undefined) Reflect.deleteProperty(process.env, 'TZ');
    else process.env.TZ = TZ;
  });
  const dayAt = (now: string, at: string) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.parse(now) });
    const day = formatsOf('en').day(Date.parse(at));
    t.mock.timers.reset();
    return day;
  };
  // Sunday 29 March 2026 has 23 hours, Sunday 25 October 2026 has 25.
  assert.equal(dayAt('2026-03-30T00:30+02:00', '2026-03-29T12:00+02:00'), 'Yesterday');
  assert.equal(dayAt('2026-03-30T00:30+02:00', '2026-03-28T23:45+01:00'), 'Saturday, March 28');
  assert.equal(dayAt('2026-10-25T23:30+01:00', '2026-10-24T12:00+02:00'), 'Yesterday');
  assert.equal(dayAt('2026-10-25T23:30+01:00', '2026-10-25T00:15+02:00'), 'Today');
});
