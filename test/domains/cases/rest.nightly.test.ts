import { runCases } from '../../world/run-cases.ts';
import { commandTransport } from './command-transport.ts';
import { selections, shells } from './shells.ts';

for (const shell of shells) {
  // chatctl parses many values differently from HTTP.
  if (shell.transport !== commandTransport) runCases(selections(shell).rest, shell);
}
