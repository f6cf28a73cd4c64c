import { postgresEngine } from '../support/engines.ts';
import { FOUND, testNoLeaks, testOlderShop } from './customer-sites.ts';

testNoLeaks(postgresEngine);
for (const name of Object.keys(FOUND)) testOlderShop(name);
