import { otherSqliteEngine } from '../support/engines.ts';
import { storageContract } from './storage-contract.ts';

storageContract(otherSqliteEngine);
