import { after, test } from 'node:test';
import { ServerProcess } from '../clients/server-process.ts';

after(() => {
  throw new Error('a hook fails');
});
await ServerProcess.start({ after });
test('that succeeds', () => undefined);
