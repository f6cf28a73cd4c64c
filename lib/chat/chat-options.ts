import { type Clock, correctedClock } from '../adapters/clock.ts';
import type { Directory } from '../adapters/directory.ts';
import type { FileStore } from '../adapters/files.ts';
import type { Hooks } from '../adapters/hooks.ts';
import { type Images, sharpImages } from '../adapters/images.ts';
import type { LinkPreviewOptions } from '../adapters/link-pages.ts';
import { type Logger, stderrLogger } from '../adapters/logger.ts';
import type { Mail } from '../adapters/mail.ts';
import type { PushRelay } from '../adapters/push-relay.ts';
import type { WebhookOptions } from '../adapters/webhook-calls.ts';
import { siteOf } from '../rules/site-address.ts';
import type { MigrationStep, Storage } from '../storage/interface/storage.ts';
import type { ServiceOptions } from '../viewer/context.ts';

/** Options of `openChat`. Only `storage` is required. */
export interface ChatOptions {
  /** The database: `sqlite('chat.db')` or `postgres('postgres://…')`. */
  storage: Storage;
  /**
   * Whether to migrate an older database. Default true. With false, `openChat` throws `StorageError`
   * (`older-version`, or `empty` if there are no tables). `'new'` creates the tables in an empty database, but
   * does not migrate an older one.
   */
  migrate?: boolean | 'new';
  /** Called after each migration step. With many messages, a migration can take minutes. */
  onMigration?: (step: MigrationStep) => void;
  /**
   * Public address of this organization, for example `https://chat.example.com`. May have a path, but no login,
   * query or hash. Default: the address on which the server listens.
   */
  baseUrl?: string;
  /** Development mode: every client can fetch the API key of every account. Never use it in production. Default false. */
  development?: boolean;
  /** Whether the organization may make channels readable without login. Default true. */
  webPublicChannels?: boolean;
  /**
   * Whether restricted guests see the presence only of users that they can see. Default true. With false, they
   * see the presence of all users (`CAN_ACCESS_ALL_USERS_GROUP_LIMITS_PRESENCE`).
   */
  limitPresence?: boolean;
  /** Minutes until an invitation expires, unless it sets its own time. Default 14400 (10 days). null: never. */
  invitationMinutes?: number | null;
  /**
   * Secrets that sign tokens and the cookie of the login page: 1 to 10 texts of at least 32 characters. The first one
   * signs, and all are accepted. To rotate them, put a new one first, and remove the old one a day later (cookies: 30
   * days). Pass the same in every process. Default: a secret of the organization in the database.
   */
  loginSecrets?: readonly string[];
  /** Seconds after which a long poll without events returns a heartbeat. Default 50. */
  heartbeatSeconds?: number;
  /** Sends e-mail, for example `smtp({ url, from })`. Default: none. */
  mail?: Mail;
  /**
   * `email`, `phones` and `browsers`: false turns off e-mails about missed messages, push notifications on phones, and
   * in browsers. `program`: which notifications `chat.on('notification')` gets: `email`, `push` or both. Default: none.
   * Pass the same in every process.
   */
  notifications?: { email?: boolean; phones?: boolean; browsers?: boolean; program?: readonly ('email' | 'push')[] };
  /** URL of your page that shows a message, for links in e-mails. Default: the web app. */
  messageUrl?: (
    place: { external_id?: string; channel_id?: number; topic?: string; user_ids?: number[] },
    message: { id: number },
    reader: { user_id: number; role: number },
  ) => string | undefined;
  /** Sends mobile push notifications, for example `pushRelay({ url, id, key })`. Default: none are sent. */
  pushRelay?: PushRelay;
  /**
   * Checks passwords of people without a password in the chat, for example `ldap({ url, base })`. Each person that it
   * knows gets an account at the first login. Default: none.
   */
  directory?: Directory;
  /** Decodes and resizes pictures. Default: the package sharp, an optional dependency. */
  images?: Images;
  /** Stores uploaded files, for example `localFiles('chat.db-uploads')`. Default: uploads are refused. */
  files?: FileStore;
  /** Size limit of one uploaded file, in MiB. Default 100. */
  maxUploadMebibytes?: number;
  /** Size limit of all uploaded files together, in MiB. Default: no limit. */
  uploadQuotaMebibytes?: number | null;
  /** Networks and timeout for calls of outgoing webhooks. */
  outgoingWebhooks?: WebhookOptions;
  /**
   * Networks and timeout for previews of links, which each organization turns on (`inline_url_embed_preview`). False: this
   * server fetches no linked pages. Pass the same in every process.
   */
  linkPreviews?: false | LinkPreviewOptions;
  /** Your functions that check or change messages. They run in this process only: pass them in every process. */
  hooks?: Hooks;
  /** Time source; tests pass their own. Default: the clock of this machine, on PostgreSQL that of the database. */
  clock?: Clock;
  /** Receives log messages. Default: writes errors and warnings to stderr, one JSON object per line. */
  logger?: Logger;
}

export function withDefaults(options: ChatOptions): ServiceOptions {
  return {
    storage: options.storage,
    clock: options.clock ?? correctedClock(() => options.storage.clockOffsetMs ?? 0),
    logger: options.logger ?? stderrLogger,
    mail: options.mail,
    notifications: {
      email: options.notifications?.email ?? true,
      phones: options.notifications?.phones ?? true,
      browsers: options.notifications?.browsers ?? true,
      program: options.notifications?.program ?? [],
    },
    messageUrl: options.messageUrl,
    pushRelay: options.pushRelay,
    directory: options.directory,
    images: options.images ?? sharpImages(),
    files: options.files,
    maxUploadMebibytes: options.maxUploadMebibytes ?? 100,
    uploadQuotaMebibytes: options.uploadQuotaMebibytes ?? null,
    baseUrl: siteOf('baseUrl', options.baseUrl ?? 'http://localhost:9991'),
    development: options.development ?? false,
    webPublicChannels: options.webPublicChannels ?? true,
    limitPresence: options.limitPresence ?? true,
    invitationMinutes: options.invitationMinutes === undefined ? 14_400 : options.invitationMinutes,
    loginSecrets: checkedSecrets(options.loginSecrets ?? []),
    loginPages: [],
    heartbeatSeconds: options.heartbeatSeconds ?? 50,
    outgoingWebhooks: options.outgoingWebhooks ?? {},
    linkPreviews: options.linkPreviews === false ? undefined : (options.linkPreviews ?? {}),
    hooks: options.hooks ?? {},
  };
}

function checkedSecrets(secrets: readonly string[]): readonly string[] {
  if (secrets.length > 10 || secrets.some((secret) => typeof secret !== 'string' || secret.length < 32)) {
    throw new TypeError('loginSecrets must be at most 10 texts of at least 32 characters each.');
  }
  return [...secrets];
}
