import { describe, it, test } from 'node:test';

test('a test that needs a program', { skip: 'there is no such program' }, () => undefined);

describe('a group', () => {
  it('with another test that needs it', { skip: 'there is no such program' }, () => undefined);
});
