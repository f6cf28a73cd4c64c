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
