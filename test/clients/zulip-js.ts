import { createRequire } from 'node:module';
import type { Body } from './form-client.ts';

type Call = (parameters?: object) => Promise<Body>;

/** The parts of the package that the tests use. It has no types. */
export interface ZulipJs {
  config: { apiKey?: string };
  callEndpoint(path: string, method?: string, parameters?: object): Promise<Body>;
  callOnEachEvent(callback: (event: Body) => void, eventTypes: string[]): Promise<never>;
  server: { settings: Call };
  users: {
    retrieve: Call;
    create: Call;
    me: { getProfile: Call; subscriptions: { add: Call; remove: Call } };
  };
  streams: {
    retrieve: Call;
    getStreamId(name: string | object): Promise<Body>;
    deleteById: Call;
    topics: { retrieve: Call };
    subscriptions: { retrieve: Call };
  };
  filters: { retrieve: Call };
  messages: { send: Call; retrieve: Call; getById: Call; flags: { add: Call; remove: Call } };
  queues: { register: Call; deregister: Call };
  events: { retrieve: Call };
}

export type ZulipJsConfig =
  | { realm: string; username: string; password?: string; apiKey?: string }
  | { zuliprc: string };

const { FormData } = globalThis;
/** The published npm package `zulip-js`. */
export const zulip: (config: ZulipJsConfig) => Promise<ZulipJs> = createRequire(import.meta.url)('zulip-js');
// The package replaces the global class, which other tests of this process use.
globalThis.FormData = FormData;
