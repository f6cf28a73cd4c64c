import type { SecondFactor, SecondFactorStore } from '../interface/second-factors.ts';
import { record } from './record.ts';
import { changes, column, type Queries } from './store.ts';

const FACTOR = record<SecondFactor>({
  user_id: 'integer',
  salt: 'text',
  is_on: 'boolean',
  begun_ms: 'integer',
  last_step: 'integer',
  recovery_digests: 'json',
  wrong_codes: 'integer',
  wrong_ms: 'integer',
});

const PUT = `
  INSERT INTO second_factors (${FACTOR.columns}) VALUES (${FACTOR.places})
  ON CONFLICT (user_id) DO UPDATE SET salt = excluded.salt, is_on = excluded.is_on,
    begun_ms = excluded.begun_ms, last_step = excluded.last_step,
    recovery_digests = excluded.recovery_digests, wrong_codes = excluded.wrong_codes, wrong_ms = excluded.wrong_ms`;

export const secondFactors: Queries<SecondFactorStore> = {
  of: FACTOR.one(`SELECT ${FACTOR.columns} FROM second_factors WHERE user_id = ?`),
  holders: column('SELECT user_id FROM second_factors WHERE user_id IN_IDS(?) AND is_on = 1'),
  remove: changes('DELETE FROM second_factors WHERE user_id = ?'),

  async put(connection, factor) {
    await connection.run(PUT, FACTOR.values(factor));
  },
};
