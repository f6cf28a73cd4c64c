import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkSchema, readAddress } from '../../lib/storage/postgres/address.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { StorageError } from '../../lib/storage/storage-error.ts';

describe('the address of a PostgreSQL database', () => {
  it('readAddress removes the schema from the address', () => {
    assert.deepEqual(readAddress('postgres://ada:x@db/chat?schema=team&application_name=a'), {
      url: 'postgres://ada:x@db/chat?application_name=a',
      schema: 'team',
      prefersTls: false,
    });
    assert.equal(readAddress('postgres://ada:a%2Fb@db/chat?schema=team').url, 'postgres://ada:a%2Fb@db/chat');
    assert.equal(readAddress('postgres:///chat?host=/run/postgresql').schema, undefined);
    assert.equal(readAddress('postgresql://[::1]:5432/chat').url, 'postgresql://[::1]:5432/chat');
  });

  it('readAddress removes prepared_statements and the address for notifications', () => {
    assert.deepEqual(
      readAddress('postgres://ada:x@pool:6432/chat?prepared_statements=false&listen_host=db&listen_port=5432'),
      {
        url: 'postgres://ada:x@pool:6432/chat',
        schema: undefined,
        prefersTls: false,
        preparedStatements: false,
        listenUrl: 'postgres://ada:x@pool:6432/chat?host=db&port=5432',
      },
    );
  });

  it('readAddress gives sslmode the meaning it has in libpq', () => {
    assert.equal(
      readAddress('postgres://db/chat?sslmode=require').url,
      'postgres://db/chat?sslmode=require&uselibpqcompat=true',
    );
    assert.equal(readAddress('postgres://db/chat?sslmode=prefer').prefersTls, true);
  });

  const REFUSED: readonly (readonly [address: string, says: RegExp])[] = [
    ['postgres://ada:secret@db/chat?target_session_attrs=read-write', /target_session_attrs.*HAProxy/],
    ['postgres://ada:secret@h1:5432,h2:5432/chat', /several servers\..*HAProxy/],
    ['postgres://ada:secret@/chat?host=h1,h2', /several servers in host/],
    ['postgres://ada:secret@db/chat?sslmod=require', /parameter sslmod\..*sslmode/],
    ['postgres://ada:secret@db/chat?sslmode=on', /sslmode=on.*verify-full/],
    ['postgres://ada:secret@db/chat?sslmode=verify-ca', /sslmode=verify-ca.*sslrootcert/],
    ['postgres://ada:secret@db/chat?sslrootcert=/nowhere/ca.pem', /sslrootcert=\/nowhere\/ca\.pem.*no such file/],
    ['postgres://ada:secret@db:70000/chat', /port out of range.*65535/],
    ['postgres://ada:secret@db:0/chat', /port out of range/],
    ['postgres://ada:99999/secret@db/chat', /port out of range/],
    ['postgres://ada:12/secret@db/chat', /cannot be read.*%2F/],
    ['postgres://ada:a,b/secret@db/chat', /several servers/],
    ['postgres://ada:secret@db/chat?port=x', /port x/],
    ['postgres://ada:secret@db/chat?schema=', /empty schema/],
    ['postgres://ada:se cret@d b/chat', /cannot be read/],
  ];
  for (const [address, says] of REFUSED) {
    it(`is refused with an error that says what to do: ${address}`, () => {
      const refused = (error: unknown) =>
        error instanceof StorageError &&
        error.reason === 'bad-address' &&
        says.test(error.message) &&
        !/se ?cret|99999|a,b/.test(error.message);
      assert.throws(() => readAddress(address), refused);
    });
  }

  it('checkSchema refuses names that PostgreSQL would shorten, which two tenants could share', () => {
    checkSchema(`tenant_${'x'.repeat(56)}`);
    for (const [schema, says] of [
      [`tenant_${'x'.repeat(57)}`, /longer than 63 bytes/],
      ['ü'.repeat(32), /longer than 63 bytes/],
      ['', /is empty/],
      ['a\0', /NUL/],
    ] as const) {
      const refused = (error: unknown) =>
        error instanceof StorageError && error.reason === 'bad-address' && says.test(error.message);
      assert.throws(() => checkSchema(schema), refused);
      assert.throws(() => postgres('postgres://ada@db/chat', { schema }), refused);
    }
  });
});
