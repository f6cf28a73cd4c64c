import { describe } from 'node:test';
import { runCases } from '../../world/run-cases.ts';
import { countOf } from './kinds.ts';
import { selections, shells } from './shells.ts';

for (const shell of shells) {
  const { kinds, firsts, others, rest } = selections(shell);
  const counts = `${countOf(others)} cases besides ${countOf(firsts)} have all ${kinds} kinds; ${countOf(rest)} bring none`;
  describe(`${shell.transport.name} on ${shell.engine.name}: ${counts}`, () => runCases(others, shell));
}
