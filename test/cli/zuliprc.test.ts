import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UsageError } from '../../cli/failure.ts';
import { formatZuliprc, parseZuliprc } from '../../cli/profiles.ts';

describe('a zuliprc', () => {
  it('is read from its [api] section, with comments, spaces and either separator', () => {
    const text =
      '\uFEFF# mine\r\n[zterm]\r\ntheme=dark\r\n\r\n[api]\r\nEmail = ada@example.com\r\nkey: abc=def\r\n; old\r\nsite=https://chat.example.com\r\n[other]\r\nkey=no\r\n';
    assert.deepEqual(parseZuliprc(text, 'rc'), {
      email: 'ada@example.com',
      key: 'abc=def',
      site: 'https://chat.example.com',
    });
  });

  it('leaves out what is empty', () => {
    assert.deepEqual(parseZuliprc('[api]\nemail=\nsite=a\n', 'rc'), { site: 'a' });
  });

  it('is refused with its name when it has no [api] section, a broken line or a loose truth value', () => {
    assert.throws(
      () => parseZuliprc('email=a\n', 'my.rc'),
      (error: Error) => error instanceof UsageError && error.message.includes('my.rc'),
    );
    assert.throws(() => parseZuliprc('[api]\nnonsense\n', 'my.rc'), /line 2/);
    assert.throws(() => parseZuliprc('[api]\ninsecure=True\n', 'my.rc'), /true or false/);
  });

  it('comes back as it was written', () => {
    const account = { email: 'ada@example.com', key: 'k'.repeat(32), site: 'http://localhost:9991' };
    assert.deepEqual(parseZuliprc(formatZuliprc(account), 'rc'), account);
  });
});
