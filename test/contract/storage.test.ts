import { engines } from '../support/engines.ts';
import { storageContract } from './storage-contract.ts';

for (const engine of engines) storageContract(engine);
