/** `backup|restore <database> <backup>`, killed in the middle of the copy, or before the new file is renamed. */
import { backUp, restore, sqlite } from '../../lib/index.ts';

const [what, database, backup] = process.argv.slice(2) as [string, string, string];
const die = () => process.kill(process.pid, 'SIGKILL');
if (what === 'backup')
  await backUp(sqlite(database), backup, { onStep: ({ what: step }) => void (step === 'users' && die()) });
else await restore(backup, sqlite(database), { checkReplaceable: () => undefined, onSetAside: die });
