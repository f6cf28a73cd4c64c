import assert from 'node:assert/strict';
import type { NewAuditEntry } from '../../lib/storage/interface/audit.ts';
import { type Engine, testOn } from '../support/engines.ts';
import { openFounded } from './fixtures.ts';

export function auditEntry(given: Partial<NewAuditEntry> = {}): NewAuditEntry {
  return {
    at_ms: 5,
    action: 'users.edit',
    user_id: 7,
    status: 200,
    code: null,
    details: { user_id: 9, ok: true },
    client: 'tests',
    network: null,
    request: 'r-1',
    times: 1,
    ...given,
  };
}

export function auditContract(engine: Engine): void {
  const test = testOn(engine);

  test('the audit log lists the newest entries that fit, oldest first, as they were added', async (t) => {
    const { storage } = await openFounded(t, engine);
    assert.deepEqual(await storage.read((tx) => tx.audit.list({ since: 0, limit: 1 })), []);
    const refused = auditEntry({
      at_ms: 8,
      user_id: null,
      action: 'fetchApiKey',
      status: 401,
      code: 'AUTHENTICATION_FAILED',
      network: '10.0.0.1',
      request: null,
      times: 3,
      details: {},
    });
    await storage.write(async (tx) => {
      await tx.audit.add([auditEntry(), refused]);
      await tx.audit.add([auditEntry({ at_ms: 9, user_id: 8 })]);
      await tx.audit.add([]);
    });
    const list = async (selection: object) => {
      const entries = await storage.read((tx) => tx.audit.list({ since: 0, limit: 10, ...selection }));
      return entries.map(({ id, ...rest }) => rest);
    };
    assert.deepEqual(await list({}), [auditEntry(), refused, auditEntry({ at_ms: 9, user_id: 8 })]);
    assert.deepEqual(await list({ limit: 1 }), [auditEntry({ at_ms: 9, user_id: 8 })]);
    assert.deepEqual(await list({ since: 6, action: 'users.edit' }), [auditEntry({ at_ms: 9, user_id: 8 })]);
    assert.deepEqual(await list({ userId: 7 }), [auditEntry()]);
    assert.deepEqual(await list({ action: 'fetchApiKey' }), [refused]);
    const [last] = await storage.read((tx) => tx.audit.list({ since: 0, limit: 1 }));
    assert.deepEqual(await list({ beforeId: last?.id }), [auditEntry(), refused]);
  });

  test('the audit log drops old entries and entries beyond its limit, refusals separately', async (t) => {
    const { storage } = await openFounded(t, engine);
    const refusal = { status: 401, code: 'UNAUTHORIZED' };
    await storage.write((tx) =>
      tx.audit.add([
        ...Array.from({ length: 120 }, (_, at) => auditEntry({ at_ms: 1_000 + at })),
        ...Array.from({ length: 5 }, (_, at) => auditEntry({ at_ms: 1_000 + at, ...refusal })),
      ]),
    );
    const trim = (what: 'refused' | 'done', untilMs: number, kept: number, limit = 500) =>
      storage.write((tx) => tx.audit.trim(what, { untilMs, kept, limit }), 'mark');
    assert.equal(await trim('done', 1_010, 1_000), 10);
    assert.equal(await trim('done', 0, 100, 4), 4);
    assert.equal(await trim('done', 0, 100), 6);
    assert.equal(await trim('done', 0, 100), 0);
    assert.equal(await trim('refused', 0, 2), 3);
    const left = await storage.read((tx) => tx.audit.list({ since: 0, limit: 1_000 }));
    assert.deepEqual([left.length, left[0]?.at_ms], [102, 1_020]);
  });
}
