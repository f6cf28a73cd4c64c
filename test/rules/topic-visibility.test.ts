import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FOLLOWED, INHERIT, MUTED, mergedPolicy, UNMUTED } from '../../lib/rules/topics.ts';

test('two topics that become one keep the policy that shows more', () => {
  const fromLeast = [MUTED, INHERIT, UNMUTED, FOLLOWED] as const;
  for (const [rank, more] of fromLeast.entries()) {
    for (const less of fromLeast.slice(0, rank + 1)) {
      assert.equal(mergedPolicy(more, less), more);
      assert.equal(mergedPolicy(less, more), more);
    }
  }
});
