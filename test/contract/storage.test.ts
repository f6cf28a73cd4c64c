import { engines } from '../support/engines.ts';
import { storageContract } from './storage-contract.ts';

// The contract is played on each engine in full: what repeats other tests there relies on it.
for (const engine of engines) storageContract({ ...engine, repeats: false });
