import { type ZulipJsConfig, zulip } from './zulip-js.ts';

/**
 * `listener.ts <config> <event types>`: prints the events of callOnEachEvent, one per line. A separate process, since
 * that function never returns.
 */
const [config, types] = process.argv.slice(2).map((argument) => JSON.parse(argument)) as [ZulipJsConfig, string[]];
const client = await zulip(config);
await client.callOnEachEvent((event) => process.stdout.write(`event ${JSON.stringify(event)}\n`), types);
