/** For the test of the runner. */
import assert from 'node:assert/strict';
import { it } from 'node:test';

it('fails always', () => assert.fail());
