import type { IncomingMessage } from 'node:http';
import type { Chat } from '../lib/index.ts';
import { catalogue, FairScheduler, type Operation, transportOf } from '../lib/internal.ts';
import { Authentication } from './authentication.ts';
import { Compression } from './compression.ts';
import { LongPolls } from './long-polls.ts';
import { checkedSecret, type ListenerOptions } from './options.ts';
import { Web } from './pages/web/web.ts';
import { PasswordLimits } from './password-limits.ts';
import { queueLimits, RateLimits } from './rate-limits.ts';
import { routerFor } from './router.ts';
import { UnsentAnswers } from './unsent-answers.ts';

/** How accounts share the work of requests. */
const REQUESTS = {
  expensiveMs: 50,
  maxWaiting: 50,
  // Most proxies give up after 60 s, and then the client does not learn the result.
  maxWaitMs: 45_000,
};

export type ListenerContext = ReturnType<typeof listenerContext>;

/** The state that the requests of a listener share. */
export function listenerContext(
  chat: Chat,
  options: ListenerOptions,
  { operations = catalogue, ownsRequests = false }: { operations?: readonly Operation[]; ownsRequests?: boolean } = {},
) {
  const { rateLimits: rules = {}, trustProxy = 0, maxBodyBytes = 1024 * 1024 } = options;
  const rateLimits = rules === false ? undefined : new RateLimits(rules, Number(trustProxy));
  const transport = transportOf(chat);
  const web = new Web(transport, options);
  return {
    chat,
    transport,
    router: routerFor(operations),
    authentication: new Authentication(transport, options, rateLimits, web.cookie),
    rateLimits,
    passwordLimits: rateLimits && new PasswordLimits(rateLimits, transport),
    web,
    turns: rateLimits && new FairScheduler({ ...REQUESTS, places: transport.engine.places }),
    polls: new LongPolls({ ownsRequests, limits: rules === false ? undefined : queueLimits(rules) }),
    unsent: new UnsentAnswers(),
    compression: new Compression(),
    maxBodyBytes,
    inboundMailSecret: checkedSecret(options.inboundMailSecret),
  };
}

/** Who waits for and uses the shared resources of the server: the account, or else the network address. */
export const callerKey = ({ rateLimits }: ListenerContext, req: IncomingMessage, userId: number | null = null) =>
  userId ?? rateLimits?.addressOf(req) ?? 'unknown';
