import type { Engine } from '../engine/engine.ts';
import type { ExternalLoginPage } from '../viewer/context.ts';
import {
  accountAt,
  authenticate,
  checkedLogin,
  keyOf,
  newCookie,
  noteWrongKey,
  resolveUser,
} from './authentication.ts';
import { dryRun, why } from './dry-run.ts';
import { pollEvents, streamEvents } from './event-calls.ts';
import { externalLogin } from './external-login.ts';
import { metricsOf, readinessOf } from './health.ts';
import { avatarImage, avatarUrl, emojiImage, organizationImage } from './images.ts';
import { beginAttempt, continueAttempt } from './login-attempts.ts';
import { acceptsMailFor } from './mail/receive-mail.ts';
import { openUpload } from './open-upload.ts';
import { ResumableUploads } from './resumable-uploads.ts';
import { sealForm, unsealForm } from './sealed-forms.ts';
import { rememberNetwork, signInState } from './sign-in-networks.ts';
import { WebhookKeys } from './webhook-keys.ts';

/** `Symbol.for`, so that the ESM and the CommonJS build share it. */
export const TRANSPORT: unique symbol = Symbol.for('parlance.transport');

export function transportOf(chat: { readonly [TRANSPORT]: unknown }): ChatTransport {
  return chat[TRANSPORT] as ChatTransport;
}

export type ChatTransport = ReturnType<typeof transportOver>;

/**
 * Internal interface for servers and the command line. They may come from another copy of the package than the chat:
 * these functions run in the copy of the chat.
 */
export function transportOver(engine: Engine, { hasBaseUrl }: { hasBaseUrl: boolean }) {
  const webhookKeys = new WebhookKeys(engine.storage);
  return {
    engine,
    resumableUploads: new ResumableUploads(engine),
    dryRun: dryRun.bind(undefined, engine),
    why: why.bind(undefined, engine),
    pollEvents: pollEvents.bind(undefined, engine),
    streamEvents: streamEvents.bind(undefined, engine),
    openUpload: openUpload.bind(undefined, engine),
    readiness: readinessOf.bind(undefined, engine),
    metrics: metricsOf.bind(undefined, engine),
    acceptsMailFor: acceptsMailFor.bind(undefined, engine),
    emojiImage: emojiImage.bind(undefined, engine),
    avatarImage: avatarImage.bind(undefined, engine),
    organizationImage: organizationImage.bind(undefined, engine),
    avatarUrl: avatarUrl.bind(undefined, engine),
    signInState: signInState.bind(undefined, engine),
    rememberNetwork: rememberNetwork.bind(undefined, engine),
    authenticate: authenticate.bind(undefined, engine),
    noteWrongKey: noteWrongKey.bind(undefined, engine),
    resolveUser: resolveUser.bind(undefined, engine),
    checkLogin: checkedLogin.bind(undefined, engine),
    newCookie: newCookie.bind(undefined, engine),
    sealForm: sealForm.bind(undefined, engine),
    unsealForm: unsealForm.bind(undefined, engine),
    accountAt: accountAt.bind(undefined, engine),
    keyOf: keyOf.bind(undefined, engine),
    beginAttempt: beginAttempt.bind(undefined, engine),
    continueAttempt: continueAttempt.bind(undefined, engine),
    externalLogin: externalLogin.bind(undefined, engine),
    /** The incoming-webhook bot of an API key in a URL. Throws `Unauthorized`. */
    webhookBot: webhookKeys.holderOf.bind(webhookKeys),

    /** For `chatctl` on the database: the audit log shows local administration, not the account that it acts as. */
    actLocally(): void {
      engine.isLocal = true;
    },

    /** Adds the login pages of identity providers to the server settings, where apps find them. */
    offersLogins(logins: readonly ExternalLoginPage[]): void {
      engine.options.loginPages = logins;
    },

    /** Sets the base URL to the address of the server, unless one was configured. */
    listensAt(url: string): void {
      if (!hasBaseUrl) engine.options.baseUrl = url.replace(/\/+$/, '');
    },
  };
}
