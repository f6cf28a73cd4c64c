import { catalogue, type Operation } from '../../lib/internal.ts';
import { threadedEngine } from '../world/copies.ts';
import { runCases } from '../world/run-cases.ts';
import { libraryTransport } from '../world/transports.ts';
import { tables } from './tables.ts';

// A large file is read in another way, which small ones do not show.
const goingFar = new Set<string>(
  (catalogue as readonly Operation[]).filter(({ extent }) => extent !== undefined).map(({ name }) => name),
);

runCases(
  tables.filter(({ operation }) => goingFar.has(operation)),
  threadedEngine,
  libraryTransport,
);
