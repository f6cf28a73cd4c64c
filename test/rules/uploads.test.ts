import assert from 'node:assert/strict';
import { test } from 'node:test';
import { displayName } from '../../lib/rules/uploads.ts';

test('the display name of an uploaded file has no folders of the sender', () => {
  assert.equal(displayName('/home/ada/report.pdf'), 'report.pdf');
  assert.equal(displayName(String.raw`C:\Users\Ada\report.pdf`), 'report.pdf');
  assert.equal(displayName('C%3A%5CUsers%5Creport.pdf'), 'report.pdf');
});
