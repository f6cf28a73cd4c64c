import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filesFor, withoutPassword } from '../../cli/database.ts';

describe('the address of a database in messages, without its password', () => {
  const SHOWN: readonly (readonly [given: string, shown: string])[] = [
    ['chat.db', 'chat.db'],
    ['a:b@c.db', 'a:b@c.db'],
    [
      'postgres://ada@db.example.com:5432/chat?sslmode=require',
      'postgres://ada@db.example.com:5432/chat?sslmode=require',
    ],
    ['postgres://ada:secret@db/chat', 'postgres://ada@db/chat'],
    ['postgresql://ada:secret@db/chat', 'postgresql://ada@db/chat'],
    ['POSTGRES://ada:secret@db/chat', 'postgres://ada@db/chat'],
    ['postgres://:secret@db/chat', 'postgres://db/chat'],
    ['postgres://ada:with:secret@db/chat', 'postgres://ada@db/chat'],
    ['postgres://ada:with@secret@db/chat', 'postgres://ada@db/chat'],
    ['postgres://ada@db/chat?password=secret&sslmode=require', 'postgres://ada@db/chat?sslmode=require'],
    ['postgres://db/chat?sslpassword=secret', 'postgres://db/chat'],
    ['postgres://db/chat?PassWord=secret', 'postgres://db/chat'],
    ['postgres:///chat?host=/run/postgresql&password=secret', 'postgres:///chat?host=%2Frun%2Fpostgresql'],
  ];
  for (const [given, shown] of SHOWN)
    it(`${given} is shown as ${shown}`, () => assert.equal(withoutPassword(given), shown));

  it('an address that a password makes ambiguous is hidden completely', () => {
    for (const password of ['se/cret', 'se#cret', 'se?cret', '12/secret', '12#secret', '12?secret']) {
      assert.equal(withoutPassword(`postgres://ada:${password}@db/chat`), 'postgres://...', password);
    }
    assert.equal(withoutPassword('postgres://ada:secret@/chat'), 'postgres://...');
  });
});

it('a wrong address of a bucket is not shown, because it may contain keys', async () => {
  const isHidden = ({ message, advice = '' }: Error & { advice?: string }) =>
    !`${message} ${advice}`.includes('SECRET');
  await assert.rejects(filesFor('chat.db', 's3://KEY:SECRET@bucket/files'), isHidden);
});
