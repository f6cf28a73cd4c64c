import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UsageError } from '../../cli/failure.ts';
import { formatZuliprc, parseZuliprc } from '../../cli/profiles.ts';

describe('zuliprc files', () => {
  it('the [api] section is read, with comments, spaces and either separator', () => {
    const text =
      '\uFEFF# mine\r\n[zterm]\r\ntheme=dark\r\n\r\n[api]\r\nEmail = ada@example.com\r\nkey: abc=def\r\n; old\r\nsite=https://chat.example.com\r\n[other]\r\nkey=no\r\n';
    assert.deepEqual(parseZuliprc(text, 'rc'), {
      email: 'ada@example.com',
      key: 'abc=def',
      site: 'https://chat.example.com',
    });
  });

  it('empty values are left out', () => {
    assert.deepEqual(parseZuliprc('[api]\nemail=\nsite=a\n', 'rc'), { site: 'a' });
  });

  it('a file without [api] section, or with an invalid line, is refused with its name', () => {
    assert.throws(
      () => parseZuliprc('email=a\n', 'my.rc'),
      (error: Error) => error instanceof UsageError && error.message.includes('my.rc'),
    );
    assert.throws(() => parseZuliprc('[api]\nnonsense\n', 'my.rc'), /line 2/);
    assert.throws(() => parseZuliprc('[api]\ninsecure=True\n', 'my.rc'), /true or false/);
  });

  it('a written file is read back unchanged', () => {
    const account = { email: 'ada@example.com', key: 'k'.repeat(32), site: 'http://localhost:9991' };
    assert.deepEqual(parseZuliprc(formatZuliprc(account), 'rc'), account);
  });
});
