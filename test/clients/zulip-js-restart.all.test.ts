import { testRestarts } from './zulip-js-restarts.ts';

testRestarts(1);
