import { runCases } from '../../world/run-cases.ts';
import { libraryOnPostgres, selections, shells } from './shells.ts';

// Runs the first success and the first refusal of each operation.
for (const shell of [...shells, libraryOnPostgres]) runCases(selections(shell).firsts, shell);
