/** What `server/`, `cli/` and the tests take beyond the public surface. No promise to anybody else. */
export { AVATARS, GENERATED_AVATARS } from './access/avatars.ts';
export { type Demo, type DemoAccount, findDemo, isUnfinishedDemo, seedDemo } from './chat/demo.ts';
export { type ChatTransport, transportOf } from './chat/transport.ts';
export { shortestEdit } from './domains/messages/history/shortest-edit.ts';
export { catalogue, operationNamed, registered } from './kernel/catalogue.ts';
export type { Access } from './kernel/context.ts';
export type { Caller } from './kernel/engine.ts';
export * from './kernel/errors.ts';
export { type Effect, type Operation, routesOf } from './kernel/operation.ts';
export { type FileParameter, fileParameter, isOptional } from './kernel/parameters.ts';
export { RawJson } from './kernel/raw-json.ts';
export { bareSchema, decodeText, encodeText, textKind } from './kernel/text-codec.ts';
export { FEATURE_LEVEL } from './kernel/version.ts';
export { emojiNameOf } from './markdown/emoji-names.ts';
export { openApiDocument } from './openapi/openapi.ts';
export { systemClock } from './ports/clock.ts';
export { stderrLogger } from './ports/logger.ts';
export type { StorageErrorReason } from './storage/storage-error.ts';
