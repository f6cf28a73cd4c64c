import type { ServiceOptions } from '../kernel/context.ts';
import type { Hooks } from '../kernel/hooks.ts';
import { type Clock, correctedClock } from '../ports/clock.ts';
import type { FileStore } from '../ports/files.ts';
import type { Images } from '../ports/images.ts';
import { type Logger, stderrLogger } from '../ports/logger.ts';
import type { Mail } from '../ports/mail.ts';
import type { PushRelay } from '../ports/push-relay.ts';
import { sharpImages } from '../ports/sharp-images.ts';
import type { WebhookOptions } from '../ports/webhook-calls.ts';
import { siteOf } from '../rules/site-address.ts';
import type { MigrationStep, Storage } from '../storage/interface/storage.ts';

/** What a chat works on and with. All but `storage` may be left out. */
export interface ChatOptions {
  /** Where everything is stored: `sqlite('chat.db')` or `postgres('postgres://…')`. */
  storage: Storage;
  /**
   * Whether a database of an older version is brought up to date. Default true; otherwise it is refused
   * (`StorageError`, `older-version`). `new` refuses it too, and makes a database where it is empty.
   */
  migrate?: boolean | 'new';
  /** Told of each step that brings the database up to date; with many messages it takes a while. */
  onMigration?: (step: MigrationStep) => void;
  /**
   * Where the outside reaches this organization, e.g. `https://chat.example.com`, with its path if it has one; without
   * login, query and hash. Default: where the server listens.
   */
  baseUrl?: string;
  /** Development mode: anybody may fetch any account's API key. Never in production. */
  development?: boolean;
  /** Whether the organization may open channels to the public web. Default true. */
  webPublicChannels?: boolean;
  /**
   * Whether guests who are kept from seeing everybody see the presence of only those accounts that they see.
   * Default true; false shows them everybody's (`CAN_ACCESS_ALL_USERS_GROUP_LIMITS_PRESENCE`).
   */
  limitPresence?: boolean;
  /** Minutes for which invitations are valid that do not say it; null: for ever. Default 14400, ten days. */
  invitationMinutes?: number | null;
  /** Seconds a long poll is held before it answers with a heartbeat. Default 50. */
  heartbeatSeconds?: number;
  /** Carries e-mail; without one, none is sent. */
  mail?: Mail;
  /** Hands notifications to the phones of people; without one, none are sent. */
  pushRelay?: PushRelay;
  /** Works on pictures that people send. Default: sharp, which npm installs where it can. */
  images?: Images;
  /** Keeps what people upload, e.g. `localFiles('chat.db-uploads')`; without it nobody uploads files. */
  files?: FileStore;
  /** Largest file that somebody may upload, MiB. Default 100. */
  maxUploadMebibytes?: number;
  /** What all uploaded files may measure together, MiB. Default: no limit. */
  uploadQuotaMebibytes?: number | null;
  /** Where the web hooks of bots may be, and how long a call may take. */
  outgoingWebhooks?: WebhookOptions;
  /** Functions of yours that are asked before something happens. Of this process: give them to each. */
  hooks?: Hooks;
  /** What time it is; a test's own moves as it likes. Default: the machine's clock, on PostgreSQL the database's. */
  clock?: Clock;
  /** Takes what is logged. Default: errors and warnings, as lines of JSON on stderr. */
  logger?: Logger;
}

export function withDefaults(options: ChatOptions): ServiceOptions {
  return {
    storage: options.storage,
    clock: options.clock ?? correctedClock(() => options.storage.clockOffsetMs ?? 0),
    logger: options.logger ?? stderrLogger,
    mail: options.mail,
    pushRelay: options.pushRelay,
    images: options.images ?? sharpImages(),
    files: options.files,
    maxUploadMebibytes: options.maxUploadMebibytes ?? 100,
    uploadQuotaMebibytes: options.uploadQuotaMebibytes ?? null,
    baseUrl: siteOf('baseUrl', options.baseUrl ?? 'http://localhost:9991'),
    development: options.development ?? false,
    webPublicChannels: options.webPublicChannels ?? true,
    limitPresence: options.limitPresence ?? true,
    invitationMinutes: options.invitationMinutes === undefined ? 14_400 : options.invitationMinutes,
    heartbeatSeconds: options.heartbeatSeconds ?? 50,
    outgoingWebhooks: options.outgoingWebhooks ?? {},
    hooks: options.hooks ?? {},
  };
}
