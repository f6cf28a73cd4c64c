import { describeShards, testDeadServer } from './shard-servers.ts';

describeShards((setUp) => testDeadServer(setUp, 'does not answer'));
