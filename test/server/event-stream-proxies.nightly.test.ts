import { testClient } from './event-stream-proxies.ts';

testClient('Node', 'streams through nginx');
testClient('a browser', 'polls behind a proxy that buffers');
