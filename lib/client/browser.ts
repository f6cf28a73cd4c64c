/**
 * `parlance-chat/client` for browsers: a session over `fetch`, without Node modules and without schemas. Only the server
 * checks parameters. Its types are those of `client.ts`.
 */
export { ChatError, isChatError, RateLimitHit } from '../base/errors.ts';
export { Unreachable } from './answer.ts';
export { connect } from './browser-session.ts';
export { createChatStore } from './store/chat-store.ts';
export { suggest } from './store/suggest.ts';
