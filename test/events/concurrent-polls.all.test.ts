import { postgresEngine, sqliteEngine } from '../world/copies.ts';
import { testDelivery } from './concurrent-polls.ts';

testDelivery(1_000, { engine: sqliteEngine, processes: 2, by: 'streams' });
testDelivery(1_000, { engine: postgresEngine, processes: 2, by: 'polls over HTTP' });
