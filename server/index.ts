/** Parlance over HTTP: a standalone server, or a listener for an existing server. */
export { ChatServer, type ChatServerOptions } from './chat-server.ts';
export { type FetchHandler, fetchHandler } from './fetch-handler.ts';
export type { Listener } from './listener.ts';
export { Metrics } from './metrics.ts';
export type { DemoLogin, FetchOptions, HostLogin, ListenerOptions, ServingOptions } from './options.ts';
export type { RateLimitRule, RateLimitRules } from './rate-limits.ts';
export { createServer, type RunningServer, requestListener, type ServeOptions, serve } from './serve.ts';
export type { OidcOptions, RoleName } from './sign-in/oidc-options.ts';
